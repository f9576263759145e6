import { studentQuantile } from './student.js'

/** A mean with its 99 % confidence interval. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** The confidence of every interval. */
export const CONFIDENCE = 0.99

/** Mean and interval of independent values of one quantity (Student's t); one value alone is its own interval. */
export function intervalOf(values: readonly number[]): Interval {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  if (n < 2) return { mean, low: mean, high: mean }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const half = quantileFor(n - 1) * Math.sqrt(variance / n)
  return { mean, low: mean - half, high: mean + half }
}

const known = new Map<number, number>()

function quantileFor(degrees: number): number {
  const before = known.get(degrees)
  if (before !== undefined) return before
  const quantile = studentQuantile((1 + CONFIDENCE) / 2, degrees)
  known.set(degrees, quantile)
  return quantile
}
