/** An instant on the local monotonic clock after which nobody wants the answer. */
export interface TimedDeadline {
  readonly state: 'set'
  /** When it was set, in ms of the monotonic clock. */
  readonly setAt: number
  /** When it ends, in ms of the monotonic clock; equal to `setAt` if it was set without any budget. */
  readonly endsAt: number
  /** Who set it, for the error that says which level expired; empty if nobody named it. */
  readonly name: string
}

/** No deadline: a value of its own, never 0, negative or a huge number. */
export interface NoDeadline {
  readonly state: 'none'
}

/** A deadline, or none. */
export type Deadline = TimedDeadline | NoDeadline

/** The one value for "no deadline". */
export const noDeadline: NoDeadline = Object.freeze({ state: 'none' })

/**
 * A budget given by a programmer, checked: 0 or negative is 0 (expired at once), fractions stay, `Infinity` is "no deadline".
 *
 * Throws TypeError for NaN and for anything that is no number.
 */
export function budgetOf(input: unknown): number {
  if (typeof input !== 'number') throw new TypeError(`a budget must be a number of ms, not ${describe(input)}`)
  if (Number.isNaN(input)) throw new TypeError('a budget must be a number of ms, not NaN')
  return Math.max(0, input)
}

/** A deadline `budgetMs` after `now`; `Infinity` gives none. Throws TypeError as `budgetOf` does. */
export function deadlineAfter(now: number, budgetMs: number, name = ''): Deadline {
  const checkedMs = budgetOf(budgetMs)
  if (checkedMs === Number.POSITIVE_INFINITY) return noDeadline
  return { state: 'set', setAt: now, endsAt: now + checkedMs, name }
}

/** The deadline that ends first. Commutative, associative, idempotent; none is its identity. Of two equal ends the one set first is kept. */
export function earliest(a: Deadline, b: Deadline): Deadline {
  if (a.state === 'none') return b
  if (b.state === 'none') return a
  if (a.endsAt !== b.endsAt) return a.endsAt < b.endsAt ? a : b
  if (a.setAt !== b.setAt) return a.setAt < b.setAt ? a : b
  return a.name <= b.name ? a : b
}

/**
 * The deadline of work inside `parent` that asks for `budgetMs` (left out: nothing of its own).
 *
 * It never outlives its parent; when the parent ends first or at the same instant the parent itself is returned, so that
 * identity tells whose limit it is. Throws TypeError as `budgetOf` does.
 */
export function childDeadline(parent: Deadline, now: number, budgetMs?: number, name = ''): Deadline {
  if (budgetMs === undefined) return parent
  const own = deadlineAfter(now, budgetMs, name)
  if (own.state === 'none') return parent
  return parent.state === 'none' || own.endsAt < parent.endsAt ? own : parent
}

/** The budget left at `now` in ms: never negative, `Infinity` only where there is no deadline. */
export function remainingMs(deadline: Deadline, now: number): number {
  return deadline.state === 'none' ? Number.POSITIVE_INFINITY : Math.max(0, deadline.endsAt - now)
}

/** Whether nothing is left at `now`. */
export function isExpired(deadline: Deadline, now: number): boolean {
  return deadline.state === 'set' && now >= deadline.endsAt
}

/** The budget a deadline was set with, in ms; `Infinity` for none. */
export function grantedMs(deadline: Deadline): number {
  return deadline.state === 'none' ? Number.POSITIVE_INFINITY : deadline.endsAt - deadline.setAt
}

function describe(input: unknown): string {
  if (typeof input === 'string') return `the string ${JSON.stringify(input.slice(0, 40))}`
  return input === null ? 'null' : typeof input
}
