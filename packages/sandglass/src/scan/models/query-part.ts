import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { outermost, parentOf } from '../syntax/walk.js'

/** A chain of calls from its first one: `db.select().from(…).limit(1)`. */
export interface QueryChain {
  readonly end: Node
  readonly isAwaited: boolean
  /** What is called after the first. */
  readonly names: readonly string[]
}

/** Follows a chain of calls to its end. */
export function queryChain(node: Node): QueryChain {
  const names: string[] = []
  for (let here: Node = node; ; ) {
    const outer = outermost(here)
    const member = parentOf(outer)
    const isMember = member?.type === 'MemberExpression' && member.object === outer
    const call = isMember ? parentOf(outermost(member)) : null
    if (!isMember || call?.type !== 'CallExpression' || call.callee !== outermost(member))
      return { end: outer, isAwaited: outer.type === 'AwaitExpression', names }
    names.push(keyName(member.property as Node, member.computed) ?? '')
    here = call
  }
}

/** `where('a', knex.raw('b'))`, `update({ n: knex.raw('n + 1') })`: a part of another query, unless it is awaited or in `Promise.all`. */
export function isQueryPart(node: Node): boolean {
  const { end, isAwaited } = queryChain(node)
  if (isAwaited) return false
  const above = parentOf(end)
  if (above?.type === 'Property') return true
  if (above?.type === 'CallExpression' && above.callee !== end) return true
  const list = above?.type === 'ArrayExpression' ? parentOf(above) : null
  return list?.type === 'CallExpression' && !isPromiseCall(list)
}

function isPromiseCall(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  return node.callee.object.type === 'Identifier' && node.callee.object.name === 'Promise'
}
