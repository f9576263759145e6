import type { Node } from 'oxc-parser'
import { readSignal } from '../signals/signal-limit.js'
import { keyName } from '../syntax/declare.js'
import { spotOf } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import { type Reckoning, termAt } from './reckon.js'
import type { Timer } from './timer.js'

/** `new Promise((_, reject) => signal.addEventListener('abort', reject))`: it settles when the signal's time is up; null for any other. */
export function abortingSignal(executor: FunctionNode, settle: readonly string[], reckoning: Reckoning): Timer | null {
  let found: Timer | null = null
  walk(executor.body ?? executor, (node) => {
    if (node.type === 'CallExpression' && !found && listensToAbort(node, settle)) found = ofListening(node, reckoning)
    return found === null
  })
  return found
}

function listensToAbort(
  { callee, arguments: [event, listener] }: Extract<Node, { type: 'CallExpression' }>,
  settle: readonly string[],
): boolean {
  const inner = bare(callee)
  const isListening = inner.type === 'MemberExpression' && keyName(inner.property as Node, inner.computed) === 'addEventListener'
  const isAbort = event?.type === 'Literal' && event.value === 'abort'
  return isListening && isAbort && listener !== undefined && mentions(listener as Node, settle)
}

function mentions(node: Node, names: readonly string[]): boolean {
  let found = false
  walk(node, (each) => {
    if (each.type === 'Identifier' && names.includes(each.name)) found = true
    return !found
  })
  return found
}

function ofListening(node: Extract<Node, { type: 'CallExpression' }>, reckoning: Reckoning): Timer | null {
  const callee = bare(node.callee)
  const signal = callee.type === 'MemberExpression' ? readSignal(termAt(callee.object, reckoning), reckoning.evaluator) : null
  const spot = spotOf(node, reckoning.module)
  if (signal?.kind === 'limit') return { span: [signal.limit.ms, signal.limit.ms], spot, armed: spot, isLeft: false }
  return signal?.kind === 'unknown' ? { span: null, spot, armed: spot, isLeft: false } : null
}
