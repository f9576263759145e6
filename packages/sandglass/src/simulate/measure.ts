import { added, JOURNEY, OPERATION, type Stock, spentMs, timeQuantile } from './counters.js'
import type { World } from './world.js'

/** What is measured of a journey between two instants; `N` is a number, or one with its interval. */
export interface JourneyMeasures<N = number> {
  readonly offered: N
  /** Answered well, in time or not: succeeded + degraded + late. */
  readonly answered: N
  /** Answered well and in time, nothing missing. */
  readonly succeeded: N
  /** Answered in time, from a fallback or without something optional. */
  readonly degraded: N
  readonly failed: N
  /** Answered after the promise. */
  readonly late: N
  /** succeeded / offered, at most 1. */
  readonly successShare: N
  /** succeeded + degraded, per second. */
  readonly goodputPerS: N
  readonly p50Ms: N | null
  readonly p90Ms: N | null
  readonly p99Ms: N | null
  /** Tries of the calls of its first operation per call; 1 where it makes none. */
  readonly attemptsPerRequest: N
  readonly recoveryMs: N | null
}

/** What is measured of an operation. */
export interface OperationMeasures<N = number> {
  readonly arrivals: N
  /** arrivals per request offered. */
  readonly amplification: N
  readonly started: N
  /** Ran to the end, well or not. */
  readonly completed: N
  /** Answered well to a caller that still waited; to a user within the promise. */
  readonly useful: N
  readonly orphanedMs: N
  /** Share of those let in that had to wait. */
  readonly waitShare: N
  /** Over all that were started, those that did not wait included. */
  readonly meanWaitMs: N
  readonly p99WaitMs: N | null
  readonly meanQueue: N
  readonly busyMean: N
  /** Refused at the door or after waiting too long. */
  readonly rejected: N
  /** Dropped by admission when their turn came. */
  readonly expiredDropped: N
  readonly breakerOpenMs: N
}

/** All that is measured between two instants. */
export interface Measures<N = number> {
  readonly journeys: Readonly<Record<string, JourneyMeasures<N>>>
  readonly operations: Readonly<Record<string, OperationMeasures<N>>>
}

/** Measures one stretch of a run; `recoveryMs` by journey is found elsewhere and handed in. */
export function measure(world: World, from: Stock, to: Stock, recoveryMs: ReadonlyMap<string, number>): Measures {
  const offered = world.journeys.reduce((sum, { base }) => sum + added(from, to, base + JOURNEY.offered), 0)
  return {
    journeys: Object.fromEntries(
      world.journeys.map((journey) => [
        journey.name,
        measureJourney(journey.base, journey.histogram, from, to, recoveryMs.get(journey.name) ?? null),
      ]),
    ),
    operations: Object.fromEntries(world.operations.map((operation) => [operation.id, measureOperation(operation, from, to, offered)])),
  }
}

function measureJourney(base: number, histogram: number, from: Stock, to: Stock, recoveryMs: number | null): JourneyMeasures {
  const count = (place: number) => added(from, to, base + place)
  const [offered, succeeded, degraded, late] = [
    count(JOURNEY.offered),
    count(JOURNEY.succeeded),
    count(JOURNEY.degraded),
    count(JOURNEY.late),
  ]
  return {
    offered,
    answered: succeeded + degraded + late,
    succeeded,
    degraded,
    failed: count(JOURNEY.failed),
    late,
    successShare: Math.min(1, ratio(succeeded, offered)),
    goodputPerS: ratio((succeeded + degraded) * 1000, to.at - from.at),
    p50Ms: timeQuantile(from, to, histogram, 0.5),
    p90Ms: timeQuantile(from, to, histogram, 0.9),
    p99Ms: timeQuantile(from, to, histogram, 0.99),
    attemptsPerRequest: count(JOURNEY.calls) === 0 ? 1 : ratio(count(JOURNEY.attempts), count(JOURNEY.calls)),
    recoveryMs,
  }
}

function measureOperation(
  operation: { base: number; index: number; waitHistogram: number },
  from: Stock,
  to: Stock,
  offered: number,
): OperationMeasures {
  const { base, index } = operation
  const count = (place: number) => added(from, to, base + place)
  const spent = (place: number) => Math.max(0, spentMs(from, to, base + place))
  const lengthMs = to.at - from.at
  return {
    arrivals: count(OPERATION.arrivals),
    amplification: ratio(count(OPERATION.arrivals), offered),
    started: count(OPERATION.started),
    completed: count(OPERATION.completed),
    useful: count(OPERATION.useful),
    orphanedMs: spent(OPERATION.orphanNow),
    waitShare: ratio(count(OPERATION.waited), count(OPERATION.entered)),
    meanWaitMs: ratio(count(OPERATION.waitMs), count(OPERATION.started)),
    p99WaitMs: timeQuantile(from, to, operation.waitHistogram, 0.99),
    meanQueue: ratio(spent(OPERATION.queuedNow), lengthMs),
    busyMean: ratio(spent(OPERATION.busyNow), lengthMs),
    rejected: count(OPERATION.rejected),
    expiredDropped: count(OPERATION.dropped),
    breakerOpenMs: to.breakerOpenMs[index]! - from.breakerOpenMs[index]!,
  }
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
