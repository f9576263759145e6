import { type ClearedTimer, clearedEarly, isReturned } from '../models/cleared-timer.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { spotOf } from '../syntax/module.js'

/** A timer that aborts a `fetch`, cleared when the headers are there, so that reading the body has no limit of its own. */
export const clearedEarlyRule: ScanRule = {
  id: 'cleared-early',
  severity: 'warning',
  summary: 'a timer that is cleared before the body is read',
  *check({ calls }) {
    const reported = new Set<object>()
    for (const seen of calls) {
      const { site, reading } = seen
      const limit = reading.overall
      if (!ASKING.has(site.model.id) || limit?.state !== 'written' || limit.kind !== 'headers') continue
      if (reading.phases.at(-1)?.limit.state === 'written') continue
      const cleared = clearedEarly(site, { ...limit, kind: 'total' })
      if (!cleared || reported.has(cleared.clear) || (!cleared.bodyAt && !isReturned(site.node))) continue
      reported.add(cleared.clear)
      yield scanFinding(findingOf(seen, cleared, limit.ms))
    }
  },
}

/** What gives a response whose body is still to come. */
const ASKING: ReadonlySet<string> = new Set(['fetch', 'node-fetch'])

function findingOf({ site, reading }: SeenCall, { clear, bodyAt }: ClearedTimer, ms: number): ScanFinding {
  const body = reading.phases.at(-1)?.limit
  const left = body?.state === 'default' ? `but the default of ${secondsText(body.ms)} for each part` : ''
  const { module } = site.at
  return {
    rule: 'cleared-early',
    severity: bodyAt ? 'warning' : 'info',
    message: `the timer of ${secondsText(ms)} is cleared when the headers are there: nothing ends reading the body ${left}`.trimEnd(),
    why: 'A server that sends its headers and then falls silent holds the caller as long as one that never answers.',
    spot: spotOf(clear, module),
    label: 'the body is not read yet',
    ...(bodyAt ? { related: [{ spot: spotOf(bodyAt, module), label: 'read without the timer' }] } : {}),
    values: { ms },
    suggestion: { text: 'clear the timer after the body is read, in a finally around both, or use AbortSignal.timeout(…)', edits: [] },
  }
}
