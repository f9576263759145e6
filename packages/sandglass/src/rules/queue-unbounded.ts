import { formatDuration } from '@sandglass/runtime/core'
import { boundMs } from '../model/arithmetic.js'
import type { Call } from '../model/chain.js'
import { advice, anyOf, type Change } from '../model/change.js'
import type { Diagnostic, Related } from '../model/diagnostic.js'
import { boundFactors, factor, limitFactor, missingFactor } from '../model/factors.js'
import { roomMs } from '../model/room.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { addTimeout } from './measure/add-timeout.js'
import { inAllSituations, notableCalls } from './measure/notable-calls.js'

type Wait = 'none' | 'missing'

/** True where a call needs a slot or connection of a limited number: a database's or cache's pool, a named pool, a bulkhead. */
function isPooled({ callee, bulkhead, pool }: Call): boolean {
  const kind = callee?.service.kind.value
  const hasBulkhead = bulkhead !== undefined && bulkhead.value !== 'none' && bulkhead.value !== 'unknown'
  return kind === 'database' || kind === 'cache' || hasBulkhead || pool !== undefined
}

/** The wait of a call whose tries are limited but not what comes before them; null where it is limited, covered, or nobody knows. */
function endlessWait({ call, own, arrival }: Visit): Wait | null {
  const { timeoutMs, queue } = call
  const isCovered = typeof timeoutMs?.value === 'number' || timeoutMs?.value === 'unknown' || (arrival.budget !== null && !call.async.value)
  if (isCovered || own.attempt.state !== 'bounded') return null
  const waits = [queue?.totalMs?.value, queue?.perAttemptMs?.value]
  if (waits.some((wait) => typeof wait === 'number' || wait === 'unknown')) return null
  if (waits.includes('none')) return 'none'
  return isPooled(call) ? 'missing' : null
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of worstVisits(inAllSituations(view, notableCalls(view).withoutTotal), (each) =>
    endlessWait(each) ? 0 - (each.arrival.tightest?.ms ?? Number.MAX_VALUE) : null,
  )) {
    const { call } = visit
    const wait = endlessWait(visit)
    if (!wait) continue
    const attemptMs = boundMs(visit.own.attempt) ?? 0
    const attempt = formatDuration(attemptMs)
    yield findingAt(visit, {
      rule: 'queue-unbounded',
      severity: 'error',
      message: `${call.from.id} limits ${call.attempts.value === 1 ? 'its call' : 'each attempt'} of ${call.to.value} to ${attempt}, but not how long it waits for ${what(call)}`,
      arithmetic: `wait ${wait === 'none' ? 'none' : 'not limited'} + ${attempt} = no limit`,
      why: 'When the pool is empty, requests queue for ever although every statement is quick, and nobody sees where the time goes.',
      ...placeOf(call),
      related: limitSpot(call),
      values: { waitMs: null, attemptMs },
      factors: [
        ...(call.timeoutMs ? limitFactor('timeout', call.timeoutMs) : [missingFactor('timeout', call)]),
        ...(call.queue ? [] : [missingFactor('queue', call)]),
        ...boundFactors(call).filter(({ name }) => name !== 'timeout'),
        ...(call.bulkhead ? [factor('bulkhead', { ...call.bulkhead, value: String(call.bulkhead.value) }, 'count')] : []),
      ],
      suggestion: anyOf([total(view, visit)]),
    })
  }
}

function what({ callee, bulkhead }: Call): string {
  const kind = callee?.service.kind.value
  return bulkhead && kind !== 'database' && kind !== 'cache' ? 'a slot' : 'a connection'
}

function placeOf(call: Call): Related {
  const written = [call.queue?.totalMs, call.queue?.perAttemptMs].find((limit) => limit?.value === 'none')
  if (!written) return { spot: call.to.origin.spot, label: 'the wait is not limited' }
  return {
    spot: written.origin.spot,
    label: written.origin.kind === 'default' ? `the default of ${written.origin.product}` : 'waits without end',
  }
}

function limitSpot({ attemptMs, silenceMs }: Call): Related[] {
  const limit = attemptMs ?? silenceMs
  return limit ? [{ spot: limit.origin.spot, label: 'only this is limited' }] : []
}

/** A total over wait and tries: what the caller leaves; without a caller's limit no number is invented. */
function total(view: View, visit: Visit): Change {
  const room = roomMs(view, visit)
  const { tries } = visit.own
  const isEnough = room !== null && tries.state === 'bounded' && room >= tries.ms
  if (room === null || !isEnough || visit.call.timeoutMs)
    return advice('limit the wait (queue:), or give the call a timeout that covers wait and tries')
  return addTimeout(visit.call, Math.floor(room), '(what the caller leaves), which covers wait and tries, or limit the wait (queue:)')
}

/** The wait for a slot or connection is not limited. */
export const queueUnbounded: Rule = { id: 'queue-unbounded', severity: 'error', summary: 'waiting for a slot is not limited', check }
