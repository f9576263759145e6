import { entriesOf, memberOf, strictJson } from '../scan/lockfile/json-text.js'
import { jsonAt } from './json-at.js'
import type { System } from './system.js'

/** What a request stands for by the `paths` and the `baseUrl` of the nearest `tsconfig.json`: paths from the current folder, the first that exists counts. */
export type PathsOf = (request: string, fromFile: string) => readonly string[]

interface Aliases {
  readonly folder: string
  readonly baseUrl: string | null
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[]
}

/**
 * Reads `paths` without what a `tsconfig` extends: where that is a package that is not installed, a resolver gives up on all of it.
 */
export function tsconfigPaths(system: System): PathsOf {
  const known = new Map<string, Aliases | null>()

  function aliasesOf(folder: string): Aliases | null {
    const before = known.get(folder)
    if (before !== undefined) return before
    const own = read(folder)
    const found = own ?? (folder === '' ? null : aliasesOf(folderAbove(folder)))
    known.set(folder, found)
    return found
  }

  function read(folder: string): Aliases | null {
    const file = folder === '' ? 'tsconfig.json' : `${folder}/tsconfig.json`
    const options = memberOf(jsonAt(file, system.folders, strictJson), 'compilerOptions')
    const baseUrl = memberOf(options, 'baseUrl')
    const paths = entriesOf(memberOf(options, 'paths')).map(([pattern, targets]) => [pattern, textsOf(targets)] as const)
    if (typeof baseUrl !== 'string' && paths.length === 0) return null
    return { folder, baseUrl: typeof baseUrl === 'string' ? baseUrl : null, paths }
  }

  return (request, fromFile) => {
    const aliases = /^\.{0,2}\//.test(request) ? null : aliasesOf(folderAbove(fromFile))
    if (!aliases) return []
    const { folder, baseUrl, paths } = aliases
    const base = joined(folder, baseUrl ?? '.')
    const mapped = paths.flatMap(([pattern, targets]) => matches(pattern, targets, request)).map((target) => joined(base, target))
    return baseUrl === null ? mapped : [...mapped, joined(base, request)]
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** `@/*` with `src/*` makes `src/db` of `@/db`. */
function matches(pattern: string, targets: readonly string[], request: string): readonly string[] {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === request ? targets : []
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  if (!request.startsWith(before) || !request.endsWith(after) || request.length < before.length + after.length) return []
  const middle = request.slice(before.length, request.length - after.length)
  return targets.map((target) => target.replace('*', () => middle))
}

function folderAbove(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of [...folder.split('/'), ...path.split('/')]) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else parts.push(part)
  }
  return (folder.startsWith('/') ? '/' : '') + parts.join('/')
}
