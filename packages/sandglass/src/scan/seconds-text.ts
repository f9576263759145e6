/** A time as code and documentation name it: in seconds, or in ms below one; `300 s`, `1.5 s`, `800 ms`. */
export function secondsText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${Number((ms / 1000).toFixed(3))} s`
}
