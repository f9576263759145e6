import type { SentRequest } from '../load/sent-request.js'
import { addedSince, type Counters, noCounters } from '../service/counters.js'
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
  /** Shares of the requests sent while the fault lasts, and the useful answers that came per second meanwhile; null without a fault. */
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
  /** So many runs are in these facts together; default 1. */
  readonly runs?: number
  readonly requests: readonly SentRequest[]
  /** Of each service: at the end of the warm-up, and at the end. */
  readonly services: Readonly<Record<string, { readonly from: Counters; readonly to: Counters; readonly isOurs: boolean }>>
}

/** Turns the facts of a run into numbers. */
export function summarize({ name, times, requests, services, runs = 1 }: RunFacts): ArmSummary {
  const { durationMs, warmupMs, promiseMs, fault } = times
  const counted = between(requests, warmupMs, durationMs)
  const whole = sharesOf(counted, promiseMs)
  const latencies = counted
    .filter(({ end }) => end === 'full' || end === 'degraded')
    .map(({ latencyMs }) => latencyMs)
    .sort((a, b) => a - b)
  const added = Object.entries(services).map(([service, { from, to, isOurs }]) => ({ service, isOurs, counters: addedSince(from, to) }))
  const ours = added.filter(({ isOurs }) => isOurs)
  return {
    name,
    ...whole,
    goodputPerS: goodputPerS(requests, promiseMs, warmupMs, durationMs) / runs,
    degradedShare: share(counted, (one) => isUseful(one, promiseMs) && one.end === 'degraded'),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    recoveryMs:
      fault === null ? null : recoveryMs(requests, { promiseMs, warmupMs, durationMs, faultFromMs: fault.fromMs, faultToMs: fault.toMs }),
    orphanedShare: ratio(
      ours.reduce((sum, { counters }) => sum + counters.orphanedMs, 0),
      ours.reduce((sum, { counters }) => sum + counters.busyMs, 0),
    ),
    amplification: Object.fromEntries(added.map(({ service, counters }) => [service, ratio(counters.arrivals, counted.length)])),
    underFault:
      fault === null
        ? null
        : {
            ...sharesOf(between(requests, fault.fromMs, fault.toMs), promiseMs),
            goodputPerS: goodputPerS(requests, promiseMs, fault.fromMs, fault.toMs) / runs,
          },
  }
}

function between(requests: readonly SentRequest[], fromMs: number, toMs: number): readonly SentRequest[] {
  return requests.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs)
}

function sharesOf(requests: readonly SentRequest[], promiseMs: number): { answeredShare: number; usefulShare: number } {
  const isAnswered = ({ end, latencyMs }: SentRequest): boolean =>
    latencyMs <= promiseMs && (end === 'full' || end === 'degraded' || end === 'failed')
  return { answeredShare: share(requests, isAnswered), usefulShare: share(requests, (one) => isUseful(one, promiseMs)) }
}

/** Useful answers that came between two instants, per second. */
function goodputPerS(requests: readonly SentRequest[], promiseMs: number, fromMs: number, toMs: number): number {
  const came = requests.filter(
    (one) => isUseful(one, promiseMs) && one.intendedMs + one.latencyMs >= fromMs && one.intendedMs + one.latencyMs < toMs,
  )
  return ratio(came.length * 1000, toMs - fromMs)
}

function share(requests: readonly SentRequest[], is: (request: SentRequest) => boolean): number {
  return ratio(requests.filter(is).length, requests.length)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** Several runs of an arm as one: all requests, and all counters added up. */
export function pooled(runs: readonly RunFacts[]): RunFacts {
  const first = runs[0]!
  const names = Object.keys(first.services)
  const sum = (of: (facts: RunFacts) => Counters | undefined): Counters =>
    runs.map((facts) => of(facts) ?? noCounters()).reduce(added, noCounters())
  return {
    ...first,
    runs: runs.length,
    requests: runs.flatMap(({ requests }) => requests),
    services: Object.fromEntries(
      names.map((name) => [
        name,
        {
          from: sum(({ services }) => services[name]?.from),
          to: sum(({ services }) => services[name]?.to),
          isOurs: first.services[name]!.isOurs,
        },
      ]),
    ),
  }
}

function added(a: Counters, b: Counters): Counters {
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, value + b[name as keyof Counters]])) as unknown as Counters
}
