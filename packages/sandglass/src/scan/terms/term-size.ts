import { type Term, unknownTerm } from './term.js'

/** Larger than this a term is no options that somebody wrote; terms share their parts, so that a short program can make endless ones. */
const MAX_SIZE = 20_000

const sizes = new WeakMap<Term, number>()

/** A term, or that it is too large to follow. */
export function withinSize(term: Term): Term {
  return sizeOf(term) > MAX_SIZE ? unknownTerm('too large to follow') : term
}

/** How many terms a term is, parts that it shares counted as often as they are there; at most about {@link MAX_SIZE}. */
function sizeOf(term: Term): number {
  const known = sizes.get(term)
  if (known !== undefined) return known
  let size = 1
  for (const part of partsOf(term)) {
    size += sizeOf(part)
    if (size > MAX_SIZE) break
  }
  sizes.set(term, size)
  return size
}

function partsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'object':
      return term.parts.map((part) => ('name' in part ? part.value : part.spread))
    case 'list':
      return term.items
    case 'either':
      return term.of
    case 'made':
      return [term.callee, ...term.args]
    case 'member':
      return [term.object]
    case 'function':
      return term.self ? [term.self] : []
    case 'parameter':
      return term.fallback ? [term.fallback] : []
    default:
      return []
  }
}
