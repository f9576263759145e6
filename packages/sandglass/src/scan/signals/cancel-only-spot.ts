import type { Related } from '../../model/diagnostic.js'
import type { Spot } from '../../model/sourced.js'
import { isUncaught } from '../calls/is-uncaught.js'
import type { SeenCall } from '../scan-view.js'
import { spotOf } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import type { ObjectPart, Term } from '../terms/term.js'
import { bothSignals } from './both-signals.js'
import { readSignal } from './signal-limit.js'

/** The signal among the options of a call, as it is written; null where there is none or a spread may bring another. */
export function signalAmong(args: readonly Term[], name = 'signal'): Named | null {
  for (const arg of args) {
    if (arg.kind !== 'object' || findProperty(arg, name).mayBeReplacedBy.length > 0) continue
    const found = arg.parts.find((part) => 'name' in part && part.name === name)
    if (found && 'name' in found) return found
  }
  return null
}

type Named = Extract<ObjectPart, { name: string }>

/** A signal under any of its names, also one level deeper: `{ request: { signal } }`. */
function signalWithin(args: readonly Term[]): Named | null {
  const inner = args.flatMap((arg) => (arg.kind === 'object' ? arg.parts.flatMap((part) => ('name' in part ? [part.value] : [])) : []))
  return signalAmong(args) ?? signalAmong(args, 'abortSignal') ?? signalAmong(inner)
}

/** Where a call is given a signal that surely no clock aborts; null where not. */
export function cancelOnlySpot({ site }: Pick<SeenCall, 'site'>, evaluator: Evaluator): Spot | null {
  const signal = signalWithin(site.args)
  if (!signal || readSignal(signal.value, evaluator).kind !== 'cancel-only') return null
  return spotOf(signal.at.node, signal.at.module)
}

/** What to write where a limit is missing: where a signal is given that only cancels another one would take its place, and both have to hold. */
export function limitText(
  { site, reading }: Pick<SeenCall, 'site' | 'reading'>,
  remedy: string = reading.missing ?? reading.remedy,
): string {
  const isReplaced = /signal: AbortSignal\.timeout/i.test(remedy) && cancelOnlySpot({ site }, site.evaluator) !== null
  // A finding of a client is told of all its calls.
  const catching =
    site.client === null && /AbortSignal/.test(remedy) && isUncaught(site) ? '; and catch what it then rejects with: .catch(…)' : ''
  return `${isReplaced ? `put a limit beside it: ${bothSignals(null)}` : `set a limit: ${remedy}`}${catching}`
}

/** The same for a finding of a call that has no limit: what looks like one and is none. */
export function cancelOnlyRelated(seen: Pick<SeenCall, 'site'>): readonly Related[] {
  const spot = cancelOnlySpot(seen, seen.site.evaluator)
  return spot ? [{ spot, label: 'can only cancel: no clock aborts it' }] : []
}
