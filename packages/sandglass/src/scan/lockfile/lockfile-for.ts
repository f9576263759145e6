import { folderOf, pathBelow } from './folder-path.js'
import type { Lockfile, PackageManager } from './lockfile.js'

/** Which of two lockfiles in one folder counts: a left-over of npm beside another manager's is the usual accident. */
const RANK: Readonly<Record<PackageManager, number>> = { pnpm: 0, yarn: 1, bun: 2, npm: 3 }

/** The lockfile that decides for a source file: of those in its folder or above it the nearest; null where there is none. */
export function lockfileFor(file: string, lockfiles: readonly Lockfile[]): Lockfile | null {
  return lockfilesFor(file, lockfiles)[0] ?? null
}

/** The lockfiles in a source file's folder or above it, the one that decides first. */
export function lockfilesFor(file: string, lockfiles: readonly Lockfile[]): readonly Lockfile[] {
  const from = folderOf(file)
  return lockfiles.filter(({ folder }) => pathBelow(from, folder) !== null).sort((a, b) => (isNearer(a, b) ? -1 : 1))
}

/** Both are above the same file, so the longer path is the nearer one. */
function isNearer(a: Lockfile, b: Lockfile): boolean {
  if (a.folder !== b.folder) return a.folder.length > b.folder.length
  return RANK[a.manager] < RANK[b.manager] || (a.manager === b.manager && isShrinkwrap(a) && !isShrinkwrap(b))
}

/** npm reads `npm-shrinkwrap.json` where both are there. */
function isShrinkwrap({ source }: Lockfile): boolean {
  return source.file.endsWith('npm-shrinkwrap.json')
}
