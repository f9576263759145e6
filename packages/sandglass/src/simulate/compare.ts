import type { Chain, Scenario } from '../model/chain.js'
import type { Note, Problem } from '../model/diagnostic.js'
import { type SimulateIntervals, type SimulateOptions, type SimulateResult, simulate } from './simulate.js'

/** A chain to compare, and what it is called. */
export interface Arm {
  readonly name: string
  readonly chain: Chain
}

/** Several chains under the same load. */
export interface CompareResult {
  readonly schemaVersion: 1
  readonly scenario: string
  readonly arms: readonly ({ readonly name: string } & (SimulateResult | SimulateIntervals))[]
}

/** What came of it. */
export type ComparedArms =
  | { readonly ok: true; readonly result: CompareResult; readonly notes: readonly Note[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Runs one scenario on several chains with the same seeds: requests arrive at the same instants in every arm, so that what
 * differs is the chains alone.
 */
export function runCompare(arms: readonly Arm[], scenario: Scenario, options: SimulateOptions = {}): ComparedArms {
  const { onProgress = () => {} } = options
  const results: CompareResult['arms'][number][] = []
  const notes: Note[] = []
  const load = scenario.load.size > 0 || !arms[0] ? scenario : { ...scenario, load: ownLoad(arms[0].chain) }
  for (const [i, { name, chain }] of arms.entries()) {
    const simulated = simulate(chain, load, { ...options, onProgress: (share) => onProgress((i + share) / arms.length) })
    if (!simulated.ok) return i === 0 ? simulated : { ok: false, problems: simulated.problems.map((problem) => inArm(problem, name)) }
    results.push({ name, ...simulated.result })
    for (const note of simulated.notes) if (!notes.some(({ message }) => message === note.message)) notes.push(note)
  }
  return { ok: true, result: { schemaVersion: 1, scenario: scenario.name, arms: results }, notes }
}

/** Where a scenario of the first file does not suit another chain, that has to be named. */
function inArm(problem: Problem, name: string): Problem {
  return { ...problem, message: `compared with ${name}: ${problem.message}` }
}

/** The rates of the first chain, for all. */
function ownLoad(chain: Chain): Scenario['load'] {
  const load = new Map<
    string,
    { value: { atMs: number; ratePerS: number }[]; origin: NonNullable<Chain['journeys'][number]['ratePerS']>['origin'] }
  >()
  for (const { name, ratePerS } of chain.journeys) {
    if (typeof ratePerS?.value === 'number') load.set(name, { value: [{ atMs: 0, ratePerS: ratePerS.value }], origin: ratePerS.origin })
  }
  return load
}
