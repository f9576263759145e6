import { formatDuration, largestWaitMs } from '@sandglass/runtime/core'
import { backoffOf, retriesTimeouts } from '../model/arithmetic.js'
import type { Call } from '../model/chain.js'
import { advice, anyOf, type Change, changeCount, changeLimit } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundFactors, limitFactor } from '../model/factors.js'
import { quantileMs } from '../model/latency.js'
import { retriesOf } from '../model/retrying.js'
import { roomMs } from '../model/room.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

/** More tries than this are not counted one by one. */
const MOST_COUNTED = 10_000

/** The tries of a call that has a total: what each takes, and when it starts. */
interface Tries {
  readonly attempts: number
  readonly onceMs: number
  readonly timeoutMs: number
  readonly triesMs: number
  readonly startWithinMs: number
  /** The wait before retry 1, 2 …: the largest one. */
  largestWaitMs(retry: number): number
}

function triesOf({ call, own }: Visit): Tries | null {
  const attempts = retriesOf(call)
  const timeoutMs = call.timeoutMs?.value
  const backoff = backoffOf(call)
  const queueMs = call.queue?.perAttemptMs?.value ?? 0
  if (attempts === null || typeof timeoutMs !== 'number' || typeof queueMs !== 'number' || backoff === 'unknown') return null
  if (own.attempt.state !== 'bounded' || own.tries.state === 'unknown' || !retriesTimeouts(call)) return null
  const triesMs = own.tries.state === 'bounded' ? own.tries.ms : Number.POSITIVE_INFINITY
  const within = call.retryStartWithinMs?.value
  return {
    attempts,
    onceMs: own.attempt.ms + queueMs,
    timeoutMs,
    triesMs,
    startWithinMs: typeof within === 'number' ? within : Number.POSITIVE_INFINITY,
    largestWaitMs: (retry) => (backoff ? largestWaitMs(backoff, retry) : 0),
  }
}

/** How many tries start before the total is over, and how many of them could use their whole time, when every one is slow. */
function fitting(tries: Tries, waitMs: (retry: number) => number): { started: number; finished: number } {
  let startAtMs = 0
  let started = 0
  let finished = 0
  while (started < Math.min(tries.attempts, MOST_COUNTED)) {
    if (startAtMs >= tries.timeoutMs || (started > 0 && startAtMs > tries.startWithinMs)) break
    started++
    if (startAtMs + tries.onceMs <= tries.timeoutMs) finished++
    startAtMs += tries.onceMs + waitMs(started)
  }
  return { started, finished }
}

function waitsMs(tries: Tries): number {
  let sum = 0
  for (let retry = 1; retry < Math.min(tries.attempts, MOST_COUNTED); retry++) sum += tries.largestWaitMs(retry)
  return sum
}

function sumInWords(tries: Tries): string {
  const waits = Number.isFinite(tries.attempts) ? waitsMs(tries) : 0
  const backoff = waits > 0 ? ` + back-off up to ${formatDuration(waits)}` : ''
  return `${Number.isFinite(tries.attempts) ? tries.attempts : 'unlimited'} attempts x ${formatDuration(tries.onceMs)}${backoff}`
}

function shorterAttempt(call: Call, tries: Tries, queueMs: number): Change | null {
  if (!Number.isFinite(tries.attempts)) return null
  const withoutMs = tries.timeoutMs / tries.attempts - queueMs
  const withMs = (tries.timeoutMs - waitsMs(tries)) / tries.attempts - queueMs
  const change = changeLimit('attempt', call.attemptMs, withMs)
  const division = `${formatDuration(tries.timeoutMs)} / ${tries.attempts} = ${formatDuration(Math.floor(withoutMs))}`
  if (!change) return null
  return { ...change, text: withMs === withoutMs ? `${change.text} (${division})` : `${change.text} (${division} without back-off)` }
}

function suggest(view: View, visit: Visit, tries: Tries, finished: number): Suggestion | null {
  const { call } = visit
  const perAttemptMs = call.queue?.perAttemptMs?.value
  const shorter = shorterAttempt(call, tries, typeof perAttemptMs === 'number' ? perAttemptMs : 0)
  const room = roomMs(view, visit)
  const longer =
    Number.isFinite(tries.triesMs) && (room === null || tries.triesMs <= room)
      ? changeLimit('timeout', call.timeoutMs, Math.ceil(tries.triesMs))
      : null
  const fewer = finished >= 1 ? changeCount('attempts', call.attempts, finished) : null
  const law = call.callee?.latency?.value
  const killsHealthy = law !== undefined && tries.timeoutMs / tries.attempts < quantileMs(law, 0.99)
  const order = killsHealthy ? [fewer, longer, shorter] : [shorter, longer, fewer]
  return anyOf(order) ?? anyOf([advice('fewer or shorter attempts: the total is fixed')])
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).retried) {
    const tries = triesOf(visit)
    if (!tries || tries.triesMs <= tries.timeoutMs) continue
    yield finding(view, visit, tries)
  }
}

function finding(view: View, visit: Visit, tries: Tries): Diagnostic {
  const { call } = visit
  const slowest = fitting(tries, (retry) => tries.largestWaitMs(retry))
  const quickest = fitting(tries, () => 0)
  const fullRetries = Math.max(0, quickest.finished - 1)
  const all = Number.isFinite(tries.triesMs) ? formatDuration(tries.triesMs) : 'no limit'
  const wanted = Number.isFinite(tries.attempts) ? `${tries.attempts} attempts` : 'unlimited attempts'
  return findingAt(visit, {
    rule: 'retry-overflow',
    severity: 'error',
    message: `${wanted} of ${call.to.value} do not fit into ${formatDuration(tries.timeoutMs)}: when each is slow, ${counted(slowest.started, quickest.started)} can start and ${counted(slowest.finished, quickest.finished)} can finish`,
    arithmetic: `${sumInWords(tries)} = ${all} > ${formatDuration(tries.timeoutMs)}; full retries on slow answers: ${fullRetries}`,
    why: 'Attempts that cannot finish protect nobody: the total ends the call first, so the retries exist on paper only.',
    spot: (call.timeoutMs ?? call.to).origin.spot,
    label: 'all attempts together end here',
    related: [
      ...(call.attemptMs ? [{ spot: call.attemptMs.origin.spot, label: 'each attempt' }] : []),
      ...(call.attempts.origin.kind === 'declared' ? [{ spot: call.attempts.origin.spot, label: 'all tries' }] : []),
    ],
    values: {
      attempts: Number.isFinite(tries.attempts) ? tries.attempts : null,
      timeoutMs: tries.timeoutMs,
      attemptMs: tries.onceMs,
      triesMs: Number.isFinite(tries.triesMs) ? tries.triesMs : null,
      startWithLargestBackoff: slowest.started,
      startWithoutBackoff: quickest.started,
      finishWithLargestBackoff: slowest.finished,
      finishWithoutBackoff: quickest.finished,
      fullRetries,
      largestAttemptMs: Number.isFinite(tries.attempts) ? Math.floor(tries.timeoutMs / tries.attempts) : null,
    },
    factors: [...boundFactors(call), ...limitFactor('retryStartWithin', call.retryStartWithinMs)],
    suggestion: suggest(view, visit, tries, slowest.finished),
  })
}

/** "2", or "1 to 2" where it depends on the back-off that is drawn. */
function counted(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`
}

/** The attempts of a call, with their largest back-offs, take longer than its total. */
export const retryOverflow: Rule = {
  id: 'retry-overflow',
  severity: 'error',
  summary: 'the attempts of a call do not fit into its timeout',
  check,
}
