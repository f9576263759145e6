import type { ArmSummary } from '../measure/summary.js'
import type { ArmPair } from './table.js'

/** The document of `--json`; its schema is `apps/lab/schema/lab.schema.json`. */
export interface LabJson {
  readonly schemaVersion: 1
  readonly scenario: string
  /** Requests per second at the peak. */
  readonly rate: number
  readonly runs: number
  readonly arms: readonly ArmSummary[]
  readonly simulated: readonly ArmSummary[]
}

/** Makes the document. */
export function labJson(scenario: string, rate: number, runs: number, pairs: readonly ArmPair[]): LabJson {
  return {
    schemaVersion: 1,
    scenario,
    rate,
    runs,
    arms: pairs.map(({ measured }) => measured),
    simulated: pairs.flatMap(({ simulated }) => (simulated === null ? [] : [simulated])),
  }
}
