import { CallTimeout } from '../service/http-error.js'
import type { Protect } from './guarded-call.js'
import { withFallback } from './static-fallback.js'

/** Limits as most clients have them: a timer for each attempt, one for all of them, retries on any failure. */
export const protectPlainly: Protect = (call, ask, counters) =>
  withFallback(call, counters, async (key) => {
    const startedAt = performance.now()
    const endsAt = startedAt + (call.timeoutMs ?? Infinity)
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTime(call.to, Math.min(call.attemptMs ?? Infinity, endsAt - performance.now()), (signal) =>
          ask(call.to, signal, key, call.idempotencyKey),
        )
      } catch (error) {
        if (attempt >= call.attempts || performance.now() >= endsAt) throw error
        const waitMs = Math.random() * Math.min(call.backoffMaxMs, call.backoffBaseMs * 2 ** (attempt - 1))
        if (performance.now() + waitMs >= endsAt) throw error
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        counters.retries += 1
      }
    }
  })

/** Gives work a time limit: it is told by its signal, and not waited for. */
export async function inTime<T>(to: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  if (limitMs === Infinity) return work(controller.signal)
  const timer = setTimeout(() => controller.abort(new CallTimeout(to, limitMs)), Math.max(1, limitMs))
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
