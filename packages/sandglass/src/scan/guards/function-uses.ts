import { append } from '../../model/append.js'
import type { CallersOf } from '../calls/callers.js'
import type { Caller } from '../scan-view.js'
import type { CallNode, Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'

/** A function that is handed over as it is: `new CircuitBreaker(load)`. */
export interface HandedOver {
  readonly node: Exclude<CallNode, { type: 'TaggedTemplateExpression' }>
  readonly index: number
  readonly module: Module
}

/** Where functions of the scanned code are used. */
export interface FunctionUses {
  readonly callersOf: (of: FunctionNode) => readonly Caller[]
  readonly handedOver: (of: FunctionNode) => readonly HandedOver[]
}

/** The uses of functions among some modules; found out when it is first asked. */
export function functionUsesAmong(modules: readonly Module[], evaluator: Evaluator, callersOf: CallersOf): FunctionUses {
  let index: ReadonlyMap<FunctionNode, readonly HandedOver[]> | null = null
  return {
    callersOf,
    handedOver: (of) => {
      index ??= indexOf(modules, evaluator)
      return index.get(of) ?? []
    },
  }
}

function indexOf(modules: readonly Module[], evaluator: Evaluator): ReadonlyMap<FunctionNode, readonly HandedOver[]> {
  const found = new Map<FunctionNode, HandedOver[]>()
  for (const module of modules) {
    for (const node of module.calls) {
      if (node.type === 'TaggedTemplateExpression') continue
      node.arguments.forEach((arg, k) => {
        const of = arg.type === 'SpreadElement' ? null : functionIn(evaluator.termOf(arg, module))
        if (of) append(found, of, { node, index: k, module })
      })
    }
  }
  return found
}

/** The function that a term is, also bound to an object. */
function functionIn(term: Term): FunctionNode | null {
  if (term.kind === 'function') return term.node
  const isBound = term.kind === 'made' && term.callee.kind === 'member' && term.callee.name === 'bind'
  return isBound && term.callee.kind === 'member' ? functionIn(term.callee.object) : null
}
