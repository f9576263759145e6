import { formatDuration } from '@sandglass/runtime/core'
import type { LimitMs } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Factor, Related, Suggestion } from '../model/diagnostic.js'
import { boundFactors, layerFactors, missingFactor } from '../model/factors.js'
import { roomOf } from '../model/room.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { addTimeout } from './measure/add-timeout.js'
import { followersOf } from './measure/inversions.js'
import { layerSpot } from './measure/limit-spot.js'
import { inAllSituations, notableCalls } from './measure/notable-calls.js'
import { tailOf } from './measure/tail.js'

/** A call that nothing ends: neither its own limits nor a budget handed down. Where only its queueing has no limit, that is the rule `queue-unbounded`. */
function waitsForEver({ call, own, bound }: Visit): boolean {
  if (bound.state !== 'unbounded' || call.async.value || call.callee?.stream) return false
  return own.attempt.state === 'unbounded' || call.attempts.value === 'none'
}

function isOnPurpose({ call }: Visit): boolean {
  return [call.timeoutMs, call.attemptMs, call.silenceMs].some((limit) => limit?.value === 'none')
}

function* check(view: View): Iterable<Diagnostic> {
  const waiting = worstVisits(inAllSituations(view, notableCalls(view).endless), (visit) =>
    waitsForEver(visit) ? 0 - (visit.arrival.tightest?.ms ?? Number.MAX_VALUE) : null,
  )
  const followers = waiting.length > 0 ? followersOf(view) : null
  for (const visit of waiting) {
    const { call, arrival } = visit
    const onPurpose = isOnPurpose(visit)
    const { tightest } = arrival
    yield findingAt(visit, {
      rule: 'missing-timeout',
      severity: onPurpose ? 'warning' : 'error',
      message: sentence(visit, onPurpose),
      why: 'When the callee hangs, every request that comes this way holds its slot for ever, until none is left.',
      ...placeOfMissing(visit),
      related: tightest ? [layerSpot(tightest)] : [],
      values: { boundMs: null, callerBoundMs: tightest?.ms ?? null },
      factors: factorsOf(visit),
      consequences: followers?.get(call) ?? [],
      suggestion: suggest(view, visit),
    })
  }
}

function partsOf({ call }: Visit): string[] {
  const isLimit = (limit: Sourced<LimitMs> | undefined) => limit !== undefined && limit.value !== 'none'
  const isWaitLimited = isLimit(call.queue?.totalMs) || isLimit(call.queue?.perAttemptMs)
  const parts = [
    isLimit(call.connectMs) ? 'connecting' : '',
    isLimit(call.writeMs) ? 'writing' : '',
    isWaitLimited ? 'waiting for a slot' : '',
  ]
  return parts.filter((part) => part !== '')
}

function sentence(visit: Visit, onPurpose: boolean): string {
  const { call } = visit
  const start = `${call.from.id} can wait for ${call.to.value} for ever`
  if (onPurpose) return `${start}: its limit is none, on purpose`
  const parts = partsOf(visit)
  if (call.attempts.value === 'none' && visit.own.attempt.state === 'bounded')
    return `${start}: each attempt is limited, their number is not`
  if (parts.length > 0)
    return `${start}: ${parts.join(' and ')} ${parts.length > 1 ? 'are' : 'is'} limited, but nothing limits the wait for the answer`
  return `${start}: the call has no limit at all`
}

function placeOfMissing({ call }: Visit): Related {
  const none = [call.timeoutMs, call.attemptMs, call.silenceMs].find((limit) => limit?.value === 'none')
  if (none)
    return {
      spot: none.origin.spot,
      label: none.origin.kind === 'default' ? `the default of ${none.origin.product}` : 'no limit, on purpose',
    }
  return { spot: call.to.origin.spot, label: 'no limit on the answer' }
}

function factorsOf({ call, arrival }: Visit): Factor[] {
  const missing = call.timeoutMs ? [] : [missingFactor('timeout', call)]
  const written = boundFactors(call).filter(({ value }) => value !== null)
  return [...missing, ...written, ...(arrival.tightest ? layerFactors(arrival.tightest) : [])]
}

/** Twice the callee's p99 where that is known and the caller has as much, else what the caller has. */
function suggest(view: View, visit: Visit): Suggestion | null {
  const { call, own } = visit
  if (call.attempts.value === 'none' && own.attempt.state === 'bounded')
    return anyOf([advice('limit the number of attempts, or give the call a timeout for all of them')])
  const room = roomOf(view, visit)
  const tail = tailOf(call.callee)
  const twiceMs = tail && Math.ceil(tail.p99Ms * 2)
  if (tail && twiceMs !== null && (room === null || twiceMs <= room.ms))
    return anyOf([addTimeout(call, twiceMs, `(2 x its p99 of ${formatDuration(tail.p99Ms)})`)])
  if (room === null) return null
  if (room.ms >= 1)
    return anyOf([
      addTimeout(
        call,
        Math.floor(room.ms),
        room.steps === 1 ? '(what the caller leaves)' : `(an equal part of what the caller leaves: ${room.steps} steps have no limit)`,
      ),
    ])
  return anyOf([advice('add a timeout, and make room for it: the other steps use all the time its caller has')])
}

/** A call that can wait for ever. */
export const missingTimeout: Rule = { id: 'missing-timeout', severity: 'error', summary: 'a call can wait for ever', check }
