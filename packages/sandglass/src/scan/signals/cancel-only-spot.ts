import type { Related } from '../../model/diagnostic.js'
import type { Spot } from '../../model/sourced.js'
import type { SeenCall } from '../scan-view.js'
import { spotOf } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import type { ObjectPart, Term } from '../terms/term.js'
import { readSignal } from './signal-limit.js'

/** The signal among the options of a call, as it is written; null where there is none or a spread may bring another. */
export function signalAmong(args: readonly Term[]): Extract<ObjectPart, { name: string }> | null {
  for (const arg of args) {
    if (arg.kind !== 'object' || findProperty(arg, 'signal').mayBeReplacedBy.length > 0) continue
    const found = arg.parts.find((part) => 'name' in part && part.name === 'signal')
    if (found && 'name' in found) return found
  }
  return null
}

/** Where a call is given a signal that surely no clock aborts; null where not. */
export function cancelOnlySpot({ site }: Pick<SeenCall, 'site'>, evaluator: Evaluator): Spot | null {
  const signal = signalAmong(site.args)
  if (!signal || readSignal(signal.value, evaluator).kind !== 'cancel-only') return null
  return spotOf(signal.at.node, signal.at.module)
}

/** The same for a finding of a call that has no limit: what looks like one and is none. */
export function cancelOnlyRelated(seen: Pick<SeenCall, 'site'>): readonly Related[] {
  const spot = cancelOnlySpot(seen, seen.site.evaluator)
  return spot ? [{ spot, label: 'can only cancel: no clock aborts it' }] : []
}
