/** One line of a chart: values in windows of equal length, from 0 on. */
export interface ChartLine {
  readonly name: string
  readonly color: string
  readonly values: readonly number[]
  readonly isDashed?: boolean
}

/** What a chart shows. Times in ms. */
export interface Chart {
  readonly title: string
  readonly unit: string
  readonly lines: readonly ChartLine[]
  readonly windowMs: number
  readonly durationMs: number
  /** A stretch that is marked, with what it is. */
  readonly band: { readonly fromMs: number; readonly toMs: number; readonly text: string } | null
}

const SIZE = { width: 860, height: 300, left: 52, right: 104, top: 46, bottom: 38 } as const

/** Draws a chart as SVG that stands alone; light or dark as the reader's system is. */
export function lineChart(chart: Chart): string {
  const most = niceTop(Math.max(1, ...chart.lines.flatMap(({ values }) => values)))
  const x = (atMs: number): number => round(SIZE.left + (atMs / chart.durationMs) * (SIZE.width - SIZE.left - SIZE.right))
  const y = (value: number): number => round(SIZE.height - SIZE.bottom - (value / most) * (SIZE.height - SIZE.top - SIZE.bottom))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${escaped(chart.title)}" font-family="system-ui, sans-serif" font-size="12">
<style>.bg{fill:#fff}.ink{fill:#1f2328}.dim{fill:#59636e}.grid{stroke:#d1d9e0}.band{fill:#cf222e;fill-opacity:.09}@media (prefers-color-scheme:dark){.bg{fill:#0d1117}.ink{fill:#f0f6fc}.dim{fill:#9198a1}.grid{stroke:#3d444d}.band{fill-opacity:.22}}</style>
<rect class="bg" width="${SIZE.width}" height="${SIZE.height}" rx="6"/>
<text class="ink" x="${SIZE.left}" y="22" font-size="14" font-weight="600">${escaped(chart.title)}</text>
${band(chart, x)}
${yGrid(most, chart.unit, y)}
${xAxis(chart.durationMs, x)}
${chart.lines.map((line) => path(line, chart.windowMs, x, y)).join('\n')}
${labels(chart.lines, y)}
</svg>`
}

function band({ band }: Chart, x: (ms: number) => number): string {
  if (band === null) return ''
  const [from, to] = [x(band.fromMs), x(band.toMs)]
  return `<rect class="band" x="${from}" y="${SIZE.top}" width="${round(to - from)}" height="${SIZE.height - SIZE.top - SIZE.bottom}"/><text class="dim" x="${round((from + to) / 2)}" y="${SIZE.top - 6}" text-anchor="middle">${escaped(band.text)}</text>`
}

function yGrid(most: number, unit: string, y: (value: number) => number): string {
  return [0, 1, 2, 3, 4]
    .map((i) => (most * i) / 4)
    .map(
      (value, i) =>
        `<line class="grid" x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y(value)}" y2="${y(value)}"/><text class="dim" x="${SIZE.left - 8}" y="${y(value) + 4}" text-anchor="end">${number(value)}${i === 4 ? unit : ''}</text>`,
    )
    .join('')
}

function xAxis(durationMs: number, x: (ms: number) => number): string {
  const stepS = durationMs > 40_000 ? 10 : durationMs > 20_000 ? 5 : 2
  const seconds = Array.from({ length: Math.floor(durationMs / 1000 / stepS) + 1 }, (_, i) => i * stepS)
  return seconds.map((s) => `<text class="dim" x="${x(s * 1000)}" y="${SIZE.height - 14}" text-anchor="middle">${s} s</text>`).join('')
}

function path(
  { name, color, values, isDashed }: ChartLine,
  windowMs: number,
  x: (ms: number) => number,
  y: (value: number) => number,
): string {
  const points = values.map((value, i) => `${x((i + 0.5) * windowMs)},${y(value)}`)
  return `<polyline fill="none" stroke="${color}" stroke-width="${isDashed === true ? 1.3 : 2.4}"${isDashed === true ? ' stroke-dasharray="3 4" stroke-opacity=".8"' : ''} stroke-linejoin="round" points="${points.join(' ')}"><title>${escaped(name)}</title></polyline>`
}

/** Names beside the ends of their lines, moved apart where they would lie on each other. */
function labels(lines: readonly ChartLine[], y: (value: number) => number): string {
  const solid = lines.filter(({ isDashed }) => isDashed !== true)
  const placed = solid.map((line) => ({ line, at: y(line.values.at(-1) ?? 0) })).sort((a, b) => a.at - b.at)
  for (let i = 1; i < placed.length; i++) placed[i]!.at = Math.max(placed[i]!.at, placed[i - 1]!.at + 15)
  const below = (placed.at(-1)?.at ?? 0) - (SIZE.height - SIZE.bottom)
  return placed
    .map(
      ({ line, at }) =>
        `<text x="${SIZE.width - SIZE.right + 8}" y="${round(at - Math.max(0, below) + 4)}" fill="${line.color}" font-weight="600">${escaped(line.name)}</text>`,
    )
    .join('')
}

/** A round number at or above the largest value. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= most) ?? most
}

function number(value: number): string {
  return value >= 10_000 ? `${Math.round(value / 1000)}k` : String(round(value))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** A text as it may stand in HTML and SVG. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
