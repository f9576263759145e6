import type { Caller, SeenCall } from '../scan-view.js'
import type { Evaluator } from '../terms/evaluator.js'
import { substitute } from '../terms/substitute.js'
import type { HandedSignal } from './handed-signal.js'
import { handedSignal, signalOf } from './handed-signal.js'
import type { SignalReading } from './signal-limit.js'

/** What a caller's arguments make of a wrapper's signal. */
export function signalForCaller(handed: HandedSignal, caller: Caller, evaluator: Evaluator): SignalReading {
  const frame = { of: handed.parameter.of, args: caller.args, self: caller.self }
  return signalOf(substitute(handed.options, frame, evaluator), evaluator)
}

/** True for a call that lost its limit because its caller handed in a signal that only cancels: `replaceable-limit` says so, at that caller. */
export function isLimitReplaced(seen: SeenCall, evaluator: Evaluator): boolean {
  if (!seen.caller) return false
  const handed = handedSignal(seen, evaluator)
  return handed?.kind === 'replaced' && signalForCaller(handed, seen.caller, evaluator).kind === 'cancel-only'
}
