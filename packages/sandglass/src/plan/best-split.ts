/** Products that differ by less are equal: which of them is larger is rounding, and must not decide a split. */
const EQUAL = 1 + 1e-12
/** A value that grows by less has not grown. */
const GROWN = 1 + 1e-14

/**
 * For every budget k the best product first[i] x second[k - i], and the i that gives it (the smallest of equals).
 *
 * Both grow with their budget, so only an i where `first` has grown can be the best: where tails end, few are left.
 */
export function bestSplit(first: Float64Array, second: Float64Array): { readonly best: Float64Array; readonly split: Int32Array } {
  const { length } = first
  const best = new Float64Array(length)
  const split = new Int32Array(length)
  const steps = growing(first)
  for (let k = 0; k < length; k++) {
    let most = 0
    let at = 0
    for (let j = 0; j < steps.length; j++) {
      const i = steps[j] as number
      if (i > k) break
      const value = (first[i] as number) * (second[k - i] as number)
      if (value > most * EQUAL) {
        most = value
        at = i
      }
    }
    best[k] = most
    split[k] = at
  }
  return { best, split }
}

function growing(values: Float64Array): Int32Array {
  const steps: number[] = []
  let before = -1
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value <= before * GROWN) continue
    steps.push(i)
    before = value
  }
  return Int32Array.from(steps)
}
