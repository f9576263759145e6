import type { Diagnostic } from '../model/diagnostic.js'
import { lineText, placeOf, type Source } from '../model/sourced.js'

/** How often a finding of one kind was seen, and the hash of what makes the kind. */
interface Kind {
  readonly state: State
  count: number
}

type State = readonly [first: number, second: number]

/**
 * A name for each finding that stays the same when lines move: made of the rule and the path, or of the text of its line where it has no
 * path. Findings that would share a name are numbered in their order.
 */
export function fingerprints(diagnostics: readonly Diagnostic[]): ReadonlyMap<Diagnostic, string> {
  const kindOf = kinds()
  const names = new Map<Diagnostic, string>()
  for (const one of diagnostics) {
    const kind = kindOf(one)
    kind.count++
    names.set(one, hexOf(kind.count === 1 ? kind.state : extended(kind.state, `#${kind.count}`)))
  }
  return names
}

/** A line may be long and have thousands of findings: its text is read once for a rule. */
function kinds(): (one: Diagnostic) => Kind {
  const byKey = new Map<string, Kind>()
  const byLine = new Map<Source, Map<string, Kind>>()
  const keyed = (parts: readonly string[]) => {
    const key = JSON.stringify(parts)
    const kind = byKey.get(key) ?? { state: extended(START, key), count: 0 }
    byKey.set(key, kind)
    return kind
  }
  return (one) => {
    if (one.path.length > 0) return keyed([one.rule, ...one.path])
    const { source } = one.spot
    const { line } = placeOf(one.spot)
    const ofSource = byLine.get(source) ?? new Map<string, Kind>()
    byLine.set(source, ofSource)
    const name = `${line} ${one.rule}`
    const kind = ofSource.get(name) ?? keyed([one.rule, source.file, lineText(source, line).trim()])
    ofSource.set(name, kind)
    return kind
  }
}

const START: State = [0x811c9dc5, 0x5bd1e995]

/** 64 bits: two FNV-1a hashes of 32 bits with different starts. Not for secrets. */
function extended([first, second]: State, text: string): State {
  return [extended32(first, text), extended32(second, text)]
}

function extended32(start: number, text: string): number {
  let state = start
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ (text.charCodeAt(i) & 0xff), 0x01000193)
    state = Math.imul(state ^ (text.charCodeAt(i) >> 8), 0x01000193)
  }
  return state
}

function hexOf(state: State): string {
  return state.map(hex32).join('')
}

function hex32(state: number): string {
  const mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 13)) >>> 0).toString(16).padStart(8, '0')
}
