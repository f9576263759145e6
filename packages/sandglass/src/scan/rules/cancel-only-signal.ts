import type { Spot } from '../../model/sourced.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { bothSignals } from '../signals/both-signals.js'
import { cancelOnlySpot, signalAmong } from '../signals/cancel-only-spot.js'
import { isLimitReplaced } from '../signals/limit-replaced.js'
import { spotOf } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import { outsideTypeOf } from '../terms/global-type.js'
import type { Term } from '../terms/term.js'

/** From here on `default-bound` speaks of the default that is left. */
const LONG_DEFAULT_MS = 15_000

/** A call whose only signal can cancel it, but not end it by the clock, where no other rule says that it has no limit. */
export const cancelOnlySignal: ScanRule = {
  id: 'cancel-only-signal',
  severity: 'warning',
  summary: 'a signal that can only cancel is taken for a limit',
  *check({ calls, evaluator }) {
    const reported = new Set<object>()
    for (const seen of calls) {
      const spot = seen.isClient || reported.has(seen.site.node) ? null : cancelOnlyIn(seen, evaluator)
      if (!spot || isLimitReplaced(seen, evaluator)) continue
      reported.add(seen.site.node)
      yield scanFinding(findingOf(seen, spot))
    }
  },
}

function cancelOnlyIn(seen: SeenCall, evaluator: Evaluator): Spot | null {
  const { judged, guards, site, reading } = seen
  if (guards.some(({ kind }) => kind === 'limit')) return null
  const signal = signalAmong(site.args)
  if (!signal) return null
  if (isSignalOfRequest(signal.value))
    return judged.outcome.state === 'unknown' && isOnlyDefault(reading) ? spotOf(signal.at.node, signal.at.module) : null
  const isSilentDefault = judged.outcome.state === 'bounded' && judged.isDefault && judged.outcome.ms < LONG_DEFAULT_MS
  return isSilentDefault ? cancelOnlySpot(seen, evaluator) : null
}

/** Where somebody wrote another limit, the signal is taken for nothing. */
function isOnlyDefault({ phases, attempt }: SeenCall['reading']): boolean {
  return attempt?.state !== 'written' && phases.every(({ limit }) => limit.state === 'none' || limit.state === 'default')
}

/** `request.signal` of a `Request`: it aborts when the client goes away, never by the clock. */
function isSignalOfRequest(term: Term): boolean {
  if (term.kind !== 'member' || term.name !== 'signal' || term.object.kind !== 'parameter') return false
  return /^(Next)?Request$/.test(outsideTypeOf(term.object) ?? '')
}

function findingOf({ site, judged }: SeenCall, spot: Spot): ScanFinding {
  const left = judged.outcome.state === 'bounded' ? `its default of ${secondsText(judged.outcome.ms)}` : 'its own default, if it has one'
  return {
    rule: 'cancel-only-signal',
    severity: 'warning',
    message: `this signal can only cancel: no clock ends ${libraryName(site)} but ${left}`,
    why: 'A caller that stays and waits never aborts it; a signal is a limit only where a timer aborts it.',
    spot,
    label: 'no clock aborts it',
    values: { ms: judged.outcome.state === 'bounded' ? judged.outcome.ms : null },
    suggestion: { text: `put a limit beside it: ${bothSignals(null)}`, edits: [] },
  }
}
