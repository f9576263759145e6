import { append } from '../../model/append.js'
import type { Caller } from '../scan-view.js'
import type { CallNode, Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { argsOf } from '../terms/args-of.js'
import { constructorOf } from '../terms/class-member.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'
import { ancestorsOf } from './ancestors.js'

/** Who calls the functions of the scanned code. */
export type CallersOf = (of: FunctionNode) => readonly Caller[]

/** The callers of functions and constructors among some modules. */
export function callersAmong(modules: readonly Module[], evaluator: Evaluator): CallersOf {
  const byFunction = new Map<FunctionNode, Caller[]>()
  for (const module of modules) {
    for (const node of module.calls) {
      if (node.type === 'TaggedTemplateExpression') continue
      const of = calledFunction(evaluator.termOf(node.callee, module), node, evaluator)
      if (!of) continue
      const caller: Caller = { node, module, args: argsOf(node, module, evaluator), self: of.self }
      append(byFunction, of.node, caller)
    }
  }
  return (of) => byFunction.get(of) ?? []
}

function calledFunction(
  callee: Term,
  node: CallNode,
  evaluator: Evaluator,
): { readonly node: FunctionNode; readonly self: Term | null } | null {
  if (callee.kind === 'function') return callee
  if (callee.kind !== 'class' || !isMaking(node)) return null
  const made = ancestorsOf(callee, evaluator).flatMap((each) => constructorOf(each.node) ?? [])[0]
  return made ? { node: made, self: null } : null
}

/** `new Api()`, `super()`. */
function isMaking(node: CallNode): boolean {
  return node.type === 'NewExpression' || (node.type === 'CallExpression' && node.callee.type === 'Super')
}
