import type { Diagnostic } from '../model/diagnostic.js'
import { lineText, placeOf } from '../model/sourced.js'

/**
 * A name for each finding that stays the same when lines move: made of the rule and the path, or of the text of its line where it has no
 * path. Findings that would share a name are numbered in their order.
 */
export function fingerprints(diagnostics: readonly Diagnostic[]): ReadonlyMap<Diagnostic, string> {
  const seen = new Map<string, number>()
  const names = new Map<Diagnostic, string>()
  for (const one of diagnostics) {
    const key = JSON.stringify([one.rule, ...identity(one)])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    names.set(one, hash(count === 1 ? key : `${key}#${count}`))
  }
  return names
}

function identity(one: Diagnostic): readonly string[] {
  if (one.path.length > 0) return one.path
  return [one.spot.source.file, lineText(one.spot.source, placeOf(one.spot).line).trim()]
}

/** 64 bits as 16 hex digits: two FNV-1a hashes of 32 bits with different starts. Not for secrets. */
function hash(text: string): string {
  return hash32(text, 0x811c9dc5) + hash32(text, 0x5bd1e995)
}

function hash32(text: string, start: number): string {
  let state = start
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ (text.charCodeAt(i) & 0xff), 0x01000193)
    state = Math.imul(state ^ (text.charCodeAt(i) >> 8), 0x01000193)
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  return ((state ^ (state >>> 13)) >>> 0).toString(16).padStart(8, '0')
}
