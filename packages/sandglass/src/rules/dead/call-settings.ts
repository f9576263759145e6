import { formatDuration } from '@sandglass/runtime/core'
import { isLeaf, retriesTimeouts } from '../../model/arithmetic.js'
import type { Call, LimitMs } from '../../model/chain.js'
import { limitText } from '../../model/change.js'
import { factor } from '../../model/factors.js'
import { isDefault } from '../../model/is-default.js'
import type { Sourced } from '../../model/sourced.js'
import { breakerSettings } from './breaker-settings.js'
import type { Dead } from './dead.js'

type Named = readonly [setting: string, limit: Sourced<LimitMs> | undefined]

/** The limit that ends one try first: `attempt` or `timeout`, whichever is shorter. */
function ceilingOf({ attemptMs, timeoutMs }: Call): readonly [string, Sourced<LimitMs>, number] | null {
  const named: readonly Named[] = [
    ['attempt', attemptMs],
    ['timeout', timeoutMs],
  ]
  const known = named.flatMap(([name, limit]) => (limit && typeof limit.value === 'number' ? [[name, limit, limit.value] as const] : []))
  return known.reduce<(typeof known)[number] | null>((least, next) => (least && least[2] <= next[2] ? least : next), null)
}

/** A limit that another one always ends first, or at the same time. */
function outlasted(setting: string, limit: Sourced<LimitMs> | undefined, by: string, ceiling: Sourced<LimitMs> | undefined): Dead[] {
  // A product's default that is never reached is nobody's mistake.
  if (
    !limit ||
    isDefault(limit) ||
    !ceiling ||
    typeof limit.value !== 'number' ||
    typeof ceiling.value !== 'number' ||
    limit.value < ceiling.value
  )
    return []
  const when = limit.value === ceiling.value ? 'ends it at the same time' : 'always ends first'
  return [
    {
      setting,
      written: formatDuration(limit.value),
      spot: limit.origin.spot,
      because: `${by} ${formatDuration(ceiling.value)} ${when}`,
      effective: `${by} ${formatDuration(ceiling.value)}`,
      factors: [factor(setting, limit, 'ms'), factor(by, ceiling, 'ms')],
      instead: ceiling,
    },
  ]
}

function attemptBehindTimeout(call: Call): Dead[] {
  const once = call.attempts.value === 1 || (typeof call.attempts.value === 'number' && !retriesTimeouts(call))
  return once ? outlasted('attempt', call.attemptMs, 'timeout', call.timeoutMs) : []
}

function phases(call: Call): Dead[] {
  const ceiling = ceilingOf(call)
  if (!ceiling) return []
  const [by, limit] = ceiling
  const named: readonly Named[] = [
    ['connect', call.connectMs],
    ['write', call.writeMs],
    ['silence', call.silenceMs],
  ]
  return named.flatMap(([setting, phase]) => outlasted(setting, phase, by, limit))
}

function withoutRetries(call: Call): Dead[] {
  if (call.attempts.value !== 1) return outlasted('retryStartWithin', call.retryStartWithinMs, 'timeout', call.timeoutMs)
  const dead = (setting: string, written: string, at: Sourced<unknown>): Dead => ({
    setting,
    written,
    spot: at.origin.spot,
    because: `${call.attempts.origin.kind === 'default' ? 'attempts is 1 unless it is written' : 'attempts is 1'}, so nothing is retried`,
    effective: '1 attempt',
    factors: [factor('attempts', call.attempts, 'count')],
    instead: call.attempts,
  })
  const out: Dead[] = []
  const { backoff, retryOn, retryBudget, retryStartWithinMs } = call
  if (backoff?.kind === 'law') out.push(dead('backoff', `base ${limitText(backoff.baseMs.value)}`, backoff.baseMs))
  if (backoff?.kind === 'list') out.push(dead('backoff', backoff.largestMs.value.map(formatDuration).join(', '), backoff.largestMs))
  if (retryOn) out.push(dead('retryOn', retryOn.value.join(', '), retryOn))
  // A hedge draws on the retry budget too.
  if (retryBudget && !call.hedgeAfterMs)
    out.push(dead('retryBudget', retryBudget.value.kind === 'default' ? 'default' : `${retryBudget.value.share * 100} %`, retryBudget))
  if (retryStartWithinMs) out.push(dead('retryStartWithin', limitText(retryStartWithinMs.value), retryStartWithinMs))
  return out
}

function poolBesideBulkhead({ pool, bulkhead }: Call): Dead[] {
  if (!pool || typeof bulkhead?.value !== 'number') return []
  return [
    {
      setting: 'pool',
      written: pool.value,
      spot: pool.origin.spot,
      because: `the call has a bulkhead of ${bulkhead.value} slots, and draws on it alone`,
      effective: `bulkhead ${bulkhead.value}`,
      factors: [factor('pool', pool, 'text'), factor('bulkhead', bulkhead, 'count')],
      instead: bulkhead,
    },
  ]
}

function ageWithoutSnapshot({ fallback }: Call): Dead[] {
  return (fallback ?? []).flatMap(({ tier, maxAgeMs }) =>
    maxAgeMs && tier.value !== 'snapshot'
      ? [
          {
            setting: 'maxAge',
            written: limitText(maxAgeMs.value),
            spot: maxAgeMs.origin.spot,
            because: `tier ${tier.value} has no age, only a snapshot does`,
            effective: `tier ${tier.value}`,
            factors: [factor('maxAge', maxAgeMs, 'ms'), factor('tier', tier, 'text')],
            instead: tier,
          },
        ]
      : [],
  )
}

/** A budget handed to a leaf that does not read it; one that calls on is another rule's (deadline-lost). */
function deadlineNobodyReads(call: Call): Dead[] {
  const { callee, deadline, from } = call
  const onTheCall = deadline !== from.service.deadline && deadline.origin.kind === 'declared'
  if (!onTheCall || deadline.value !== 'propagate' || callee?.service.deadline.value !== 'ignore' || !isLeaf(callee)) return []
  return [
    {
      setting: 'deadline',
      written: 'propagate',
      spot: deadline.origin.spot,
      because: `${callee.service.name} ignores the budget it is given`,
      effective: 'the callee works on as long as it likes',
      factors: [factor('deadline', deadline, 'text'), factor(`${callee.service.name} deadline`, callee.service.deadline, 'text')],
      instead: callee.service.deadline,
    },
  ]
}

/** True where more is written at a call than its total and its attempts: those alone are never without effect. */
export function hasMore(call: Call): boolean {
  const limits = call.attemptMs ?? call.connectMs ?? call.writeMs ?? call.silenceMs ?? call.queue ?? call.hedgeAfterMs
  const retries = call.backoff ?? call.retryOn ?? call.retryBudget ?? call.retryStartWithinMs
  const others = call.pool ?? call.fallback ?? call.breaker
  return (limits ?? retries ?? others) !== undefined || call.deadline !== call.from.service.deadline
}

/** What is written at a call and has no effect. */
export function callSettings(call: Call): Dead[] {
  const ceiling = ceilingOf(call)
  return [
    ...attemptBehindTimeout(call),
    ...phases(call),
    ...outlasted('queue', call.queue?.totalMs ?? call.queue?.perAttemptMs, 'timeout', call.timeoutMs),
    ...(ceiling ? outlasted('hedge.after', call.hedgeAfterMs, ceiling[0], ceiling[1]) : []),
    ...withoutRetries(call),
    ...poolBesideBulkhead(call),
    ...ageWithoutSnapshot(call),
    ...deadlineNobodyReads(call),
    ...(call.breaker ? breakerSettings(call.breaker) : []),
  ]
}
