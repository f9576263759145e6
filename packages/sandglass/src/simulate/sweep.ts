import type { Chain } from '../model/chain.js'
import type { Note, Problem } from '../model/diagnostic.js'
import { type SimulateIntervals, type SimulateOptions, type SimulateResult, simulate } from './simulate.js'
import type { Sweep, SweepUnit } from './sweep-target.js'

/** One point: the result without its series. */
export type SweepPoint = { readonly value: number } & (Omit<SimulateResult, 'series'> | Omit<SimulateIntervals, 'series'>)

/** A curve. */
export interface SweepResult {
  readonly schemaVersion: 1
  readonly scenario: string
  readonly sweep: { readonly target: string; readonly unit: SweepUnit }
  readonly points: readonly SweepPoint[]
}

/** What came of it. */
export type Swept =
  | { readonly ok: true; readonly result: SweepResult; readonly notes: readonly Note[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Runs a scenario once for each value of a sweep, with the same seeds, so that the points differ by the value alone. */
export function runSweep(chain: Chain, sweep: Sweep, options: SimulateOptions = {}): Swept {
  const { onProgress = () => {} } = options
  const points: SweepPoint[] = []
  let notes: readonly Note[] = []
  let scenarioName = ''
  for (const [i, value] of sweep.values.entries()) {
    const { scenario, adjustment } = sweep.at(value)
    const simulated = simulate(chain, scenario, {
      ...options,
      adjustment,
      onProgress: (share) => onProgress((i + share) / sweep.values.length),
    })
    if (!simulated.ok) return simulated
    const { series: _, ...rest } = simulated.result
    points.push({ value, ...rest })
    scenarioName = scenario.name
    notes = simulated.notes
  }
  return {
    ok: true,
    result: { schemaVersion: 1, scenario: scenarioName, sweep: { target: sweep.target, unit: sweep.unit }, points },
    notes,
  }
}
