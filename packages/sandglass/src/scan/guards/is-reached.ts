import type { Node } from 'oxc-parser'
import { leaves } from '../syntax/leaves.js'
import type { FunctionNode } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { functionAround } from '../terms/evaluator.js'
import type { At } from '../terms/term.js'
import type { FunctionUses } from './function-uses.js'
import type { Reckoning } from './reckon.js'
import { truthOf } from './truth-of.js'

/** More callers than this are not asked one by one. */
const MAX_CALLERS = 20

/**
 * False for what no caller of the function around it gets to: the other branch of `if (timeoutMs)`, where all of them give a time. Null where the branch
 * is for a caller to choose, and none is seen.
 */
export function isReached({ node, module }: At, { callersOf, handedOver }: FunctionUses, { evaluator }: Reckoning): boolean | null {
  const of = functionAround(node)
  const tests = of ? testsBefore(node, of) : []
  if (!of || tests.length === 0) return true
  const callers = callersOf(of)
  if (callers.length > MAX_CALLERS || handedOver(of).length > 0) return true
  if (callers.length === 0) return tests.some((test) => isParameter(test, of, { evaluator, module })) ? null : true
  return callers.some(({ args, self }) => mayReach(node, of, { evaluator, module, frame: { of, args, self }, counted: new Map() }))
}

/** False for a place in a function that a call of it does not get to, with what that gives. */
export function mayReach(node: Node, of: FunctionNode, reckoning: Reckoning): boolean {
  return isOnTheWay(node, of, (test) => truthOf(test, reckoning))
}

/** `timeoutMs`, `!timeoutMs`, `timeoutMs > 0`. */
function isParameter(test: Node, of: Node, where: Pick<Reckoning, 'evaluator' | 'module'>): boolean {
  const inner = bare(test)
  if (inner.type === 'UnaryExpression') return isParameter(inner.argument, of, where)
  if (inner.type === 'BinaryExpression') return isParameter(inner.left as Node, of, where)
  const term = where.evaluator.termOf(inner, where.module)
  return term.kind === 'parameter' && term.of === of
}

/** What decides on the way to a place in a function. */
function testsBefore(node: Node, of: Node): readonly Node[] {
  const tests: Node[] = []
  isOnTheWay(node, of, (test) => {
    tests.push(test)
    return null
  })
  return tests
}

function isOnTheWay(node: Node, of: Node, holds: (test: Node) => boolean | null): boolean {
  for (let here = node, above = node.parent; above && here !== of; here = above, above = above.parent) {
    if (above.type === 'IfStatement' || above.type === 'ConditionalExpression') {
      if (here === above.consequent && holds(above.test) === false) return false
      if (here === above.alternate && holds(above.test) === true) return false
    }
    if (above.type === 'BlockStatement' && isLeftBefore(above.body, here, holds)) return false
  }
  return true
}

/** `if (timeoutMs) return …` before it, which holds. */
function isLeftBefore(statements: readonly Node[], here: Node, holds: (test: Node) => boolean | null): boolean {
  return statements.some(
    (statement) =>
      statement.type === 'IfStatement' && statement.end <= here.start && leaves(statement.consequent) && holds(statement.test) === true,
  )
}
