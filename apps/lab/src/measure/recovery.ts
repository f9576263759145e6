import type { SentRequest } from '../load/sent-request.js'

/** Goodput is back when this share of its usual is reached, for as long as the window lasts. */
export const RECOVERED = { share: 0.95, windowMs: 1000, stepMs: 100 } as const

/** Whether a request was answered well and in time. */
export function isUseful({ end, latencyMs }: SentRequest, promiseMs: number): boolean {
  return (end === 'full' || end === 'degraded') && latencyMs <= promiseMs
}

/**
 * How long after the end of the fault requests are again answered as usual (ms): the first instant from which the share of useful
 * answers, of the requests sent in each window from then on, is 95 % of what it was before the fault. Null where it is not within the run.
 */
export function recoveryMs(
  requests: readonly SentRequest[],
  {
    promiseMs,
    warmupMs,
    faultFromMs,
    faultToMs,
    durationMs,
  }: { promiseMs: number; warmupMs: number; faultFromMs: number; faultToMs: number; durationMs: number },
): number | null {
  const usual = shareBetween(requests, warmupMs, faultFromMs, promiseMs) ?? 1
  if (usual === 0) return null
  const lastFrom = durationMs - RECOVERED.windowMs
  let backAt: number | null = null
  for (let from = lastFrom; from >= faultToMs; from -= RECOVERED.stepMs) {
    const share = shareBetween(requests, from, from + RECOVERED.windowMs, promiseMs)
    if (share !== null && share < RECOVERED.share * usual) break
    backAt = from
  }
  return backAt === null ? null : Math.max(0, backAt - faultToMs)
}

/** The share of useful answers among the requests that were to be sent between two instants; null where there was none. */
export function shareBetween(requests: readonly SentRequest[], fromMs: number, toMs: number, promiseMs: number): number | null {
  const sent = requests.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs)
  return sent.length === 0 ? null : sent.filter((one) => isUseful(one, promiseMs)).length / sent.length
}
