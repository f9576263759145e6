import type { Source } from '../model/sourced.js'

/** Finds texts by the end of their path. */
export interface FileIndex {
  /** The texts whose path ends with these parts, the one that asks left out; `*` and `?` stand for characters of one name. */
  readonly endingWith: (parts: readonly string[], from: string) => readonly Source[]
}

/** Made once for all texts that are imported together: thousands of files with an `include` each ask it thousands of times. */
export function fileIndex(sources: readonly Source[]): FileIndex {
  const paths = sources.map((source) => ({ source, parts: source.file.split('/') }))
  /** By the part at this distance from the end: 0 is the file's name. */
  const tables = new Map<number, ReadonlyMap<string, typeof paths>>()
  const answers = new Map<string, readonly Source[]>()

  const tableOf = (distance: number) => {
    const known = tables.get(distance)
    if (known) return known
    const table = new Map<string, typeof paths>()
    for (const path of paths) {
      const part = path.parts[path.parts.length - 1 - distance]
      if (part === undefined) continue
      const same = table.get(part)
      if (same) same.push(path)
      else table.set(part, [path])
    }
    tables.set(distance, table)
    return table
  }
  const search = (parts: readonly string[]): readonly Source[] => {
    const plain = parts.findLastIndex((part) => !/[*?]/.test(part))
    const candidates = plain < 0 ? paths : (tableOf(parts.length - 1 - plain).get(parts[plain] ?? '') ?? [])
    return candidates
      .filter((path) => path.parts.length >= parts.length && parts.every((part, at) => fits(path.parts.at(at - parts.length) ?? '', part)))
      .map(({ source }) => source)
  }
  return {
    endingWith(parts, from) {
      if (parts.length === 0) return []
      const key = parts.join('/')
      const found = answers.get(key) ?? search(parts)
      answers.set(key, found)
      return found.filter(({ file }) => file !== from)
    },
  }
}

/** True where a name fits a pattern; in time that grows with the product of their lengths, whatever the pattern is. */
export function fits(name: string, pattern: string): boolean {
  let at = 0
  let inPattern = 0
  let star = -1
  let afterStar = 0
  while (at < name.length) {
    const char = pattern[inPattern]
    if (char === '*') {
      star = inPattern++
      afterStar = at
    } else if (char === '?' || (char !== undefined && char === name[at])) {
      at++
      inPattern++
    } else if (star >= 0) {
      inPattern = star + 1
      at = ++afterStar
    } else return false
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}
