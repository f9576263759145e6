import type { Latency } from './chain.js'

export type HistogramResult =
  | { readonly ok: true; readonly latency: Extract<Latency, { kind: 'histogram' }> }
  | { readonly ok: false; readonly message: string }

/** Reads `{ "boundsMs": [1, 2, 5], "counts": [10, 40, 3] }`: upper bounds of buckets, and how many fell in each. */
export function readHistogram(text: string, file: string): HistogramResult {
  const expected = `${file}: expected { "boundsMs": [rising upper bounds in ms], "counts": [one count a bound] }`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, message: `${file}: not JSON; ${expected}` }
  }
  const { boundsMs, counts } = (value ?? {}) as { boundsMs?: unknown; counts?: unknown }
  if (!isNumbers(boundsMs) || !isNumbers(counts) || boundsMs.length === 0) return { ok: false, message: expected }
  if (counts.length !== boundsMs.length)
    return { ok: false, message: `${expected}; found ${boundsMs.length} bounds and ${counts.length} counts` }
  if (boundsMs.some((bound, i) => i > 0 && bound <= (boundsMs[i - 1] ?? 0)))
    return { ok: false, message: `${expected}; the bounds do not rise` }
  if (counts.every((count) => count === 0)) return { ok: false, message: `${expected}; every count is 0` }
  return { ok: true, latency: { kind: 'histogram', file, boundsMs, counts } }
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number' && Number.isFinite(item) && item >= 0)
}
