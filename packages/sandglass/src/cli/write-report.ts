import { refuseLoss } from './refuse-loss.js'
import type { System } from './system.js'
import { writeOutput } from './write-output.js'

/** What no report is called, but chains and the configs of others are. */
const OF_CHAINS = /\.ya?ml$/i

/**
 * Writes a report, none of which is YAML, to a file, or to stdout where `file` is null; throws `Unusable` where the file cannot be written,
 * or is a chain, a config or source code that would be lost.
 */
export function writeReport(text: string, file: string | null, system: System): void {
  if (file !== null) refuseLoss(file, OF_CHAINS, system)
  writeOutput(text, file, system)
}
