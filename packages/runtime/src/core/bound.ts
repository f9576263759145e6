/** What a limit really limits, weakest word last: the kind of a sum is the weakest kind in it. */
export const boundKinds = ['queue', 'connect', 'write', 'lock', 'statement', 'headers', 'total', 'attempt', 'silence'] as const

/** One of the kinds a limit can be. */
export type BoundKind = (typeof boundKinds)[number]

/** How long something may take: at most `ms`, for ever, or nobody can tell. */
export type Bound =
  | { readonly state: 'bounded'; readonly ms: number; readonly kind: BoundKind }
  | { readonly state: 'unbounded' }
  | { readonly state: 'unknown' }

/** May take for ever. */
export const unbounded: Bound = Object.freeze({ state: 'unbounded' })

/** Could not be found out; never an error, and never treated as a number. */
export const unknownBound: Bound = Object.freeze({ state: 'unknown' })

/** A bound of `ms` (0 or more, finite) of a kind; throws RangeError for anything else. */
export function boundedBy(ms: number, kind: BoundKind): Bound {
  if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) throw new RangeError(`a bound must be 0 ms or more and finite, not ${ms}`)
  return { state: 'bounded', ms, kind }
}

/**
 * The bound that ends first (min). Commutative, associative, idempotent; `unbounded` is its identity, `unknown` absorbs.
 * Of equal ms the stronger kind is kept.
 */
export function earliestBound(a: Bound, b: Bound): Bound {
  if (a.state === 'unknown' || b.state === 'unknown') return unknownBound
  if (a.state === 'unbounded') return b
  if (b.state === 'unbounded') return a
  return isBefore(a, b) ? a : b
}

/** The bound that ends last (max), as of steps taken together. Commutative, associative, idempotent; `unknown` absorbs, then `unbounded`. */
export function maxBound(a: Bound, b: Bound): Bound {
  if (a.state === 'unknown' || b.state === 'unknown') return unknownBound
  if (a.state === 'unbounded' || b.state === 'unbounded') return unbounded
  return isBefore(a, b) ? b : a
}

/** The bound of one step after the other (sum). Commutative, associative up to float rounding; `unknown` absorbs, then `unbounded`. */
export function addBounds(a: Bound, b: Bound): Bound {
  if (a.state === 'unknown' || b.state === 'unknown') return unknownBound
  if (a.state === 'unbounded' || b.state === 'unbounded') return unbounded
  return { state: 'bounded', ms: a.ms + b.ms, kind: rank(a.kind) >= rank(b.kind) ? a.kind : b.kind }
}

type Bounded = Extract<Bound, { state: 'bounded' }>

function isBefore(a: Bounded, b: Bounded): boolean {
  return a.ms === b.ms ? rank(a.kind) <= rank(b.kind) : a.ms < b.ms
}

function rank(kind: BoundKind): number {
  return boundKinds.indexOf(kind)
}
