import { type Interval, intervalOf } from './interval.js'

/**
 * Merges results of the same shape into one in which every number is `{ mean, low, high }`: arrays of numbers become
 * `{ mean: […], low: […], high: […] }`. A place that is null in some is taken from the others, and null where all are; names
 * in `nullWins` are null as soon as one is.
 */
export function combine(parts: readonly unknown[], nullWins: ReadonlySet<string> = new Set(), name: string = ''): unknown {
  const [first] = parts
  if (parts.some((part) => part === null || typeof part === 'number'))
    return combineNumbers(parts as readonly (number | null)[], nullWins.has(name))
  if (Array.isArray(first)) return combineArrays(parts as readonly (readonly number[])[])
  if (typeof first !== 'object' || first === null) return first
  return Object.fromEntries(
    Object.keys(first).map((key) => [
      key,
      combine(
        parts.map((part) => (part as Record<string, unknown>)[key]),
        nullWins,
        key,
      ),
    ]),
  )
}

function combineNumbers(parts: readonly (number | null)[], nullWins: boolean): Interval | null {
  const numbers = parts.filter((part) => part !== null)
  if (numbers.length === 0 || (nullWins && numbers.length < parts.length)) return null
  return intervalOf(numbers)
}

function combineArrays(parts: readonly (readonly number[])[]): Record<keyof Interval, number[]> {
  const length = Math.min(...parts.map((part) => part.length))
  const intervals = Array.from({ length }, (_, i) => intervalOf(parts.map((part) => part[i]!)))
  return { mean: intervals.map(({ mean }) => mean), low: intervals.map(({ low }) => low), high: intervals.map(({ high }) => high) }
}
