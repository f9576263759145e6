import { formatDuration } from '@sandglass/runtime/core'
import type { Fault, Scenario } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import type { Interval } from '../simulate/interval.js'
import type { SimulateIntervals, SimulateResult } from '../simulate/simulate.js'
import type { SweepResult } from '../simulate/sweep.js'

/** A fault in words, and when it holds. */
export interface FaultFact {
  readonly text: string
  readonly atMs: number
  readonly endsAtMs: number
}

/** The scenario as a report tells it. */
export interface ScenarioFacts {
  readonly name: string
  readonly durationMs: number
  readonly warmupMs: number
  /** One line: load, arrivals, length. */
  readonly summary: string
  readonly faults: readonly FaultFact[]
}

/** One chain's result, and what the chain is called; the name is empty where there is only one. */
export interface ReportArm {
  readonly name: string
  readonly result: SimulateResult | SimulateIntervals
}

/** What a report of `simulate` shows: one arm or several, or a sweep. */
export interface SimulateReport {
  readonly facts: ScenarioFacts
  readonly arms: readonly ReportArm[]
  readonly sweep: SweepResult | null
  readonly notes: readonly Note[]
}

/** What stands for a number in a result. */
export type Measured = number | Interval | null | undefined

/** The number, or the mean of an interval; null where there is none. */
export function meanOf(value: Measured): number | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? value : value.mean
}

/** The entries of a record of measures, whichever kind of numbers it has. */
export function entriesOf<R extends Readonly<Record<string, unknown>>>(record: R): readonly (readonly [name: string, value: R[string]])[] {
  return Object.entries(record) as [string, R[string]][]
}

/** Half the width of an interval; 0 for a plain number. */
export function halfWidthOf(value: Measured): number {
  return value === null || value === undefined || typeof value === 'number' ? 0 : value.high - value.mean
}

/** Values over time: those of one seed, or the means of several. */
export function seriesOf(values: readonly number[] | { readonly mean: readonly number[] } | undefined): readonly number[] {
  if (values === undefined) return []
  return 'mean' in values ? values.mean : values
}

/** A scenario in the words of a report. */
export function factsOf(scenario: Scenario, load: readonly { readonly name: string; readonly perS: readonly number[] }[]): ScenarioFacts {
  const durationMs = scenario.durationMs.value
  const rates = load.map(({ name, perS }) => `${name} ${perS.map((rate) => `${tidy(rate)}/s`).join(', then ')}`)
  return {
    name: scenario.name,
    durationMs,
    warmupMs: scenario.warmupMs.value,
    summary: `${rates.join('; ')}, ${scenario.arrivals.value} arrivals, ${formatDuration(durationMs)}${scenario.warmupMs.value > 0 ? `, counted after ${formatDuration(scenario.warmupMs.value)}` : ''}`,
    faults: scenario.faults.map((fault) => ({
      text: faultText(fault),
      atMs: fault.atMs.value,
      endsAtMs: Math.min(durationMs, fault.atMs.value + (fault.forMs?.value ?? Number.POSITIVE_INFINITY)),
    })),
  }
}

function faultText({ on, latency, capacity, slots, errors, hang, down }: Fault): string {
  const parts: string[] = []
  if (latency)
    parts.push('times' in latency.value ? `latency x${tidy(latency.value.times)}` : `latency +${formatDuration(latency.value.addMs)}`)
  if (capacity) parts.push(`capacity x${tidy(capacity.value)}`)
  if (slots) parts.push(`${slots.value} slots`)
  if (errors) parts.push(`${tidy(errors.value * 100)} % errors`)
  if (hang) parts.push(`${tidy(hang.value * 100)} % hang`)
  if (down?.value) parts.push('down')
  return `${on.value}: ${parts.join(', ')}`
}

function tidy(value: number): string {
  return String(Number(value.toPrecision(6)))
}
