import type { SentRequest } from '../load/sent-request.js'
import { addedSince, type Counters } from '../service/counters.js'
import { quantile } from './quantile.js'
import { isUseful, recoveryMs } from './recovery.js'

/** One arm in numbers; the same for what was measured and what was simulated. Shares are 0 to 1. */
export interface ArmSummary {
  readonly name: string
  /** Answered within the promise: full, degraded or a clear failure. */
  readonly answeredShare: number
  /** Full or degraded within the promise. */
  readonly usefulShare: number
  readonly degradedShare: number
  /** Useful answers per second, and the same while the fault lasts. */
  readonly goodputPerS: number
  /** Of answers, late ones included; null of none. */
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** From the end of the fault; null where it did not come back. */
  readonly recoveryMs: number | null
  /** Slot time after the caller had left, of all slot time. */
  readonly orphanedShare: number
  /** Requests received per request sent by the client, by service. */
  readonly amplification: Readonly<Record<string, number>>
  /** While the fault lasts; null without one. */
  readonly underFault: { readonly answeredShare: number; readonly usefulShare: number; readonly goodputPerS: number } | null
}

/** When things happened in a run (ms from its start). */
export interface RunTimes {
  readonly durationMs: number
  readonly warmupMs: number
  readonly promiseMs: number
  /** Of the first fault's start to the last one's end; null without a fault. */
  readonly fault: { readonly fromMs: number; readonly toMs: number } | null
}

/** What a run left behind. */
export interface RunFacts {
  readonly name: string
  readonly times: RunTimes
  readonly requests: readonly SentRequest[]
  /** Of each service: at the end of the warm-up, and at the end. */
  readonly services: Readonly<Record<string, { readonly from: Counters; readonly to: Counters; readonly isOurs: boolean }>>
}

/** Turns the facts of a run into numbers. */
export function summarize({ name, times, requests, services }: RunFacts): ArmSummary {
  const { durationMs, warmupMs, promiseMs, fault } = times
  const counted = between(requests, warmupMs, durationMs)
  const whole = sharesOf(counted, promiseMs, durationMs - warmupMs)
  const latencies = counted
    .filter(({ end }) => end === 'full' || end === 'degraded')
    .map(({ latencyMs }) => latencyMs)
    .sort((a, b) => a - b)
  const added = Object.entries(services).map(([service, { from, to, isOurs }]) => ({ service, isOurs, counters: addedSince(from, to) }))
  const ours = added.filter(({ isOurs }) => isOurs)
  return {
    name,
    ...whole,
    degradedShare: share(counted, (one) => isUseful(one, promiseMs) && one.end === 'degraded'),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    recoveryMs: fault === null ? null : recoveryMs(requests, { promiseMs, warmupMs, durationMs, faultFromMs: fault.fromMs, faultToMs: fault.toMs }),
    orphanedShare: ratio(
      ours.reduce((sum, { counters }) => sum + counters.orphanedMs, 0),
      ours.reduce((sum, { counters }) => sum + counters.busyMs, 0),
    ),
    amplification: Object.fromEntries(added.map(({ service, counters }) => [service, ratio(counters.arrivals, counted.length)])),
    underFault: fault === null ? null : sharesOf(between(requests, fault.fromMs, fault.toMs), promiseMs, fault.toMs - fault.fromMs),
  }
}

function between(requests: readonly SentRequest[], fromMs: number, toMs: number): readonly SentRequest[] {
  return requests.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs)
}

function sharesOf(requests: readonly SentRequest[], promiseMs: number, lengthMs: number): { answeredShare: number; usefulShare: number; goodputPerS: number } {
  const isAnswered = ({ end, latencyMs }: SentRequest): boolean => latencyMs <= promiseMs && (end === 'full' || end === 'degraded' || end === 'failed')
  const useful = requests.filter((one) => isUseful(one, promiseMs)).length
  return { answeredShare: share(requests, isAnswered), usefulShare: ratio(useful, requests.length), goodputPerS: (useful * 1000) / lengthMs }
}

function share(requests: readonly SentRequest[], is: (request: SentRequest) => boolean): number {
  return ratio(requests.filter(is).length, requests.length)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
