import { bringsNoLimit } from './brings-no-limit.js'
import { eitherOf, type ObjectTerm, type Term } from './term.js'

/** A property of an object as it was found: what it is, and what may stand in its place. */
export interface FoundProperty {
  /** Null where the object does not have it. */
  readonly value: Term | null
  /** Spreads written after it: each may bring another value, as far as is known. */
  readonly mayBeReplacedBy: readonly Term[]
}

/** Finds a property: the last one wins, spreads of known objects are looked into, of others they are remembered. */
export function findProperty(object: ObjectTerm, name: string): FoundProperty {
  const known = found.get(object) ?? new Map<string, FoundProperty>()
  found.set(object, known)
  const before = known.get(name)
  if (before) return before
  const property = lookFor(object, name)
  known.set(name, property)
  return property
}

/** Objects share what is spread into them: each is looked through once. */
const found = new WeakMap<ObjectTerm, Map<string, FoundProperty>>()

function lookFor(object: ObjectTerm, name: string): FoundProperty {
  if (object.without?.includes(name)) return { value: null, mayBeReplacedBy: [] }
  const replacing: Term[] = []
  for (let i = object.parts.length - 1; i >= 0; i--) {
    const part = object.parts[i]
    if (!part) continue
    if ('name' in part) {
      if (part.name === name) return { value: part.value, mayBeReplacedBy: replacing }
      continue
    }
    const inner = inSpread(part.spread, name)
    if (inner === 'no') continue
    if (inner === 'perhaps') replacing.push(part.spread)
    else if (inner.mayBeReplacedBy.length === 0 && inner.value) return { value: inner.value, mayBeReplacedBy: replacing }
    else replacing.push(part.spread)
  }
  return { value: null, mayBeReplacedBy: replacing }
}

function inSpread(spread: Term, name: string): FoundProperty | 'no' | 'perhaps' {
  if (spread.kind === 'constant' || spread.kind === 'function' || bringsNoLimit(spread)) return 'no'
  if (spread.kind === 'either') {
    const answers = spread.of.map((each) => inSpread(each, name))
    return answers.every((answer) => answer === 'no') ? 'no' : inEach(answers)
  }
  if (spread.kind !== 'object') return 'perhaps'
  const inner = findProperty(spread, name)
  return inner.value === null && inner.mayBeReplacedBy.length === 0 ? 'no' : inner
}

/** What every branch of a spread has is there whichever is taken. */
function inEach(answers: readonly (FoundProperty | 'no' | 'perhaps')[]): FoundProperty | 'perhaps' {
  const values = answers.flatMap((answer) =>
    typeof answer === 'object' && answer.mayBeReplacedBy.length === 0 ? (answer.value ?? []) : [],
  )
  return values.length === answers.length ? { value: eitherOf(values), mayBeReplacedBy: [] } : 'perhaps'
}

/** A property as a term; where a later spread may replace it, one of both. */
export function propertyOf(object: ObjectTerm, name: string): Term {
  const { value, mayBeReplacedBy } = findProperty(object, name)
  const own: Term = value ?? { kind: 'constant', value: undefined, at: object.at }
  if (mayBeReplacedBy.length === 0) return own
  return eitherOf(
    [...mayBeReplacedBy.map((spread): Term => objectsIn(spread, name) ?? { kind: 'member', object: spread, name }), own],
    true,
  )
}

/** What is nested in the branches of a spread, where each has a written object or nothing: `if (isSafe) options.driver = { ssl: true }`. */
function objectsIn(spread: Term, name: string): Term | null {
  if (spread.kind !== 'either') return null
  const nested = spread.of.map((each) => (each.kind === 'object' ? propertyOf(each, name) : each))
  const isWritten = nested.every(
    ({ kind, ...each }) => kind === 'object' || (kind === 'constant' && 'value' in each && each.value === undefined),
  )
  return isWritten ? eitherOf(nested) : null
}
