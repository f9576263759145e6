/** Ms with the unit a person would use: `250 ms`, `4.6 s`, `1 min 30 s`; `gap` stands between number and unit. */
export function durationText(ms: number, gap: '' | ' ' = ' '): string {
  if (!Number.isFinite(ms)) return 'for ever'
  const sign = ms < 0 ? '-' : ''
  const size = Math.abs(ms)
  if (size < 1000) return `${sign}${trimmed(size)}${gap}ms`
  if (size < 120_000) return `${sign}${trimmed(size / 1000)}${gap}s`
  return sign + longText(Math.round(size / 1000), gap)
}

function longText(seconds: number, gap: string): string {
  const units: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, gap === '' ? 'm' : 'min'],
    [seconds % 60, 's'],
  ]
  return units
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${gap}${unit}`)
    .join(gap)
}

/** At most three digits after the point, no trailing zeros. */
function trimmed(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
