import type { Latency } from './chain.js'
import { quantileMs } from './latency.js'

/** The mean of a law in ms: exact where it is known, else by the midpoints of 2000 equal shares. */
export function meanMs(law: Latency): number {
  if (law.kind === 'constant') return law.valueMs
  if (law.kind === 'exponential') return law.shiftMs + law.meanMs
  let sum = 0
  for (let i = 0; i < 2000; i++) sum += quantileMs(law, (i + 0.5) / 2000)
  return sum / 2000
}
