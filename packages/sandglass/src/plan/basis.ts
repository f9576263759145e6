import { formatDuration, largestWaitsMs } from '@sandglass/runtime/core'
import { quantileMs } from '../model/latency.js'
import { slotsOf } from '../model/slots.js'
import type { Limit, Limits } from './limits.js'
import { percent } from './percent.js'
import { PLAN_BASIS, WRITTEN_RESERVE } from './plan-call.js'
import { isPlainLeaf, ownLaw } from './plan-tree.js'

/** What the derivation of one call's limits says. */
export interface Derivation {
  readonly limit: Limit
  /** What the journey alone would have given it, where another place of the same call has less. */
  readonly aloneMs: number | null
  readonly journey: { readonly name: string; readonly promiseMs: number; readonly mode: 'static' | 'propagated'; readonly fits: boolean }
  /** Success of this call within its limits; null where it shares what is left. */
  readonly success: number | null
  readonly falseKill: number
  readonly limits: Limits
}

/** The derivation of a call's limits in words, as it goes into `basis:`. */
export function basisOf(derivation: Derivation): string {
  const parts = [
    `${tries(derivation.limit)}${given(derivation)}`,
    ...inside(derivation),
    ...tail(derivation),
    ...chance(derivation),
    ...(derivation.limit.planned.keepsReserve ? [WRITTEN_RESERVE] : []),
  ]
  return PLAN_BASIS + parts.join('; ')
}

function tries({ attempts, attemptMs, keptAttempts, planned }: Limit): string {
  if (attempts === 1) return keptAttempts > 1 ? 'retries of fast failures stay, in ' : ''
  const waits = largestWaitsMs(planned.backoff, attempts)
  const queue = planned.queueMs > 0 ? ` + ${formatDuration(planned.queueMs)} for a slot` : ''
  return `${attempts} attempts x ${queue ? '(' : ''}${formatDuration(Math.floor(attemptMs))}${queue}${queue ? ')' : ''}${waits > 0 ? ` + back-off up to ${formatDuration(waits)}` : ''} within `
}

/** Where the number comes from: the tightest thing that makes it. */
function given({ limit, aloneMs, journey }: Derivation): string {
  const { planned } = limit
  const own = formatDuration(Math.floor(limit.timeoutMs))
  const promise = `the ${formatDuration(journey.promiseMs)} promise of ${journey.name}`
  if (planned.fixedMs !== null) return `${own}, set by the platform`
  if (aloneMs !== null)
    return `${own}, the least of all places where this call is made; ${journey.name} alone could give it ${formatDuration(Math.floor(aloneMs))}`
  if (planned.fixedAttemptMs !== null && limit.timeoutMs === planned.fixedAttemptMs) return `${own}, what the platform gives an attempt`
  if (!journey.fits) return `${own}, the least it is worth starting with; ${journey.name} does not fit`
  if (limit.timeoutMs >= planned.capMs) return `${own} and no more, so that hanging calls hold less than 80 % of ${slotWords(limit)}`
  if (Math.floor(limit.timeoutMs) === Math.floor(journey.promiseMs)) return `${own}, all of ${promise}`
  if (journey.mode === 'static') return `${own} of ${promise}, its part of the split with the most success`
  if (planned.call.optional.value) return `${own} of ${promise}, then its caller goes on without it`
  const reserve = limit.reserveMs >= 1 ? `the reserves (${formatDuration(Math.floor(limit.reserveMs))} here) and ` : ''
  return `${own} of ${promise}: all but ${reserve}what other steps need at least; at run time, what is left`
}

function slotWords({ planned: { call } }: Limit): string {
  const slots = slotsOf(call)
  const owner =
    slots?.kind === 'bulkhead' ? `its bulkhead's ${slots.size.value} slots` : `${slots?.size.value} slots of ${call.from.service.name}`
  const { instances } = call.from.service
  return typeof instances.value === 'number' && instances.value > 1 ? `${owner} (each of ${instances.value} instances)` : owner
}

/** What an attempt is spent on at the callee: its own work, its calls, the hop and the reserve. */
function inside({ limit, limits, journey }: Derivation): string[] {
  const { callee, networkMs } = limit.planned
  if (isPlainLeaf(callee) || journey.mode === 'propagated') return []
  const law = ownLaw(callee)
  const ownMs = law ? Math.ceil(quantileMs(law, 0.99)) : 0
  const reserveMs = Math.floor(limit.reserveMs)
  const callsMs = callee.stages.reduce(
    (sum, stage) =>
      sum +
      (stage.kind === 'own'
        ? 0
        : stage.calls.reduce((most, planned) => Math.max(most, Math.floor(limits.get(planned)?.timeoutMs ?? 0)), 0)),
    0,
  )
  const spareMs = Math.floor(limit.attemptMs) - ownMs - callsMs - networkMs - reserveMs
  const parts = [
    ...(ownMs > 0 ? [`own work ${formatDuration(ownMs)} (p99)`] : []),
    `its calls ${formatDuration(callsMs)}`,
    ...(networkMs > 0 ? [`network ${formatDuration(networkMs)}`] : []),
    ...(reserveMs > 0 ? [`reserve ${formatDuration(reserveMs)}`] : []),
    ...(spareMs >= 1 && journey.fits ? [`${formatDuration(Math.floor(spareMs))} to spare`] : []),
  ]
  return [`for ${parts.join(' + ')}`]
}

function tail({ limit, falseKill }: Derivation): string[] {
  const law = ownLaw(limit.planned.callee)
  if (!isPlainLeaf(limit.planned.callee) || !law) return []
  const p99 = `p99 ${formatDuration(roundedMs(quantileMs(law, 0.99)))}`
  return [falseKill >= 0.0005 ? `${p99}, cuts off ${percent(falseKill)} of good answers` : p99]
}

function roundedMs(ms: number): number {
  return ms >= 100 ? Math.round(ms) : Math.round(ms * 10) / 10
}

function chance({ success }: Derivation): string[] {
  return success === null ? [] : [`success ${success > 0.9999 && success < 1 ? 'over 99.99 %' : percent(success)}`]
}
