import type { Source } from '../../model/sourced.js'
import type { Project } from './project.js'

const COMPILED = /\bexports,\s*["']__esModule["']|\/\/# sourceMappingURL=\S+\s*$/
const SOURCE = /(?<!\.d)\.[cm]?tsx?$/
const WRITTEN = /\.[cm]?js$/
const ENDING = /\.[cm]?[jt]sx?$/
/** How much of a text's start and end is looked at. */
const EDGE = 2000
/** A folder is what a compiler makes of another one where so many of its files, and this share of them, have their like there. */
const MIN_FILES = 3
const MIN_SHARE = 0.6

/** Tells files that a compiler wrote from another file that is there, too: what they say is said there. */
export function compiledAmong({ sources, packageOf }: Pick<Project, 'sources' | 'packageOf'>): (source: Source) => boolean {
  const byName = new Map<string, string[]>()
  for (const { file } of sources) {
    if (!SOURCE.test(file)) continue
    const name = nameOf(file)
    byName.set(name, [...(byName.get(name) ?? []), file])
  }
  const isInCompiled = compiledFolders(
    sources.flatMap(({ file }) => (WRITTEN.test(file) ? [file] : [])),
    (file) => (byName.get(nameOf(file)) ?? []).filter((source) => packageOf(source) === packageOf(file)),
  )
  return ({ file, text }) => {
    if (!WRITTEN.test(file) || !byName.has(nameOf(file))) return false
    return COMPILED.test(text.slice(0, EDGE)) || COMPILED.test(text.slice(-EDGE)) || isInCompiled(file)
  }
}

/** The name without its ending, and the folder it stands in: `routes/orders`. */
function nameOf(file: string): string {
  return file.replace(ENDING, '').split('/').slice(-2).join('/')
}

/** Tells files of `backend/`, most of which have the names that files of `server/` in the same package have. */
function compiledFolders(written: readonly string[], likesOf: (file: string) => readonly string[]): (file: string) => boolean {
  const likes = new Map<string, number>()
  for (const file of written) {
    const folders = new Set(likesOf(file).map((source) => folderApart(file, source)))
    for (const folder of folders) if (folder !== '') likes.set(folder, (likes.get(folder) ?? 0) + 1)
  }
  const isOf = (file: string, folder: string) => file.startsWith(`${folder}/`)
  const found = [...likes].filter(
    ([folder, count]) => count >= MIN_FILES && count >= MIN_SHARE * written.filter((file) => isOf(file, folder)).length,
  )
  return (file) => found.some(([folder]) => isOf(file, folder))
}

/** The folder of a file from which on its path is that of a source elsewhere; empty where both stand in one folder. */
function folderApart(file: string, source: string): string {
  const [a, b] = [file.replace(ENDING, '').split('/'), source.replace(ENDING, '').split('/')]
  let same = 0
  while (same < Math.min(a.length, b.length) && a.at(-1 - same) === b.at(-1 - same)) same++
  return same === a.length || same === b.length ? '' : a.slice(0, a.length - same).join('/')
}
