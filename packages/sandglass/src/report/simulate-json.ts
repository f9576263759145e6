import type { CompareResult } from '../simulate/compare.js'
import type { SimulateIntervals, SimulateResult } from '../simulate/simulate.js'
import type { SweepResult } from '../simulate/sweep.js'

/** A result as JSON with a line end; numbers have six decimals at most, lists of numbers stand on one line. */
export function simulateJson(result: SimulateResult | SimulateIntervals | CompareResult | SweepResult): string {
  const text = JSON.stringify(result, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value), 2)
  return `${text.replace(/\[\n\s+(-?[\d.e+-]+(?:,\n\s+-?[\d.e+-]+)*)\n\s+\]/g, (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`)}\n`
}
