import type { Spot } from '../../model/sourced.js'
import type { Limit } from '../limits/limit-state.js'
import { type Attempts, whenOf } from '../limits/reading.js'
import { libraryName } from '../models/library-name.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import type { SeenCall } from '../scan-view.js'
import { secondsText } from '../seconds-text.js'
import { limitOfAll } from '../signals/limit-of-all.js'

interface Hidden {
  readonly seen: SeenCall
  readonly attempts: Attempts
  readonly limit: Limit
  readonly worstMs: number
}

/** A client that tries again by itself, so that the limit somebody wrote holds for one attempt only. */
export const hiddenRetries: ScanRule = {
  id: 'hidden-retries',
  severity: 'warning',
  summary: 'a client repeats by itself, so that the written limit holds for one attempt',
  *check({ calls, budgetMs }) {
    const hiddenCalls = calls.flatMap((seen) => {
      const hidden = hiddenIn(seen)
      // `over-budget` says all of it where there is a budget that it breaks.
      return !hidden || (budgetMs !== null && (seen.judged.worstMs?.[1] ?? 0) > budgetMs) ? [] : [hidden]
    })
    const ofClients = longestBy(hiddenCalls, ({ attempts }) => attempts.spot)
    const ofLimits = longestBy(
      ofClients.map(({ longest }) => longest),
      ({ limit }) => limit.origin.spot,
    )
    for (const { longest, count } of ofLimits) yield scanFinding(findingOf(longest, count))
  },
}

/** Of those that have one place in common, the one that takes longest: a limit that several calls have is one cause. */
function longestBy(all: readonly Hidden[], placeOf: (hidden: Hidden) => Spot): { readonly longest: Hidden; readonly count: number }[] {
  const byPlace = new Map<string, { readonly longest: Hidden; readonly count: number }>()
  for (const hidden of all) {
    const { source, start } = placeOf(hidden)
    const key = JSON.stringify([source.file, start])
    const known = byPlace.get(key)
    const longest = !known || hidden.worstMs > known.longest.worstMs ? hidden : known.longest
    byPlace.set(key, { longest, count: (known?.count ?? 0) + 1 })
  }
  return [...byPlace.values()]
}

function hiddenIn(seen: SeenCall): Hidden | null {
  const { reading, own, judged, isClient } = seen
  const { attempts } = reading
  if (isClient || !attempts?.isDefault || attempts.count === null || attempts.count < 2) return null
  const limit = heaviest(own.limits.filter(({ state }) => state === 'written'))
  const worstMs = own.worstMs?.[1] ?? 0
  if (!limit || worstMs <= limit.ms || own.outcome.state !== 'bounded') return null
  const isEndedOutside = judged.outcome.state === 'bounded' && judged.worstMs !== null && judged.worstMs[1] <= limit.ms
  const isOfAll = limit === reading.overall
  return isEndedOutside || isOfAll ? null : { seen, attempts, limit, worstMs }
}

/** Of several limits the one that takes longest; the first of those that are alike. */
function heaviest(limits: readonly Limit[]): Limit | undefined {
  return limits.reduce<Limit | undefined>((a, b) => (a === undefined || b.ms > a.ms ? b : a), undefined)
}

/** What weighs most of what one attempt may take, and the limit that somebody wrote. */
function limitsText(limit: Limit, { limits }: SeenCall['own']): string {
  const most = heaviest(limits) ?? limit
  const text = ({ name, ms }: Limit) => `${name} ${secondsText(ms)}`
  return most.ms > limit.ms ? `${text(most)}, a default, beside ${text(limit)}` : text(limit)
}

function findingOf({ seen: { site, own, reading }, attempts, limit, worstMs }: Hidden, calls: number): ScanFinding {
  const [, waitMs] = attempts.waitMs
  const each = eachOf(own, limit)
  const sum = `${attempts.count} attempts x ${each}${waitMs > 0 ? ` + waits ${secondsText(waitMs)}` : ''} = ${secondsText(worstMs)}`
  return {
    rule: 'hidden-retries',
    severity: 'warning',
    message: `${libraryName(site)} makes ${attempts.count} attempts by itself${whenOf(attempts)}: with ${limitsText(limit, own)} the call may take ${secondsText(worstMs)}${calls > 1 ? `; ${calls} places have that limit` : ''}`,
    arithmetic: sum,
    why: 'The number in the code is what one attempt may take; who waits for the call waits for all of them.',
    spot: limit.origin.spot,
    label: 'holds for one attempt',
    related: isElsewhere(limit.origin.spot, site.spot) ? [{ spot: site.spot, label: `made up to ${attempts.count} times` }] : [],
    values: { attempts: attempts.count, limitMs: limit.ms, waitMs, worstMs },
    suggestion: { text: `write ${attempts.name} as it is meant, or a limit over all attempts: ${limitOfAll(reading)}`, edits: [] },
  }
}

function isElsewhere(limit: Spot, call: Spot): boolean {
  return limit.source.file !== call.source.file || limit.start < call.start || limit.end > call.end
}

/** What one attempt may take: the limit, and what else it waits for before. */
function eachOf({ limits }: SeenCall['own'], limit: Limit): string {
  const others = limits.filter((each) => each !== limit)
  const texts = [limit, ...others].map(({ ms }) => secondsText(ms))
  return others.length === 0 ? secondsText(limit.ms) : `(${texts.join(' + ')})`
}
