import { formatDuration, largestBoundMs, slotsHeld } from '@sandglass/runtime/core'
import { ownBounds } from '../model/arithmetic.js'
import type { Call } from '../model/chain.js'
import { anyOf, type Change } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundInWords, factor } from '../model/factors.js'
import { findingAt, type Rule, visitsWhere, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import { type Slots, slotsOf } from '../model/slots.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { boundSpot, heldFactors } from './measure/limit-spot.js'
import { shortenings } from './measure/shorten.js'
import { type Tail, tailFactor, tailOf } from './measure/tail.js'

/** A bound this many times the p99 is far above it. */
const FAR = 10

interface Far {
  readonly boundMs: number
  readonly tail: Tail
  readonly pool: Slots
  readonly slots: number
  /** Of one instance. */
  readonly ratePerS: number
  readonly heldSlots: number
}

function farOf(view: View, { call, bound }: Visit): Far | null {
  const tail = tailOf(call.callee)
  if (!tail || call.async.value || call.callee?.stream || bound.state !== 'bounded' || !exceeds(bound.ms, FAR * tail.p99Ms)) return null
  const pool = slotsOf(call)
  const slots = pool?.size.value
  const instances = call.from.service.instances.value
  const totalPerS = view.flow.callRatePerS(call)
  if (!pool || typeof slots !== 'number' || typeof instances !== 'number' || totalPerS === null) return null
  const ratePerS = totalPerS / instances
  const heldSlots = slotsHeld(ratePerS, bound.ms)
  return exceeds(heldSlots, slots) ? { boundMs: bound.ms, tail, pool, slots, ratePerS, heldSlots } : null
}

/** A budget only shortens a call: where its own bound is not far above the tail, no situation is. */
function mayBeFar(call: Call): boolean {
  const { total } = ownBounds(call)
  const tail = total.state === 'unknown' || call.async.value ? null : tailOf(call.callee)
  return tail !== null && (total.state !== 'bounded' || exceeds(total.ms, FAR * tail.p99Ms))
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of worstVisits(visitsWhere(view, mayBeFar), (each) => farOf(view, each)?.boundMs ?? null)) {
    const far = farOf(view, visit)
    const { call } = visit
    if (!far || !call.callee) continue
    const { boundMs, tail, slots, ratePerS, heldSlots } = far
    const times = Math.round((boundMs / tail.p99Ms) * 10) / 10
    const { instances } = call.from.service
    const journeyRate = visit.arrival.journey?.ratePerS
    yield findingAt(visit, {
      rule: 'far-above-tail',
      severity: 'warning',
      message: `the limit of ${call.to.value} protects nobody: ${formatDuration(boundMs)} is ${times} times its p99 of ${formatDuration(tail.p99Ms)}, and ${call.from.service.name} runs out of slots long before`,
      arithmetic: `${boundInWords(visit)} > ${FAR} x ${formatDuration(tail.p99Ms)}; ${round(ratePerS)}/s x ${formatDuration(boundMs)} = ${round(heldSlots)} of ${slots} slots`,
      why: 'When the callee hangs, the pool is full before the first call gives up, so the limit never helps.',
      ...boundSpot(visit),
      related: [{ spot: tail.law.origin.spot, label: 'how long answers take' }],
      values: { boundMs, p99Ms: tail.p99Ms, timesP99: times, slots, ratePerS, heldSlots },
      factors: [
        ...heldFactors(visit),
        tailFactor(call.callee, tail),
        ...(typeof far.pool.size.value === 'number'
          ? [{ name: far.pool.kind, value: far.pool.size.value, unit: 'count' as const, origin: far.pool.size.origin }]
          : []),
        ...(typeof journeyRate?.value === 'number'
          ? [{ name: 'rate', value: journeyRate.value, unit: 'perS' as const, origin: journeyRate.origin }]
          : []),
        ...(call.share.value === 1 ? [] : [factor('share', call.share, 'share')]),
        ...(typeof instances.value === 'number'
          ? [{ name: 'instances', value: instances.value, unit: 'count' as const, origin: instances.origin }]
          : []),
      ],
      suggestion: suggest(visit, far),
    })
  }
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** 2 x p99, or what the pool bears if that is less; at 80 % of its slots it is reported. */
function suggest(visit: Visit, { tail, slots, ratePerS }: Far): Suggestion | null {
  const twiceMs = tail.p99Ms * 2
  const bearableMs = Math.ceil(largestBoundMs(slots, ratePerS)) - 1
  const isTwice = twiceMs <= bearableMs
  const basis = isTwice ? '2 x p99' : 'below 80 % of the slots when all calls hang'
  const ways: Change[] = shortenings(visit, isTwice ? Math.ceil(twiceMs) : bearableMs)
  return anyOf(ways.slice(0, 1).map((way) => ({ ...way, text: `${way.text} (${basis})` })))
}

/** A limit so far above the callee's p99 that the pool is full before it ends a call. */
export const farAboveTail: Rule = { id: 'far-above-tail', severity: 'warning', summary: 'the limit protects nobody', check }
