import type { Chain, Scenario } from '../model/chain.js'
import type { Note, Problem } from '../model/diagnostic.js'
import type { Adjustment } from './adjustment.js'
import { assumptionsOf } from './assumptions.js'
import { combine } from './combine.js'
import { MOST_AT_ONCE, MOST_UNDER_WAY, type OnProgress, type RunRecord, runOnce } from './engine.js'
import type { Interval } from './interval.js'
import { type JourneyMeasures, type Measures, measure, type OperationMeasures } from './measure.js'
import { policyProblems } from './policy-problems.js'
import { recoveryMsOf } from './recovery.js'
import { scenarioProblems } from './scenario-problems.js'
import type { JourneySeries, OperationSeries, ServiceSeries } from './series.js'

/** How to run a scenario. */
export interface SimulateOptions {
  /** The first seed, a whole number from 0; default 1. */
  readonly seed?: number
  /** So many runs with seeds that follow each other; default 1. With more, every number of the result is an interval. */
  readonly seeds?: number
  /** Instead of several runs, cuts one into so many parts after the warm-up (batch means); default 1. */
  readonly batches?: number
  /** A clock (ms); with it the result has `eventsPerSecond` and so differs from run to run. */
  readonly clock?: () => number
  readonly onProgress?: OnProgress
  /** Where more operations than this are under way at once, the run ends with a problem; default 3 million (about 1.5 GB). */
  readonly mostUnderWay?: number
  /** What is different from the chain, for a sweep. */
  readonly adjustment?: Adjustment
}

/** A service's slots. */
export interface ResourceResult<N = number> {
  /** concurrency x instances; null where unlimited. */
  readonly slots: number | null
  /** First instant from which all were busy for a second, on the run's clock; null where that never was. */
  readonly exhaustedAtMs: N | null
}

/** One scenario's result; `N` is a number for one seed, an interval for several, and `A` a list of either. */
export interface SimulateResult<N = number, A = readonly number[]> {
  readonly schemaVersion: 1
  readonly scenario: string
  readonly seeds: readonly number[]
  readonly events: N
  readonly eventsPerSecond?: N
  readonly journeys: Readonly<Record<string, JourneyMeasures<N>>>
  readonly operations: Readonly<Record<string, OperationMeasures<N>>>
  readonly resources: Readonly<Record<string, ResourceResult<N>>>
  readonly series: {
    readonly windowMs: number
    readonly journeys: Readonly<Record<string, { readonly [P in keyof JourneySeries]: A }>>
    readonly services: Readonly<Record<string, { readonly [P in keyof ServiceSeries]: A }>>
    readonly operations: Readonly<Record<string, { readonly [P in keyof OperationSeries]: A }>>
  }
}

/** A result with intervals. */
export type SimulateIntervals = SimulateResult<Interval, { readonly [P in keyof Interval]: readonly number[] }>

/** What came of it: a result, or why the scenario cannot be run. */
export type Simulated =
  | { readonly ok: true; readonly result: SimulateResult | SimulateIntervals; readonly notes: readonly Note[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Runs a scenario of a chain in virtual time. Deterministic: the same chain, scenario and seed give the same result on every
 * platform, `eventsPerSecond` apart. What is wrong with the scenario comes back as problems; nothing throws.
 */
export function simulate(chain: Chain, scenario: Scenario, options: SimulateOptions = {}): Simulated {
  const problems = [...scenarioProblems(chain, scenario), ...policyProblems(chain)]
  if (problems.length > 0) return { ok: false, problems }
  const { seed = 1, seeds = 1, batches = 1, clock, onProgress = () => {}, adjustment = {}, mostUnderWay = MOST_UNDER_WAY } = options
  const runs: One[] = []
  for (let i = 0; i < seeds; i++) {
    const startedAt = clock?.()
    const record = runOnce(chain, scenario, {
      seed: seed + i,
      batches: seeds > 1 ? 1 : batches,
      adjustment,
      onProgress: (share) => onProgress((i + share) / seeds),
      mostUnderWay,
    })
    const broken = brokenOffProblem(scenario, record, mostUnderWay)
    if (broken !== null) return { ok: false, problems: [broken] }
    const tookMs = clock === undefined || startedAt === undefined ? null : clock() - startedAt
    runs.push(...partsOf(scenario, record, tookMs))
  }
  const seedList = Array.from({ length: seeds }, (_, i) => seed + i)
  return { ok: true, result: resultOf(scenario, seedList, runs), notes: assumptionsOf(chain, scenario) }
}

function brokenOffProblem(scenario: Scenario, { brokenOff, world }: RunRecord, mostUnderWay: number): Problem | null {
  if (brokenOff === null) return null
  const why = brokenOff.why === 'stuck' ? stuckWords() : crowdedWords(world, mostUnderWay)
  const message = `scenario "${scenario.name}" does not get beyond ${Math.round(brokenOff.atMs) / 1000} s: ${why}`
  return { file: scenario.spot.source.file, spot: scenario.spot, message }
}

function stuckWords(): string {
  return `more than ${MOST_AT_ONCE.toLocaleString('en')} things happen at that instant, as where calls fail at once and several layers try again without a wait`
}

/** Names the service whose queue is longest: what grows is usually there. */
function crowdedWords({ services }: RunRecord['world'], mostUnderWay: number): string {
  const fullest = services.reduce((most, service) => (service.slots.queue.size > most.slots.queue.size ? service : most))
  const { size } = fullest.slots.queue
  const waiting = size > 0 ? `, ${size.toLocaleString('en')} of them waiting for a slot of ${fullest.name}` : ''
  return `more than ${mostUnderWay.toLocaleString('en')} operations are under way at once${waiting}; give queues a "limit" and calls a timeout, or run less load or a shorter time`
}

/** What is measured of one run or one batch. */
interface One extends Measures {
  readonly events: number
  readonly eventsPerSecond: number | null
  readonly exhaustedAtMs: Readonly<Record<string, number | null>>
  readonly slots: Readonly<Record<string, number | null>>
  readonly series: SimulateResult['series']
}

function partsOf(scenario: Scenario, record: RunRecord, tookMs: number | null): One[] {
  const { world, stocks, series, events } = record
  const recovery = new Map<string, number>()
  for (const { name } of world.journeys) {
    const ms = recoveryMsOf(scenario, series, name)
    if (ms !== null) recovery.set(name, ms)
  }
  const { windowMs, journeys, services, operations } = series
  const shared = {
    events,
    eventsPerSecond: tookMs === null ? null : (events * 1000) / Math.max(tookMs, 0.001),
    exhaustedAtMs: Object.fromEntries(world.services.map((service) => [service.name, exhaustedAt(service, world.endAt)])),
    slots: Object.fromEntries(world.services.map(({ name, slots }) => [name, finiteOrNull(slots.slots)])),
    series: { windowMs, journeys, services, operations },
  }
  return stocks.slice(1).map((to, i) => ({ ...shared, ...measure(world, stocks[i]!, to, recovery) }))
}

function exhaustedAt({ exhaustedAt, fullSinceAt }: RunRecord['world']['services'][number], endAt: number): number | null {
  if (exhaustedAt >= 0) return exhaustedAt
  return fullSinceAt >= 0 && endAt - fullSinceAt >= 1000 ? fullSinceAt : null
}

function finiteOrNull(value: number): number | null {
  return value === Number.POSITIVE_INFINITY ? null : value
}

const NULL_WINS: ReadonlySet<string> = new Set(['recoveryMs', 'exhaustedAtMs'])

function resultOf(scenario: Scenario, seeds: readonly number[], runs: readonly One[]): SimulateResult | SimulateIntervals {
  const single = runs.length === 1
  const merged = (pick: (one: One) => unknown, name = ''): unknown => (single ? pick(runs[0]!) : combine(runs.map(pick), NULL_WINS, name))
  const { slots, eventsPerSecond, series } = runs[0]!
  const { windowMs } = series
  const parts = (pick: (series: One['series']) => unknown) =>
    single || seeds.length === 1 ? pick(series) : combine(runs.map((run) => pick(run.series)))
  return {
    schemaVersion: 1,
    scenario: scenario.name,
    seeds,
    events: merged((one) => one.events),
    ...(eventsPerSecond === null ? {} : { eventsPerSecond: merged((one) => one.eventsPerSecond) }),
    journeys: merged((one) => one.journeys),
    operations: merged((one) => one.operations),
    resources: Object.fromEntries(
      Object.entries(slots).map(([name, count]) => [
        name,
        { slots: count, exhaustedAtMs: merged((one) => one.exhaustedAtMs[name], 'exhaustedAtMs') },
      ]),
    ),
    series: {
      windowMs,
      journeys: parts(({ journeys }) => journeys),
      services: parts(({ services }) => services),
      operations: parts(({ operations }) => operations),
    },
  } as unknown as SimulateResult
}
