import { reasonOf } from './read-text.js'
import { refuseLoss } from './refuse-loss.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** What nothing that is written here is called: source code, and what package managers and compilers read. */
const OF_OTHERS =
  /\.([cm]?[jt]sx?|vue|svelte|astro|go|java|kt|py|rb|php|rs|cs|c|cpp|h|prisma|sh)$|(^|\/)(package(-lock)?|npm-shrinkwrap|[tj]sconfig)\.json$/

/**
 * Writes what was made to a file, or to stdout where `file` is null; throws `Unusable` where the file cannot be written, or is source code that
 * would be lost.
 */
export function writeOutput(text: string, file: string | null, system: System): void {
  if (file === null) {
    system.stdout.write(text)
    return
  }
  refuseLoss(file, OF_OTHERS, system)
  try {
    system.folders.write(file, text)
  } catch (error) {
    throw new Unusable([`${file}: cannot be written: ${reasonOf(error)}`])
  }
}
