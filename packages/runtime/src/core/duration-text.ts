import { longestDurationMs } from './duration.js'

/**
 * A duration for people: `700 ms`, `2.8 s` (at most three decimals, below 120 s), then `2m30s`, `1h5m`, `1d2h`.
 *
 * Any number is accepted: `Infinity` reads `no limit`, `NaN` reads `unknown`, a negative one keeps its sign.
 */
export function formatDuration(ms: number): string {
  if (Number.isNaN(ms)) return 'unknown'
  if (ms < 0) return `-${formatDuration(-ms)}`
  if (ms === Number.POSITIVE_INFINITY) return 'no limit'
  const fineMs = Math.round(ms * 1000) / 1000
  if (fineMs < 1000) return `${fineMs} ms`
  const wholeMs = Math.round(ms)
  return wholeMs < 120_000 ? `${wholeMs / 1000} s` : compound(wholeMs)
}

/**
 * A duration as it is written into a chain file (`700ms`, `2.8s`, `2m30s`); `parseDuration` reads it back to the same ms.
 *
 * Whole ms round-trip exactly, fractions to the microsecond. Throws RangeError outside 0 … 9 999 999 999.
 */
export function durationText(ms: number): string {
  if (!(ms >= 0 && ms <= longestDurationMs)) throw new RangeError(`a duration must be 0 to ${longestDurationMs} ms, not ${ms}`)
  const fineMs = Math.round(ms * 1000) / 1000
  if (fineMs < 1000 || !Number.isInteger(fineMs)) return `${fineMs}ms`
  return fineMs < 120_000 ? `${fineMs / 1000}s` : compound(fineMs)
}

function compound(wholeMs: number): string {
  const days = Math.floor(wholeMs / 86_400_000)
  const hours = Math.floor(wholeMs / 3_600_000) % 24
  const minutes = Math.floor(wholeMs / 60_000) % 60
  const seconds = (wholeMs % 60_000) / 1000
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'm'],
    [seconds, 's'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join('')
}
