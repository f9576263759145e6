import type { Source } from '../model/sourced.js'
import { type Sign, signsOf } from './system-signs.js'

/** Texts that make one system: everything in a folder, but for what lies deeper and is a system of its own. */
export interface SystemTexts {
  /** The folder with a slash at its end; empty for what is left when all others are taken out. */
  readonly folder: string
  readonly sources: readonly Source[]
}

/** Folders below this depth are not told apart. */
const MAX_DEPTH = 12

/**
 * The systems in a folder: examples and workshops keep many side by side, with the same names in each. Two folders are systems of their own
 * where each of them runs something of one name and calls it by that name, or where nobody else calls it.
 */
export function systemsOf(sources: readonly Source[]): readonly SystemTexts[] {
  const signs = new Map<string, Sign[]>()
  for (const sign of signsOf(sources)) signs.set(sign.file, [...(signs.get(sign.file) ?? []), sign])
  if (signs.size < 2) return [{ folder: '', sources }]
  const { rest, found } = split('', 0, sources, signs)
  const builds = sources.filter(({ file }) => BUILD.test(file))
  const whole = found.map(({ folder, sources: own }) => ({ folder, sources: [...own, ...buildsAbove(folder, builds)] }))
  const systems = rest.length > 0 ? [{ folder: '', sources: rest }, ...whole] : whole
  return systems.length > 0 ? systems : [{ folder: '', sources }]
}

const BUILD = /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/

/** Modules inherit versions and properties from the build files above them, whatever system they are of. */
function buildsAbove(folder: string, builds: readonly Source[]): readonly Source[] {
  return builds.filter(({ file }) => {
    const above = file.slice(0, file.lastIndexOf('/') + 1)
    return above !== folder && folder.startsWith(above)
  })
}

interface Split {
  /** What belongs to the folder itself. */
  readonly rest: readonly Source[]
  readonly found: readonly SystemTexts[]
}

function split(folder: string, depth: number, sources: readonly Source[], signs: ReadonlyMap<string, readonly Sign[]>): Split {
  if (depth >= MAX_DEPTH || sources.length < 2) return { rest: sources, found: [] }
  const { own, below } = byFolder(folder, sources)
  const parts = [...below].map(([name, texts]) => ({ folder: name, ...split(name, depth + 1, texts, signs) }))
  const apart = independent(
    parts.map(({ rest }) => rest.flatMap(({ file }) => signs.get(file) ?? [])),
    own.flatMap(({ file }) => signs.get(file) ?? []),
  )
  const systems = parts.filter((_, index) => apart.has(index)).map(({ folder, rest }) => ({ folder, sources: rest }))
  return {
    rest: [...own, ...parts.flatMap(({ rest }, index) => (apart.has(index) ? [] : rest))],
    found: [...systems, ...parts.flatMap(({ found }) => found)],
  }
}

function byFolder(
  folder: string,
  sources: readonly Source[],
): { readonly own: readonly Source[]; readonly below: ReadonlyMap<string, Source[]> } {
  const own: Source[] = []
  const below = new Map<string, Source[]>()
  for (const source of sources) {
    const slash = source.file.indexOf('/', folder.length)
    if (slash < 0) own.push(source)
    else {
      const name = source.file.slice(0, slash + 1)
      below.set(name, [...(below.get(name) ?? []), source])
    }
  }
  return { own, below }
}

/** Which parts, by their numbers, are systems of their own. */
function independent(parts: readonly (readonly Sign[])[], own: readonly Sign[]): ReadonlySet<number> {
  const offers = new Map<string, Set<number>>()
  const calls = new Map<string, Set<number>>()
  for (const [index, signs] of [...parts, own].entries()) {
    for (const { name, does } of signs) {
      const table = does === 'offers' ? offers : calls
      table.set(name, (table.get(name) ?? new Set()).add(index))
    }
  }
  const apart = new Set<number>()
  const isLinked = (index: number) => isLinkedWithOthers(index, offers, calls)
  for (const [name, offering] of offers) {
    if (offering.size < 2) continue
    const calling = calls.get(name) ?? new Set()
    const isCalledFromElsewhere = [...calling].some((index) => !offering.has(index))
    for (const index of offering) if (calling.has(index) || (!isCalledFromElsewhere && !isLinked(index))) apart.add(index)
  }
  apart.delete(parts.length)
  return apart
}

type Names = ReadonlyMap<string, ReadonlySet<number>>

/** True for a part that calls what only others offer, or offers what others call: two versions of a service have one name and belong together. */
function isLinkedWithOthers(index: number, offers: Names, calls: Names): boolean {
  const needs = [...calls].some(([name, calling]) => {
    const offering = offers.get(name)
    return calling.has(index) && offering !== undefined && !offering.has(index)
  })
  return (
    needs ||
    [...offers].some(([name, offering]) => offering.has(index) && [...(calls.get(name) ?? [])].some((other) => !offering.has(other)))
  )
}
