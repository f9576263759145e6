import type { CallRun } from './attempt.js'
import { whyOf } from './call-error.js'
import type { Answer } from './call-options.js'
import { now } from './clock.js'
import { nextTier, tierNeedsTime, tierSliceMs } from './core/fallback-order.js'
import { reserveMs } from './core/reserve.js'
import type { FallbackAnswer, FallbackRequest } from './fallback.js'
import { addMark } from './request-facts.js'
import { Scope } from './scope.js'
import { settleIn } from './settle-in.js'

/**
 * Answers a failed call from its fallbacks, each within its slice of what is left of the deadline less the reserve, at most `fallbackMs` together.
 * Undefined when none could; what a tier throws only passes the question on to the next.
 */
export async function answerFromFallbacks(run: CallRun, error: unknown): Promise<Answer<unknown> | undefined> {
  const { plan } = run
  const endsAt = fallbackEndsAt(run)
  let place = nextTier(plan.tierOrder, 0, endsAt - now(), 0)
  while (place !== -1 && run.parent?.ending === undefined) {
    const answer = await askTier(run, place, endsAt, error)
    if (answer !== undefined) return marked(run, place, answer, error)
    place = nextTier(plan.tierOrder, place + 1, endsAt - now(), 0)
  }
  return undefined
}

function fallbackEndsAt(run: CallRun): number {
  const nowAt = now()
  const leftMs = run.parent === undefined ? Infinity : run.parent.remainingAt(nowAt)
  const keptMs = reserveMs(leftMs, run.plan.attempts.reserveMs ?? run.parent?.facts?.reserveMs)
  return nowAt + Math.min(leftMs - keptMs, Math.max(run.attempts.endsAt - nowAt, run.plan.fallbackMs))
}

async function askTier(run: CallRun, place: number, endsAt: number, error: unknown): Promise<FallbackAnswer<unknown> | undefined> {
  const fallback = run.plan.fallbacks[place]
  if (fallback === undefined) return undefined
  const nowAt = now()
  const sliceMs = tierNeedsTime(fallback.tier) ? tierSliceMs(run.plan.tierOrder, place, endsAt - nowAt) : Infinity
  const scope = new Scope(run.parent, `${run.plan.name} ${fallback.tier}`, nowAt, nowAt + sliceMs)
  if (run.plan.link !== undefined) scope.follow(run.plan.link)
  const request: FallbackRequest = {
    call: run.plan.name,
    args: run.args,
    why: whyOf(error),
    error,
    get signal() {
      return scope.signal
    },
  }
  try {
    return await settleIn<FallbackAnswer<unknown> | undefined>(scope, () => fallback.ask(request))
  } catch {
    return undefined
  }
}

function marked(run: CallRun, place: number, { value, ageMs }: FallbackAnswer<unknown>, error: unknown): Answer<unknown> {
  const tier = run.plan.tierOrder[place] ?? 'default'
  addMark(run.parent?.facts, { call: run.plan.name, tier, ...(ageMs !== null && { ageMs }) })
  return { value, degraded: { tier, ageMs, why: whyOf(error) } }
}
