import type { Node } from 'oxc-parser'
import { isFunctionNode } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'

/** True where code ends as soon as the call in it succeeds: it tries again, and does not go through a list. */
export function endsOnSuccess(loopNode: Node, call: Node): boolean {
  let found = false
  walk(loopNode, (node) => {
    if (found || node.type === 'CatchClause') return false
    const isLeaving = node.type === 'ReturnStatement' || (node.type === 'BreakStatement' && leaves(node, loopNode))
    if (isLeaving && node.end >= call.end && isForCall(node, call, loopNode)) found = true
    if (node.type === 'AssignmentExpression' && node.end >= call.end && isAsked(loopNode, bare(node.left as Node))) found = true
    return !isFunctionNode(node) || node === loopNode
  })
  return found
}

const BREAKABLE: ReadonlySet<string> = new Set([
  'SwitchStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
])

/** A `break` ends what is next around it: a case of a `switch`, a loop within. With a label it may be any. */
function leaves(node: Extract<Node, { type: 'BreakStatement' }>, loopNode: Node): boolean {
  if (node.label) return true
  for (let here: Node | null | undefined = node.parent; here && here !== loopNode; here = here.parent)
    if (BREAKABLE.has(here.type)) return false
  return true
}

/** Of a loop over a list, whether it is left for what the call gave: not where another thing of each item fails. */
function isForCall(leaving: Node, call: Node, loopNode: Node): boolean {
  if (loopNode.type !== 'ForOfStatement') return true
  if (isTried(call, loopNode)) return true
  const name = nameOfResult(call)
  for (let here = leaving; here !== loopNode && here.parent; here = here.parent) {
    if (here.start <= call.start && here.end >= call.end) return true
    if (here.type === 'IfStatement') return name !== null && holdsName(here.test, name)
  }
  return true
}

function isTried(call: Node, loopNode: Node): boolean {
  for (let here = call; here !== loopNode && here.parent; here = here.parent) if (here.type === 'TryStatement') return true
  return false
}

function nameOfResult(call: Node): string | null {
  let here = call
  while (
    here.parent &&
    (here.parent.type === 'AwaitExpression' || here.parent.type === 'MemberExpression' || here.parent.type === 'CallExpression')
  )
    here = here.parent
  const above = here.parent
  return above?.type === 'VariableDeclarator' && above.id.type === 'Identifier' ? above.id.name : null
}

function holdsName(node: Node, name: string): boolean {
  let found = false
  walk(node, (part) => {
    if (part.type === 'Identifier' && part.name === name) found = true
    return !found
  })
  return found
}

/** True for a name that the condition of a loop asks about: `while (!done)`. */
function isAsked(loopNode: Node, name: Node): boolean {
  const test = 'test' in loopNode ? (loopNode.test as Node | null) : null
  if (!test || name.type !== 'Identifier') return false
  let found = false
  walk(test, (node) => {
    if (node.type === 'Identifier' && node.name === name.name) found = true
    return !found
  })
  return found
}
