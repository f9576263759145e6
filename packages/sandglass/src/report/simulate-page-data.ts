import { entriesOf, type ReportArm, type SimulateReport, seriesOf } from './simulate-report.js'

/** Points a chart shows at most; a longer series is thinned by means. */
const MOST_POINTS = 1200

/** What the script of a page draws, as plain data: short numbers, only the series that are shown. */
export function pageData(report: SimulateReport): unknown {
  const { facts, arms, sweep } = report
  const faults = facts.faults.map(({ text, atMs, endsAtMs }) => ({ text, from: atMs / 1000, to: endsAtMs / 1000 }))
  if (sweep !== null) {
    const points = sweep.points.map(({ value, journeys, operations }) => ({
      value,
      journeys: mapped(journeys, ({ goodputPerS, successShare, p99Ms, attemptsPerRequest }) => ({
        goodputPerS,
        successShare,
        p99Ms,
        attemptsPerRequest,
      })),
      operations: mapped(operations, ({ completed }) => ({ completed })),
    }))
    return { kind: 'sweep', unit: sweep.sweep.unit, warmup: 0, faults: [], counted: (facts.durationMs - facts.warmupMs) / 1000, points }
  }
  const windows = Math.max(
    1,
    ...arms.flatMap(({ result }) => entriesOf(result.series.services).map(([, { busy }]) => seriesOf(busy).length)),
  )
  const thin = Math.ceil(windows / MOST_POINTS)
  return {
    kind: 'time',
    warmup: facts.warmupMs / 1000,
    window: ((arms[0]?.result.series.windowMs ?? 1000) / 1000) * thin,
    faults,
    arms: arms.map(({ name, result }) => ({
      name,
      journeys: mapped(result.series.journeys, ({ goodputPerS }) => ({ goodputPerS: thinned(goodputPerS, thin) })),
      services: mapped(result.series.services, ({ busy, queue }, service) => ({
        slots: result.resources[service]?.slots ?? null,
        busy: thinned(busy, thin),
        queue: thinned(queue, thin),
        perRequest: thinnedList(perRequest(result, service), thin),
      })),
    })),
  }
}

/** What reaches a service in a window per request that entered the chain in it; 0 where none did. */
function perRequest({ series }: ReportArm['result'], service: string): number[] {
  const offered = summed(entriesOf(series.journeys).map(([, journey]) => seriesOf(journey.offered)))
  const operations = entriesOf(series.operations).filter(([id]) => id.startsWith(`${service}.`))
  const arrivals = summed(operations.map(([, operation]) => seriesOf(operation.arrivals)))
  return arrivals.map((value, i) => (offered[i] ? value / offered[i] : 0))
}

function summed(lists: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length }, (_, i) => lists.reduce((sum, list) => sum + (list[i] ?? 0), 0))
}

function mapped<R extends Readonly<Record<string, unknown>>, U>(from: R, change: (value: R[string], name: string) => U): Record<string, U> {
  return Object.fromEntries(entriesOf(from).map(([name, value]) => [name, change(value, name)]))
}

type Values = readonly number[] | { readonly mean: readonly number[]; readonly low: readonly number[]; readonly high: readonly number[] }

function thinned(values: Values, by: number): unknown {
  if (!('mean' in values)) return thinnedList(values, by)
  return { mean: thinnedList(values.mean, by), low: thinnedList(values.low, by), high: thinnedList(values.high, by) }
}

function thinnedList(values: readonly number[], by: number): number[] {
  const out: number[] = []
  for (let from = 0; from < values.length; from += by) {
    const part = values.slice(from, from + by)
    out.push(rounded(part.reduce((sum, value) => sum + value, 0) / part.length))
  }
  return out
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
