import { causeKey } from '../calls/cause-key.js'
import { hasIgnoredLimit } from '../calls/ignored-in.js'
import type { Reading } from '../limits/reading.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { cancelOnlyRelated } from '../signals/cancel-only-spot.js'
import { isLimitReplaced } from '../signals/limit-replaced.js'
import { listed } from './unbounded-call.js'

/** Below this a library's own default is a limit that somebody may have meant. */
const LONG_MS = 15_000

/** A call that only its library's own long default ends. */
export const defaultBound: ScanRule = {
  id: 'default-bound',
  severity: 'warning',
  summary: "a call that only its library's own long default ends",
  *check({ calls, evaluator }) {
    const byCause = new Map<string, SeenCall>()
    for (const seen of calls) {
      const { outcome, isDefault } = seen.judged
      if (outcome.state !== 'bounded' || !isDefault || outcome.ms < LONG_MS) continue
      if (isLimitReplaced(seen, evaluator) || hasIgnoredLimit(seen)) continue
      const key = causeKey(seen, spotOf(seen))
      if (!byCause.has(key)) byCause.set(key, seen)
    }
    for (const seen of byCause.values()) yield scanFinding(findingOf(seen))
  },
}

function spotOf({ judged, site }: SeenCall) {
  return judged.limits[0]?.origin.spot ?? site.spot
}

function findingOf(seen: SeenCall): ScanFinding {
  const { judged, site, reading } = seen
  const phases = waitsOf(reading)
  const name = libraryName(site)
  const ms = judged.outcome.state === 'bounded' ? judged.outcome.ms : 0
  return {
    rule: 'default-bound',
    severity: 'warning',
    message: `nothing but the default of ${name} ends this call: ${listed(phases)}`,
    why: 'No user waits that long: the caller is gone, and what it asked for goes on.',
    spot: spotOf(seen),
    label: `ends after ${secondsText(ms)} by default`,
    values: { ms, ...Object.fromEntries(judged.limits.map((limit) => [`${limit.name}Ms`, limit.ms])) },
    related: cancelOnlyRelated(seen),
    suggestion: { text: `set a limit: ${reading.remedy}`, edits: [] },
  }
}

function waitsOf({ attempt, attempts, overall, phases }: Reading): readonly string[] {
  if (overall?.state === 'default') return [`${secondsText(overall.ms)} for all of it`]
  if (attempt?.state === 'default')
    return [`${secondsText(attempt.ms)} for ${attempts ? `each of ${attempts.count} attempts` : 'the answer'}`]
  return phases.flatMap(({ what, limit }) => (limit.state === 'default' ? [`${secondsText(limit.ms)} for ${what}`] : []))
}
