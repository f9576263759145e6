/** True where `a` is larger than `b` by more than rounding: sums of decimal ms are not exact. */
export function exceeds(a: number, b: number): boolean {
  return a > b + 1e-6
}
