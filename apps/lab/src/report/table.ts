import type { ArmSummary } from '../measure/summary.js'

/** An arm's numbers, and what was predicted of them. */
export interface ArmPair {
  readonly measured: ArmSummary
  readonly simulated: ArmSummary | null
}

/** A share as text: `99.9 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 1)} %`
}

/** A time as text; a dash for none. */
export function msText(value: number | null): string {
  if (value === null) return '-'
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`
}

const columns: readonly { readonly title: string; readonly of: (summary: ArmSummary) => string }[] = [
  { title: 'arm', of: ({ name }) => name },
  { title: 'answered', of: ({ answeredShare }) => percent(answeredShare) },
  { title: 'useful', of: ({ usefulShare }) => percent(usefulShare) },
  { title: 'degraded', of: ({ degradedShare }) => percent(degradedShare) },
  { title: 'useful under fault', of: ({ underFault }) => (underFault ? percent(underFault.usefulShare) : '-') },
  { title: 'goodput', of: ({ goodputPerS }) => `${goodputPerS.toFixed(1)}/s` },
  { title: 'p50', of: ({ p50Ms }) => msText(p50Ms) },
  { title: 'p99', of: ({ p99Ms }) => msText(p99Ms) },
  { title: 'back after', of: (summary) => (summary.underFault === null ? '-' : summary.recoveryMs === null ? 'never' : msText(summary.recoveryMs)) },
  { title: 'orphaned', of: ({ orphanedShare }) => percent(orphanedShare) },
  { title: 'most amplified', of: ({ amplification }) => mostAmplified(amplification) },
]

function mostAmplified(amplification: Readonly<Record<string, number>>): string {
  const [name, most] = Object.entries(amplification).sort(([, a], [, b]) => b - a)[0] ?? ['', 0]
  return `${most.toFixed(2)} ${name}`
}

/** The table arm by arm, what was simulated below what was measured. */
export function resultTable(pairs: readonly ArmPair[]): string {
  const rows = pairs.flatMap(({ measured, simulated }) => [
    columns.map(({ of }) => of(measured)),
    ...(simulated ? [columns.map(({ of }, i) => (i === 0 ? '  simulated' : of(simulated)))] : []),
  ])
  return aligned([columns.map(({ title }) => title), ...rows])
}

/** Lines of columns, the first to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  return rows.map((row) => row.map((cell, i) => (i === 0 || i === widths.length - 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ').trimEnd()).join('\n')
}
