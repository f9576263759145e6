import { breakerOpenMs } from '@sandglass/runtime/core'
import type { Chain, Scenario } from '../model/chain.js'
import type { Adjustment } from './adjustment.js'
import { buildWorld } from './build-world.js'
import { goOn, serveCallSlots, stopWaitingForSlot, takeAnswer, timeOut } from './call.js'
import { countTime, JOURNEY, OPERATION, type Stock } from './counters.js'
import { nextEvent, scheduleEvent } from './event-queue.js'
import { applyFaults, scheduleFaults } from './faults.js'
import { freeJob, takeJob } from './pools.js'
import { createSeries, noteWindow, type Series, windowMsOf } from './series.js'
import { arrive, giveUpQueueing, startBudget } from './serve.js'
import { endByLimit, endWork, takeCallEnd } from './steps.js'
import { EVENT, type Job, type SimJourney, TIME, type World } from './world.js'

/** What one run leaves behind: the counters at each cut after the warm-up, and the series. */
export interface RunRecord {
  readonly seed: number
  readonly world: World
  /** At the end of the warm-up, at the end of each batch. */
  readonly stocks: readonly Stock[]
  readonly series: Series
  readonly events: number
  /** Where the run was broken off, and why; null usually. */
  readonly brokenOff: BrokenOff | null
}

/** A run that does not get to its end: `stuck` where time no longer goes on, `crowded` where more is under way than memory should hold. */
export interface BrokenOff {
  readonly why: 'stuck' | 'crowded'
  readonly atMs: number
}

/** More events than this at one instant are a loop of calls that fail at once and are tried again at once. */
export const MOST_AT_ONCE = 2_000_000

/** More operations than this under way at one time (about 1.5 GB) are a queue that only grows. */
export const MOST_UNDER_WAY = 3_000_000

/** Called with the share of the run (0 to 1) that is done. */
export type OnProgress = (share: number) => void

/** How to run it. */
export interface RunOptions {
  readonly seed: number
  /** Cuts what comes after the warm-up into so many equal parts. */
  readonly batches: number
  readonly adjustment: Adjustment
  readonly onProgress: OnProgress
  /** Breaks the run off where more operations are under way; default `MOST_UNDER_WAY`. */
  readonly mostUnderWay?: number
}

/** Runs one scenario with one seed, in virtual time. */
export function runOnce(chain: Chain, scenario: Scenario, options: RunOptions): RunRecord {
  const { seed, batches, adjustment, onProgress, mostUnderWay = MOST_UNDER_WAY } = options
  const world = buildWorld(chain, scenario, seed, adjustment)
  const warmupMs = scenario.warmupMs.value
  const windowMs = windowMsOf(world.endAt)
  const series = createSeries(world, windowMs)
  const stocks: Stock[] = []
  const baseline = world.operations.map(({ errorShare, hangShare }) => ({ errorShare, hangShare }))
  // What comes first of an instant is scheduled first: a cut, then faults, then requests.
  for (let cut = 0; cut < batches; cut++) scheduleEvent(world.queue, warmupMs + (cut * (world.endAt - warmupMs)) / batches, EVENT.cut, 0)
  scheduleFaults(world, scenario.faults)
  for (const journey of world.journeys) scheduleArrival(world, journey)
  scheduleEvent(world.queue, windowMs, EVENT.tick, 0)
  const { queue } = world
  let why: BrokenOff['why'] | null = null
  let atOnce = 0
  while (nextEvent(queue)) {
    if (queue.at > world.endAt) break
    atOnce = queue.at === world.now ? atOnce + 1 : 0
    why = troubleOf(atOnce, world.jobs.length, mostUnderWay)
    if (why !== null) break
    world.now = queue.at
    const { kind, handle } = queue
    if (kind === EVENT.cut) stocks.push(takeStock(world))
    else if (kind === EVENT.faultChange) applyFaults(world, scenario.faults, baseline)
    else if (kind === EVENT.tick) {
      noteWindow(world, series)
      onProgress(world.now / world.endAt)
      scheduleEvent(queue, world.now + windowMs, EVENT.tick, 0)
    } else dispatch(world, kind, handle)
  }
  const brokenOff = why === null ? null : { why, atMs: world.now }
  world.now = world.endAt
  stocks.push(takeStock(world))
  return { seed, world, stocks, series, events: queue.taken, brokenOff }
}

function troubleOf(atOnce: number, underWay: number, mostUnderWay: number): BrokenOff['why'] | null {
  if (atOnce > MOST_AT_ONCE) return 'stuck'
  return underWay > mostUnderWay ? 'crowded' : null
}

function dispatch(world: World, kind: number, handle: number): void {
  switch (kind) {
    case EVENT.arrival:
      beginRequest(world, world.journeys[handle]!)
      return
    case EVENT.deliver:
      arrive(world, world.jobs[handle]!)
      return
    case EVENT.workDone:
      endWork(world, world.jobs[handle]!)
      return
    case EVENT.answer:
      passAnswer(world, world.jobs[handle]!)
      return
    case EVENT.attemptTimeout:
      timeOut(world, world.runs[handle]!)
      return
    case EVENT.callEnded:
      takeCallEnd(world, world.runs[handle]!)
      return
    default:
      dispatchRare(world, kind, handle)
  }
}

function dispatchRare(world: World, kind: number, handle: number): void {
  switch (kind) {
    case EVENT.backoffOver:
      goOn(world, world.runs[handle]!)
      return
    case EVENT.queueGiveUp:
      giveUpQueueing(world, world.jobs[handle]!)
      return
    case EVENT.handlerLimit:
      endByLimit(world, world.jobs[handle]!)
      return
    case EVENT.slotGiveUp:
      stopWaitingForSlot(world, world.runs[handle]!)
      return
    case EVENT.slotFree:
      serveCallSlots(world, world.calls[handle]!)
      return
    default:
      throw new Error(`no event is of kind ${kind}`)
  }
}

function scheduleArrival(world: World, journey: SimJourney): void {
  const at = journey.nextArrival()
  if (at < world.endAt) scheduleEvent(world.queue, at, EVENT.arrival, journey.index)
}

function beginRequest(world: World, journey: SimJourney): void {
  scheduleArrival(world, journey)
  world.counters.counts[journey.base + JOURNEY.offered]! += 1
  const job = takeJob(world, journey.start)
  job.journey = journey
  if (journey.budgetMs < Number.POSITIVE_INFINITY) startBudget(world, job, journey.budgetMs)
  arrive(world, job)
}

/** An answer has come back to the run that waits for it, or to the user. */
function passAnswer(world: World, job: Job): void {
  if (job.run !== null) takeAnswer(world, job.run, job)
  else {
    if (job.journey !== null) endRequest(world, job.journey, job)
    freeJob(world, job)
  }
}

function endRequest(world: World, journey: SimJourney, job: Job): void {
  const { counts } = world.counters
  const tookMs = world.now - world.times[job.handle * TIME.size + TIME.arrivedAt]!
  if (job.failure !== null) {
    counts[journey.base + JOURNEY.failed]! += 1
    return
  }
  countTime(world.counters, journey.histogram, tookMs)
  const isLate = tookMs > journey.promiseMs
  const place = isLate ? JOURNEY.late : job.isDegraded ? JOURNEY.degraded : JOURNEY.succeeded
  counts[journey.base + place]! += 1
  if (!isLate) counts[job.operation.base + OPERATION.useful]! += 1
}

function takeStock(world: World): Stock {
  const breakerOpen = new Float64Array(world.operations.length)
  for (const { breaker, to } of world.calls) if (breaker !== null) breakerOpen[to.index]! += breakerOpenMs(breaker, world.now)
  return {
    at: world.now,
    taken: world.queue.taken,
    counts: world.counters.counts.slice(),
    histograms: world.counters.histograms.slice(),
    breakerOpenMs: breakerOpen,
  }
}
