import { together } from '@sandglass/runtime'
import type { Ask } from '../calls/ask.js'
import type { CallResult, GuardedCall, Protect } from '../calls/guarded-call.js'
import type { CallSpec, OperationSpec } from '../chain/service-spec.js'
import type { Counters } from './counters.js'
import type { Work } from './work.js'

/** What an operation does for one request: whether its answer is degraded. */
export type Perform = (request: number, signal: AbortSignal | undefined) => Promise<{ isDegraded: boolean }>

interface Member {
  readonly spec: CallSpec
  readonly make: GuardedCall
}

/**
 * Makes an operation: its own work, then its calls, one step after the other, those of a step together. `cancelsSiblings`: when one
 * fails the others of its step are cancelled; without it they go on and nobody looks.
 */
export function createOperation(
  spec: OperationSpec,
  parts: {
    readonly work: Work
    readonly ask: Ask
    readonly protect: Protect
    readonly counters: Counters
    readonly cancelsSiblings: boolean
  },
): Perform {
  const { work, ask, protect, counters, cancelsSiblings } = parts
  const steps = spec.steps.map((calls) => calls.map((call): Member => ({ spec: call, make: protect(call, ask, counters) })))
  return async (request, signal) => {
    await work.perform(request, signal)
    let isDegraded = false
    let isMiss = false
    for (const step of steps) {
      // What is asked for only sometimes is asked for whenever the cache before it had no answer.
      const wanted = step.filter(({ spec: { share } }) => share >= 1 || isMiss || Math.random() < share)
      const results = await (cancelsSiblings ? cancellingGroup : plainGroup)(wanted, request)
      isMiss = results.some(({ tier }) => tier === 'empty')
      isDegraded ||= results.some((result) => result.isDegraded)
    }
    return { isDegraded }
  }
}

const MISSING: CallResult = { isDegraded: true, tier: null }

function plainGroup(members: readonly Member[], request: number): Promise<CallResult[]> {
  return Promise.all(
    members.map(({ spec, make }) => {
      const made = make(String(request))
      return spec.isOptional ? made.catch(() => MISSING) : made
    }),
  )
}

async function cancellingGroup(members: readonly Member[], request: number): Promise<CallResult[]> {
  if (members.length <= 1) return plainGroup(members, request)
  const fns = (isOptional: boolean): Record<string, () => Promise<CallResult>> =>
    Object.fromEntries(
      members.filter(({ spec }) => spec.isOptional === isOptional).map(({ spec, make }) => [spec.to, () => make(String(request))]),
    )
  const { missing, ...results } = await together({ required: fns(false), optional: fns(true) })
  return [...Object.values(results as Record<string, CallResult>), ...missing.map(() => MISSING)]
}
