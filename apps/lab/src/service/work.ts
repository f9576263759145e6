import type { OperationSpec } from '../chain/service-spec.js'
import { CallTimeout, HttpError } from './http-error.js'
import type { Trouble } from './messages.js'
import { createSampler } from './sampler.js'
import { hang, sleep } from './sleep.js'

/** How long a piece of work takes: for a while, until it is aborted. The stand-in sleeps; a real database is asked to. */
export type Spend = (ms: number, request: number, signal: AbortSignal | undefined) => Promise<void>

/** The own work of an operation. */
export interface Work {
  perform(request: number, signal: AbortSignal | undefined): Promise<void>
  /** What is wrong from now on. */
  strike(trouble: Trouble | undefined): void
  readonly isDown: boolean
}

/** Makes the work of an operation from its law, its shares of errors and hangs, and the limit of its server. */
export function createWork(spec: OperationSpec, spend: Spend, random: () => number = Math.random): Work {
  const sample = createSampler(spec.work, random)
  let trouble: Trouble | undefined
  return {
    async perform(request, signal) {
      const { times = 1, addMs = 0, speed = 1, errorShare = 0, hangShare = 0 } = trouble ?? {}
      if (random() < either(spec.hangShare, hangShare)) return limited(spec, (ms) => spend(ms, request, signal), Infinity, signal)
      if (random() < either(spec.errorShare, errorShare)) throw new HttpError(spec.id, 500)
      const ms = (sample() * times + addMs) / speed
      if (ms > 0) await limited(spec, (limitMs) => spend(limitMs, request, signal), ms, signal)
    },
    strike(next) {
      trouble = next
    },
    get isDown() {
      return trouble?.isDown === true
    },
  }
}

async function limited(
  { id, statementMs }: OperationSpec,
  spend: (ms: number) => Promise<void>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const limitMs = statementMs ?? Infinity
  if (ms <= limitMs) return ms === Infinity ? hang(signal) : spend(ms)
  await spend(limitMs)
  throw new CallTimeout(id, limitMs)
}

function either(a: number, b: number): number {
  return 1 - (1 - a) * (1 - b)
}

/** Sleeping is work enough. */
export const spendAsleep: Spend = (ms, _request, signal) => sleep(ms, signal)
