import { durationText, longestDurationMs } from '@sandglass/runtime/core'

/** A bound in a word or two, as it could stand in a chain file: `1.45s`, `no limit`, `unknown`. */
export function boundText(bound: { readonly state: 'bounded' | 'unbounded' | 'unknown'; readonly boundMs: number | null }): string {
  if (bound.state === 'unbounded') return 'no limit'
  if (bound.state === 'unknown' || bound.boundMs === null) return 'unknown'
  return durationText(Math.min(Math.max(bound.boundMs, 0), longestDurationMs))
}
