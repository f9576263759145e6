import { type Distribution, inSeries } from './distribution.js'

/** Sums of the first and of the last steps of a series, each kept as long as none of its steps changes. */
export interface SerialFolds {
  /** The sum of all steps but one; null where there is no other. */
  allBut(index: number): Distribution | null
  /** The sum of all steps; null where there is none. */
  all(): Distribution | null
  /** Forgets what the step went into. */
  changed(index: number): void
}

/** Folds over `count` steps; `step` gives the time of one as it is now. */
export function serialFolds(count: number, step: (index: number) => Distribution): SerialFolds {
  // first[n] is the sum of the first n steps, last[n] of the last n.
  const first: (Distribution | null)[] = [null]
  const last: (Distribution | null)[] = [null]
  const firstOf = (n: number): Distribution | null => {
    for (let i = first.length; i <= n; i++) first.push(sumOf(first[i - 1] ?? null, step(i - 1)))
    return first[n] ?? null
  }
  const lastOf = (n: number): Distribution | null => {
    for (let i = last.length; i <= n; i++) last.push(sumOf(last[i - 1] ?? null, step(count - i)))
    return last[n] ?? null
  }
  return {
    all: () => firstOf(count),
    allBut: (index) => sumOf(firstOf(index), lastOf(count - 1 - index)),
    changed(index) {
      first.length = Math.min(first.length, index + 1)
      last.length = Math.min(last.length, count - index)
    },
  }
}

function sumOf(one: Distribution | null, other: Distribution): Distribution
function sumOf(one: Distribution | null, other: Distribution | null): Distribution | null
function sumOf(one: Distribution | null, other: Distribution | null): Distribution | null {
  if (one === null || other === null) return one ?? other
  return inSeries(one, other)
}
