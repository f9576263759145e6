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
  const state = new Map<Operation, 'open' | 'done'>()
  const finished: Operation[] = []
  const closing = new Set<Call>()
  const cycles: (readonly Call[])[] = []
  const entries = entryPoints(chain)
  const visit = (root: Operation): void => {
    const stack: Frame[] = [{ operation: root, next: 0, via: null }]
    state.set(root, 'open')
    for (let frame = stack[stack.length - 1]; frame; frame = stack[stack.length - 1]) {
      const call = frame.operation.calls[frame.next++]
      if (!call) {
        state.set(frame.operation, 'done')
        finished.push(frame.operation)
        stack.pop()
      } else if (call.callee) {
        const seen = state.get(call.callee)
        if (seen === 'open') {
          closing.add(call)
          if (cycles.length < MAX_CYCLES) cycles.push(cycleOf(stack, call))
        } else if (!seen) {
          state.set(call.callee, 'open')
          stack.push({ operation: call.callee, next: 0, via: call })
        }
      }
    }
  }
  for (const entry of entries) if (!state.has(entry)) visit(entry)
  const roots = [...entries]
  for (const operation of chain.operations.values()) {
    if (state.has(operation)) continue
    roots.push(operation)
    visit(operation)
  }
  return { operations: finished.reverse(), closing, cycles, entries: roots }
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
