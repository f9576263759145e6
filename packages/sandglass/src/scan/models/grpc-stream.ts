import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { CallNode } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { outermost } from '../syntax/walk.js'

/** Streams that are meant to stay open, by their names. */
export const LASTS: RegExp = /watch|subscribe|listen|tail|follow|monitor|notif|event|live|stream$|^stream|chat|converse|session|connect/i

/** `client.list(request).on('data', …)`, `for await (const user of client.list(request))`: a request, and what comes of it is read until it ends. */
export function isServerStream(node: CallNode): boolean {
  if (node.type !== 'CallExpression' || node.arguments.length === 0 || isFunctionNode(node.arguments.at(-1) as Node)) return false
  const outer = outermost(node)
  const above = outer.parent
  if (above?.type === 'ForOfStatement') return above.await && above.right === outer
  if (above?.type !== 'MemberExpression' || above.object !== outer || keyName(above.property as Node, above.computed) !== 'on') return false
  const call = above.parent
  const [event] = call?.type === 'CallExpression' ? call.arguments : []
  return event?.type === 'Literal' && event.value === 'data'
}
