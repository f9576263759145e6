import { type Term, unknownTerm } from './term.js'

/** Larger than this a term is no options that somebody wrote; terms share their parts, so that a short program can make endless ones. */
const MAX_SIZE = 20_000

const sizes = new WeakMap<Term, number>()

/** Larger than this the arguments of a call are no options of a client: the schema of an environment, a router. */
const MAX_ARGUMENTS = 500

/** A term, or what of it can be followed: a call without its arguments; or that it is too large. */
export function withinSize(term: Term): Term {
  if (sizeOf(term) <= MAX_SIZE) return term
  const slim = slimmed(term)
  return sizeOf(slim) <= MAX_SIZE ? slim : unknownTerm('too large to follow')
}

/** What a member is looked up on: of a call with very large arguments the call, and of them what they are made of as far as that is small. */
export function slimmed(term: Term): Term {
  if (sizeOf(term) <= MAX_ARGUMENTS) return term
  if (term.kind === 'made') return { ...term, args: term.args.map(trimmed) }
  return term.kind === 'either' ? { ...term, of: term.of.map(slimmed) } : term
}

/** Larger than this a part of an argument is left out. */
const MAX_PART = 50
const trims = new WeakMap<Term, Term>()

/** An argument without what is large in it: options keep their names though each value comes from the schema of an environment. */
function trimmed(term: Term): Term {
  if (sizeOf(term) <= MAX_PART) return term
  const known = trims.get(term)
  if (known) return known
  const trim = withoutLargeParts(term)
  const small = sizeOf(trim) <= MAX_ARGUMENTS ? trim : unknownTerm('too large to follow')
  trims.set(term, small)
  return small
}

function withoutLargeParts(term: Term): Term {
  switch (term.kind) {
    case 'object':
      return {
        ...term,
        parts: term.parts.map((part) =>
          'name' in part ? { ...part, value: trimmed(part.value) } : { ...part, spread: trimmed(part.spread) },
        ),
      }
    case 'either':
      return { ...term, of: term.of.map(trimmed) }
    case 'member':
      return { ...term, object: trimmed(term.object) }
    case 'made':
      return { ...term, args: term.args.map((arg) => (sizeOf(arg) <= MAX_PART ? arg : unknownTerm('too large to follow'))) }
    default:
      return unknownTerm('too large to follow')
  }
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
