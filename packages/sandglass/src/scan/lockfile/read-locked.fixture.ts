import type { Lockfile } from './lockfile.js'
import { type LockfileSurroundings, readLockfile } from './read-lockfile.js'

/** Reads a lockfile that a test expects to be one. */
export function readLocked(file: string, text: string, surroundings: LockfileSurroundings = {}): Lockfile {
  const read = readLockfile({ file, text }, surroundings)
  if ('message' in read) throw new Error(read.message)
  return read
}
