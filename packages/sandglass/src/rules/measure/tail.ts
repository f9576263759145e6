import { isLeaf } from '../../model/arithmetic.js'
import type { Latency, Operation } from '../../model/chain.js'
import type { Factor } from '../../model/diagnostic.js'
import { quantileMs } from '../../model/latency.js'
import type { Sourced } from '../../model/sourced.js'

/** How long an operation's answers take as measured from outside. */
export interface Tail {
  readonly p99Ms: number
  readonly law: Sourced<Latency>
}

/** The measured time of an operation: a leaf's `latency` or `work`, another operation's `latency`; null where nothing is known. */
export function tailOf(operation: Operation | null): Tail | null {
  const law = operation && (isLeaf(operation) ? (operation.latency ?? operation.work) : operation.latency)
  if (!law) return null
  const p99Ms = quantileMs(law.value, 0.99)
  return p99Ms > 0 ? { p99Ms, law } : null
}

/** The p99 of an operation as a factor. */
export function tailFactor(operation: Operation, { p99Ms, law }: Tail): Factor {
  return { name: `${operation.id} p99`, value: p99Ms, unit: 'ms', origin: law.origin }
}
