import type { Node } from 'oxc-parser'
import { type FunctionNode, isFunctionNode } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'

const known = new WeakMap<FunctionNode, readonly Node[]>()

/** More returns than this make no factory. */
const MAX_RETURNS = 6

/** The expressions that a function returns; none where there are too many to be of use. */
export function returnsOf(of: FunctionNode): readonly Node[] {
  const before = known.get(of)
  if (before) return before
  const found = collect(of)
  const kept = found.length > MAX_RETURNS ? [] : found
  known.set(of, kept)
  return kept
}

function collect(of: FunctionNode): Node[] {
  if (of.type === 'ArrowFunctionExpression' && of.expression) return [of.body as Node]
  const found: Node[] = []
  if (!of.body) return found
  walk(of.body as Node, (node) => {
    if (node.type === 'ReturnStatement' && node.argument) found.push(node.argument)
    return !isFunctionNode(node)
  })
  return found
}
