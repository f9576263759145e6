import { factorOf } from './arithmetic.js'
import type { Call, Operation } from './chain.js'
import type { View } from './view.js'

/**
 * The calls at which retries end: each multiplies (factor above 1), and below its callee no other counted call does.
 *
 * What several layers add up to is largest there, so one finding at such a call speaks for the whole path.
 */
export function innermostRetries(view: View, counts: (call: Call) => boolean): Call[] {
  const { operations, closing } = view.order
  const retriesBelow = new Map<Operation, boolean>()
  const innermost: Call[] = []
  for (let i = operations.length - 1; i >= 0; i--) {
    const operation = operations[i]
    if (!operation) continue
    let below = false
    for (const call of operation.calls) {
      const deeper = call.callee !== null && !closing.has(call) && (retriesBelow.get(call.callee) ?? false)
      const own = factorOf(call) > 1 && counts(call)
      if (own && !deeper) innermost.push(call)
      below ||= own || deeper
    }
    retriesBelow.set(operation, below)
  }
  return innermost.reverse()
}
