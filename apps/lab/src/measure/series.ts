import type { SentRequest } from '../load/sent-request.js'
import type { Counters } from '../service/counters.js'
import { isUseful } from './recovery.js'

/** Useful answers per second, window by window, by the instant they came: what a dashboard shows, and what the simulator counts. */
export function goodputSeries(requests: readonly SentRequest[], promiseMs: number, durationMs: number, windowMs = 1000): number[] {
  const windows = new Array<number>(Math.max(1, Math.ceil(durationMs / windowMs))).fill(0)
  for (const request of requests) {
    const window = Math.floor((request.intendedMs + request.latencyMs) / windowMs)
    if (isUseful(request, promiseMs) && window < windows.length) windows[window]! += 1000 / windowMs
  }
  return windows
}

/** Requests that were to be sent per second, window by window. */
export function offeredSeries(requests: readonly SentRequest[], durationMs: number, windowMs = 1000): number[] {
  const windows = new Array<number>(Math.max(1, Math.ceil(durationMs / windowMs))).fill(0)
  for (const { intendedMs } of requests) windows[Math.min(windows.length - 1, Math.floor(intendedMs / windowMs))]! += 1000 / windowMs
  return windows
}

/** One number of all services of a run, sampled: the largest in each window. */
export function sampledSeries(
  samples: readonly { readonly atMs: number; readonly services: Readonly<Record<string, Counters>> }[],
  of: (services: Readonly<Record<string, Counters>>) => number,
  durationMs: number,
  windowMs = 500,
): number[] {
  const windows = new Array<number>(Math.max(1, Math.ceil(durationMs / windowMs))).fill(0)
  for (const { atMs, services } of samples) {
    const window = Math.floor(atMs / windowMs)
    if (window >= 0 && window < windows.length) windows[window] = Math.max(windows[window]!, of(services))
  }
  return windows
}
