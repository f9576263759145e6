import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { type FunctionNode, lookUp } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import { isGlobal } from '../terms/term.js'
import { callAround } from './call-around.js'

interface Place {
  readonly evaluator: Evaluator
  readonly within?: Node | null | undefined
  readonly reckoning: { readonly module: Module }
}

/** The function of a `new Promise` around another one whose promise the statement in that settles. */
export function executorSettledBy(
  statement: Node,
  of: FunctionNode,
  { evaluator, within, reckoning: { module } }: Place,
): FunctionNode | null {
  if (of === within) return null
  for (let around = functionAround(of); around && around !== within; around = functionAround(around)) {
    const call = callAround(around)
    if (call?.node.type !== 'NewExpression' || !isGlobal(evaluator.termOf(call.node.callee, module), 'Promise')) continue
    return settles(statement, around, module) ? around : null
  }
  return null
}

/** True where a statement calls or hands on what the function of a `new Promise` gets. */
function settles(statement: Node, executor: FunctionNode, module: Module): boolean {
  let found = false
  walk(statement, (node) => {
    const binding = node.type === 'Identifier' ? lookUp(node.name, scopeAt(node, module))?.binding : undefined
    found ||= binding?.kind === 'parameter' && binding.of === executor
    return !found
  })
  return found
}
