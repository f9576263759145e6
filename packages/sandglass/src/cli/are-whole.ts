import { folderOf } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { packageJsonOf } from './json-at.js'

/** How far up is looked. */
const MAX_LEVELS = 8

/** True for folders that are not part of a package or workspace above them, so that what may use their files is in them. */
export function areWhole(args: readonly string[], folders: Folders): boolean {
  return (args.length === 0 ? ['.'] : args).every((arg) => above(arg).every((folder) => packageJsonOf(folder, folders) === null))
}

function above(path: string): readonly string[] {
  const up: string[] = []
  for (let at = folderOf(path); up.length < MAX_LEVELS; at = folderOf(at)) up.push(at)
  return up
}
