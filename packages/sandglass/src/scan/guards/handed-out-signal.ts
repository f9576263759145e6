import type { Node } from 'oxc-parser'
import { abortingTimer } from '../signals/signal-limit.js'
import { isGlobal, type Term } from '../terms/term.js'
import { type Reckoning, type Span, spanOf, termAt } from './reckon.js'

/** After how long a signal aborts that a helper of the project hands to the work it calls: `work(controller.signal)`; null where it hands out none. */
export function handedOutSpan(call: Node, reckoning: Reckoning): Span | null {
  if (call.type !== 'CallExpression') return null
  for (const arg of call.arguments) {
    const span = arg.type === 'SpreadElement' ? null : spanIn(termAt(arg, reckoning), reckoning)
    if (span) return span
  }
  return null
}

function spanIn(term: Term, reckoning: Reckoning): Span | null {
  if (term.kind === 'object') {
    const found = term.parts.map((part) => ('name' in part && part.name === 'signal' ? spanIn(part.value, reckoning) : null))
    return found.find((span) => span !== null) ?? null
  }
  if (term.kind === 'made' && isGlobal(term.callee, 'AbortSignal.timeout')) return spanOfArgument(term.at.node, 0, reckoning)
  if (term.kind !== 'member' || term.name !== 'signal' || term.object.kind !== 'made') return null
  if (!isGlobal(term.object.callee, 'AbortController') || term.object.at.module !== reckoning.module) return null
  const timer = abortingTimer(term.object, reckoning.evaluator)
  return timer && spanOfArgument(timer, 1, reckoning)
}

function spanOfArgument(node: Node, index: number, reckoning: Reckoning): Span | null {
  const arg = node.type === 'CallExpression' ? node.arguments[index] : undefined
  return arg && arg.type !== 'SpreadElement' ? spanOf(arg, reckoning) : null
}
