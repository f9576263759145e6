import { append } from '../../model/append.js'
import type { Caller } from '../scan-view.js'
import type { CallNode, Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { argsOf } from '../terms/args-of.js'
import { constructorOf } from '../terms/class-member.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'

/** Who calls the functions of the scanned code. */
export type CallersOf = (of: FunctionNode) => readonly Caller[]

/** The callers of functions and constructors among some modules. */
export function callersAmong(modules: readonly Module[], evaluator: Evaluator): CallersOf {
  const byFunction = new Map<FunctionNode, Caller[]>()
  for (const module of modules) {
    for (const node of module.calls) {
      if (node.type === 'TaggedTemplateExpression') continue
      const of = calledFunction(evaluator.termOf(node.callee, module), node)
      if (!of) continue
      const caller: Caller = { node, module, args: argsOf(node, module, evaluator), self: of.self }
      append(byFunction, of.node, caller)
    }
  }
  return (of) => byFunction.get(of) ?? []
}

function calledFunction(callee: Term, node: CallNode): { readonly node: FunctionNode; readonly self: Term | null } | null {
  if (callee.kind === 'function') return callee
  if (callee.kind !== 'class' || node.type !== 'NewExpression') return null
  const made = constructorOf(callee.node)
  return made && { node: made, self: null }
}
