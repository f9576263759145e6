import type { Node } from 'oxc-parser'
import { isFunctionNode } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'

/** What of an expression waits, calls or counts. */
export interface ExpressionParts {
  readonly awaited: readonly Node[]
  readonly calls: readonly Extract<Node, { type: 'CallExpression' }>[]
  readonly changes: readonly Extract<Node, { type: 'UpdateExpression' | 'AssignmentExpression' }>[]
}

const knownParts = new WeakMap<Node, ExpressionParts>()

/** The parts of an expression; functions in it run at another time. */
export function expressionParts(node: Node): ExpressionParts {
  const known = knownParts.get(node)
  if (known) return known
  const awaited: Node[] = []
  const calls: ExpressionParts['calls'][number][] = []
  const changes: ExpressionParts['changes'][number][] = []
  walk(node, (part) => {
    if (part.type === 'AwaitExpression') awaited.push(part.argument)
    else if (part.type === 'CallExpression') calls.push(part)
    else if (part.type === 'UpdateExpression' || part.type === 'AssignmentExpression') changes.push(part)
    return !isFunctionNode(part)
  })
  const parts = { awaited, calls, changes }
  knownParts.set(node, parts)
  return parts
}
