import type { Call, Chain, Operation } from './chain.js'

/** Operations with callers before callees, and the calls that close a cycle (left out of every sum). */
export interface Order {
  readonly operations: readonly Operation[]
  readonly closing: ReadonlySet<Call>
  /** The path of calls of a closing call, from the operation it leads back to; of at most {@link MAX_CYCLES} of them. */
  readonly cycles: readonly (readonly Call[])[]
  /** Where the chain is entered: the journeys' starts first, then what nothing calls. */
  readonly entries: readonly Operation[]
}

/** Paths of more cycles are not kept: a file of 10,000 operations can have as many, each as long. */
export const MAX_CYCLES = 100

interface Frame {
  readonly operation: Operation
  next: number
  readonly via: Call | null
}

/** Sorts a chain topologically, without recursion: a chain may be thousands of calls deep. */
export function orderChain(chain: Chain): Order {
  const walk = new Walk()
  const entries = entryPoints(chain)
  for (const entry of entries) if (!walk.knows(entry)) walk.from(entry)
  for (const operation of chain.operations.values()) {
    if (walk.knows(operation)) continue
    entries.push(operation)
    walk.from(operation)
  }
  return { operations: walk.finished.reverse(), closing: walk.closing, cycles: walk.cycles, entries }
}

class Walk {
  readonly finished: Operation[] = []
  readonly closing = new Set<Call>()
  readonly cycles: (readonly Call[])[] = []
  private readonly state = new Map<Operation, 'open' | 'done'>()
  private readonly stack: Frame[] = []

  knows(operation: Operation): boolean {
    return this.state.has(operation)
  }

  from(root: Operation): void {
    this.enter(root, null)
    for (let frame = this.stack.at(-1); frame; frame = this.stack.at(-1)) {
      const call = frame.operation.calls[frame.next++]
      if (call) this.follow(call)
      else this.leave(frame.operation)
    }
  }

  private enter(operation: Operation, via: Call | null): void {
    this.state.set(operation, 'open')
    this.stack.push({ operation, next: 0, via })
  }

  private follow(call: Call): void {
    if (!call.callee) return
    const seen = this.state.get(call.callee)
    if (seen === undefined) this.enter(call.callee, call)
    if (seen !== 'open') return
    this.closing.add(call)
    if (this.cycles.length < MAX_CYCLES) this.cycles.push(cycleOf(this.stack, call))
  }

  private leave(operation: Operation): void {
    this.state.set(operation, 'done')
    this.finished.push(operation)
    this.stack.pop()
  }
}

function cycleOf(stack: readonly Frame[], closing: Call): readonly Call[] {
  const from = stack.findIndex((frame) => frame.operation === closing.callee)
  const calls = stack.slice(from + 1).map((frame) => frame.via)
  return [...calls.filter((call) => call !== null), closing]
}

function entryPoints(chain: Chain): Operation[] {
  const entries = new Set<Operation>()
  for (const journey of chain.journeys) if (journey.start) entries.add(journey.start)
  const called = new Set(chain.calls.map((call) => call.callee))
  for (const operation of chain.operations.values()) if (!called.has(operation)) entries.add(operation)
  return [...entries]
}
