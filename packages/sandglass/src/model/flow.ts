import { factorOf } from './arithmetic.js'
import type { Call, Chain, Journey, Operation } from './chain.js'
import { later } from './later.js'
import type { Order } from './order.js'

/** How a path multiplies: retries not begun yet, begun and stopped below (chain stop), or multiplying freely. */
interface Multiplied {
  readonly stopped: boolean
  /** 1 + sum of (factor - 1), where every retry is marked and not retried below. */
  readonly sum: number
  readonly product: number
  readonly via: Call | null
  readonly before: Multiplied | null
}

/** The largest amplification of an operation and the calls of its path. */
export interface Amplification {
  readonly value: number
  readonly chainStop: boolean
  readonly calls: readonly Call[]
}

/** Rates and amplification of a chain. */
export interface Flow {
  /** First tries per second that reach an operation, over all instances; null where no journey with a rate does. */
  ratePerS(operation: Operation): number | null
  /** First tries per second of one call, over all instances of its caller. */
  callRatePerS(call: Call): number | null
  amplification(operation: Operation): Amplification
  /** Largest amplification of a path that ends with this call. */
  callAmplification(call: Call): Amplification
  /** Calls that arrive per request of the journeys together: the sum over paths of amplification x share. */
  arrivalsPerRequest(operation: Operation): number
}

const START: Multiplied = { stopped: true, sum: 1, product: 1, via: null, before: null }

function valueOf(path: Multiplied): number {
  return path.stopped ? path.sum : path.product
}

function extend(path: Multiplied, call: Call): Multiplied {
  const factor = factorOf(call)
  const begun = path.product > 1 || factor > 1
  const stopped = path.stopped && (!begun || call.from.service.chainStop.value)
  return { stopped, sum: path.sum + factor - 1, product: path.product * factor, via: call, before: path }
}

/** Largest paths into one operation: where retries are stopped below, and where they multiply. */
interface Largest {
  stopped: Multiplied | null
  free: Multiplied | null
}

function keep(largest: Largest, path: Multiplied): void {
  const key = path.stopped ? 'stopped' : 'free'
  const before = largest[key]
  if (!before || valueOf(path) > valueOf(before)) largest[key] = path
}

function best(largest: Largest | undefined): Multiplied {
  const { stopped, free } = largest ?? { stopped: null, free: null }
  if (!stopped) return free ?? START
  return free && valueOf(free) > valueOf(stopped) ? free : stopped
}

function amplificationOf(path: Multiplied): Amplification {
  const calls: Call[] = []
  for (let at: Multiplied | null = path; at; at = at.before) if (at.via) calls.push(at.via)
  return { value: valueOf(path), chainStop: path.stopped && path.product > 1, calls: calls.reverse() }
}

/** Sums over all paths into one operation, per request: shares, and what retries add. */
interface Arrived {
  share: number
  stoppedExtra: number
  stoppedProduct: number
  free: number
}

/** Rates, amplification and arrivals, each in one pass over the ordered chain when it is first asked for. */
export function computeFlow(chain: Chain, order: Order, journeys: readonly Journey[] = chain.journeys): Flow {
  const rates = later(() => ratesOf(order, journeys))
  const paths = later(() => largestPaths(order))
  const arrived = later(() => arrivedAt(order, journeys))
  return {
    ratePerS: (operation) => rates().get(operation) ?? null,
    callRatePerS(call) {
      const rate = rates().get(call.from)
      return rate === undefined ? null : rate * call.share.value
    },
    amplification: (operation) => amplificationOf(best(paths().largest.get(operation))),
    callAmplification: (call) => amplificationOf(paths().byCall.get(call) ?? START),
    arrivalsPerRequest: (operation) => total(arrived().get(operation)),
  }
}

function forEachCall(order: Order, pass: (call: Call, callee: Operation) => void): void {
  for (const operation of order.operations) {
    for (const call of operation.calls) if (call.callee && !order.closing.has(call)) pass(call, call.callee)
  }
}

function ratesOf(order: Order, journeys: readonly Journey[]): ReadonlyMap<Operation, number> {
  const rates = new Map<Operation, number>()
  for (const { start, ratePerS } of journeys) {
    if (start && typeof ratePerS?.value === 'number') rates.set(start, (rates.get(start) ?? 0) + ratePerS.value)
  }
  forEachCall(order, (call, callee) => passRate(rates, call, callee))
  return rates
}

function largestPaths(order: Order): { readonly largest: ReadonlyMap<Operation, Largest>; readonly byCall: ReadonlyMap<Call, Multiplied> } {
  const largest = new Map<Operation, Largest>()
  const byCall = new Map<Call, Multiplied>()
  forEachCall(order, (call, callee) => passLargest(largest, byCall, call, callee))
  return { largest, byCall }
}

function arrivedAt(order: Order, journeys: readonly Journey[]): ReadonlyMap<Operation, Arrived> {
  const arrived = new Map<Operation, Arrived>()
  for (const { start } of journeys) if (start) arrived.set(start, { share: 1, stoppedExtra: 0, stoppedProduct: 1, free: 0 })
  forEachCall(order, (call, callee) => passArrived(arrived, call, callee))
  return arrived
}

function passRate(rates: Map<Operation, number>, call: Call, callee: Operation): void {
  const rate = rates.get(call.from)
  if (rate !== undefined) rates.set(callee, (rates.get(callee) ?? 0) + rate * call.share.value)
}

function passLargest(largest: Map<Operation, Largest>, byCall: Map<Call, Multiplied>, call: Call, callee: Operation): void {
  const from = largest.get(call.from)
  let into = largest.get(callee)
  if (!into) {
    into = { stopped: null, free: null }
    largest.set(callee, into)
  }
  const paths = from ? [from.stopped, from.free].filter((path) => path !== null) : [START]
  for (const path of paths) {
    const longer = extend(path, call)
    keep(into, longer)
    const before = byCall.get(call)
    if (!before || valueOf(longer) > valueOf(before)) byCall.set(call, longer)
  }
}

function passArrived(arrived: Map<Operation, Arrived>, call: Call, callee: Operation): void {
  const from = arrived.get(call.from)
  if (!from) return
  const into = arrived.get(callee) ?? { share: 0, stoppedExtra: 0, stoppedProduct: 0, free: 0 }
  const factor = factorOf(call)
  const part = call.share.value
  const begun = factor > 1 || from.stoppedExtra > 0
  if (begun && !call.from.service.chainStop.value) {
    into.free += (from.free + from.stoppedProduct) * factor * part
  } else {
    into.free += from.free * factor * part
    into.share += from.share * part
    into.stoppedExtra += (from.stoppedExtra + from.share * (factor - 1)) * part
    into.stoppedProduct += from.stoppedProduct * factor * part
  }
  arrived.set(callee, into)
}

function total(sums: Arrived | undefined): number {
  return sums ? sums.share + sums.stoppedExtra + sums.free : 0
}
