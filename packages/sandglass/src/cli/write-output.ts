import { reasonOf } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** Writes a report to a file, or to stdout where `file` is null; throws `Unusable` where the file cannot be written. */
export function writeOutput(text: string, file: string | null, system: System): void {
  if (file === null) {
    system.stdout.write(text)
    return
  }
  try {
    system.folders.write(file, text)
  } catch (error) {
    throw new Unusable([`${file}: cannot be written: ${reasonOf(error)}`])
  }
}
