/**
 * Checks one numeric option when a policy is created and returns it.
 * @param name what the message calls it, such as `breaker.minCalls`
 * @param least the smallest legal value, inclusive
 * @param most the largest legal value, inclusive; default `Infinity` (which is then itself legal)
 * @throws TypeError when it is not a number or is NaN, RangeError when it is outside the range
 */
export function optionInRange(name: string, value: unknown, least: number, most: number = Infinity): number {
  if (typeof value !== 'number' || Number.isNaN(value)) {
    throw new TypeError(`${name} must be a number, not ${typeof value === 'number' ? 'NaN' : typeof value}`)
  }
  if (value < least || value > most) throw new RangeError(`${name} must be between ${least} and ${most}, not ${value}`)
  return value
}

/**
 * As {@link optionInRange}, for counts: `Infinity` is legal only where `most` is, everything else must be whole.
 * @throws TypeError or RangeError as above, and RangeError for a fraction
 */
export function optionCount(name: string, value: unknown, least: number, most: number = Infinity): number {
  const count = optionInRange(name, value, least, most)
  if (count !== Infinity && !Number.isInteger(count)) throw new RangeError(`${name} must be a whole number, not ${count}`)
  return count
}
