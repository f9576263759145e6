/** Products that differ by less are equal: which of them is larger is rounding, and must not decide a split. */
const EQUAL = 1 + 1e-12

/** For every budget k the best product first[i] x second[k - i], and the i that gives it (the smallest of equals). */
export function bestSplit(first: Float64Array, second: Float64Array): { readonly best: Float64Array; readonly split: Int32Array } {
  const { length } = first
  const best = new Float64Array(length)
  const split = new Int32Array(length)
  for (let k = 0; k < length; k++) {
    let most = 0
    let at = 0
    for (let i = 0; i <= k; i++) {
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
