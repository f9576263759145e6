import { JOURNEY, OPERATION } from './counters.js'
import type { SimOperation, World } from './world.js'

/** Most windows that are kept; a longer run has longer windows. */
export const MOST_WINDOWS = 3600

/** A journey window by window. */
export interface JourneySeries {
  readonly offered: number[]
  /** Answered in time, per second; degraded answers included. */
  readonly goodputPerS: number[]
  readonly failed: number[]
  readonly late: number[]
  readonly degraded: number[]
  /** Tries of the outermost calls per request that made one. */
  readonly attemptsPerRequest: number[]
}

/** A service window by window. */
export interface ServiceSeries {
  /** Mean number of busy slots and of requests that wait. */
  readonly busy: number[]
  readonly queue: number[]
  readonly longestQueue: number[]
}

/** An operation window by window. */
export interface OperationSeries {
  readonly arrivals: number[]
  /** Mean number of slots that work for callers who have gone. */
  readonly orphaned: number[]
}

/** Everything over time, from the start of the run. */
export interface Series {
  readonly windowMs: number
  readonly journeys: Readonly<Record<string, JourneySeries>>
  readonly services: Readonly<Record<string, ServiceSeries>>
  readonly operations: Readonly<Record<string, OperationSeries>>
}

interface Recorder extends Series {
  before: Float64Array
  beforeAt: number
}

/** The length of a window, ms: a second, or for long runs the next round number with which they fit. */
export function windowMsOf(durationMs: number): number {
  let windowMs = 1000
  for (const factor of [2, 2.5, 2]) if (durationMs / windowMs > MOST_WINDOWS) windowMs *= factor
  while (durationMs / windowMs > MOST_WINDOWS) windowMs *= 10
  return windowMs
}

/** Makes series that are empty. */
export function createSeries(world: World, windowMs: number): Series {
  const recorder: Recorder = {
    windowMs,
    journeys: Object.fromEntries(
      world.journeys.map(({ name }) => [
        name,
        { offered: [], goodputPerS: [], failed: [], late: [], degraded: [], attemptsPerRequest: [] },
      ]),
    ),
    services: Object.fromEntries(world.services.map(({ name }) => [name, { busy: [], queue: [], longestQueue: [] }])),
    operations: Object.fromEntries(world.operations.map(({ id }) => [id, { arrivals: [], orphaned: [] }])),
    before: world.counters.counts.slice(),
    beforeAt: 0,
  }
  return recorder
}

/** Adds the window that ends now. */
export function noteWindow(world: World, series: Series): void {
  const recorder = series as Recorder
  const { before, beforeAt } = recorder
  const { counts } = world.counters
  const { now } = world
  const lengthMs = now - beforeAt
  const gained = (place: number) => counts[place]! - before[place]!
  const mean = (place: number) =>
    Math.max(0, counts[place]! * now - counts[place + 1]! - (before[place]! * beforeAt - before[place + 1]!)) / lengthMs
  for (const { name, base } of world.journeys) {
    const into = recorder.journeys[name]!
    const calls = gained(base + JOURNEY.calls)
    into.offered.push(gained(base + JOURNEY.offered))
    into.goodputPerS.push(((gained(base + JOURNEY.succeeded) + gained(base + JOURNEY.degraded)) * 1000) / lengthMs)
    into.failed.push(gained(base + JOURNEY.failed))
    into.late.push(gained(base + JOURNEY.late))
    into.degraded.push(gained(base + JOURNEY.degraded))
    into.attemptsPerRequest.push(calls > 0 ? gained(base + JOURNEY.attempts) / calls : 0)
  }
  const sum = (operations: readonly SimOperation[], place: number) => operations.reduce((total, { base }) => total + mean(base + place), 0)
  for (const service of world.services) {
    const into = recorder.services[service.name]!
    into.busy.push(sum(service.operations, OPERATION.busyNow))
    into.queue.push(sum(service.operations, OPERATION.queuedNow))
    into.longestQueue.push(Math.max(service.longestQueue, service.slots.queue.size))
    service.longestQueue = service.slots.queue.size
  }
  for (const { id, base } of world.operations) {
    const into = recorder.operations[id]!
    into.arrivals.push(gained(base + OPERATION.arrivals))
    into.orphaned.push(mean(base + OPERATION.orphanNow))
  }
  recorder.before = counts.slice()
  recorder.beforeAt = now
}
