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
  { title: 'under fault', of: ({ underFault }) => (underFault ? `${underFault.goodputPerS.toFixed(1)}/s` : '-') },
  { title: 'p50', of: ({ p50Ms }) => msText(p50Ms) },
  { title: 'p99', of: ({ p99Ms }) => msText(p99Ms) },
  {
    title: 'back after',
    of: (summary) => (summary.underFault === null ? '-' : summary.recoveryMs === null ? 'never' : msText(summary.recoveryMs)),
  },
  { title: 'orphaned', of: ({ orphanedShare }) => percent(orphanedShare) },
  { title: 'most amplified', of: ({ amplification }) => mostAmplified(amplification) },
]

function mostAmplified(amplification: Readonly<Record<string, number>>): string {
  const [name, most] = Object.entries(amplification).sort(([, a], [, b]) => b - a)[0] ?? ['', 0]
  return `${most.toFixed(2)} ${name}`
}

/** How near a prediction has to be: goodput and p50 within 10 %, p99 within 15 %. */
const NEAR = { goodputPerS: 0.1, p50Ms: 0.1, p99Ms: 0.15 } as const

/** A number that was both measured and simulated. */
export interface Difference {
  readonly what: keyof typeof NEAR
  /** (simulated - measured) / measured; null where one of them is missing. */
  readonly share: number | null
  readonly isNear: boolean
}

/** How far the prediction of an arm is from what was measured. */
export function differencesOf({ measured, simulated }: ArmPair): readonly Difference[] {
  if (simulated === null) return []
  return (Object.keys(NEAR) as (keyof typeof NEAR)[]).map((what) => {
    const [real, told] = [measured[what], simulated[what]]
    const share = real === null || told === null || real === 0 ? null : (told - real) / real
    return { what, share, isNear: share === null ? real === told : Math.abs(share) <= NEAR[what] }
  })
}

/** The table arm by arm: what was measured, what was simulated, and how far apart they are. */
export function resultTable(pairs: readonly ArmPair[]): string {
  const rows = pairs.flatMap((pair) => [
    columns.map(({ of }) => of(pair.measured)),
    ...(pair.simulated ? [columns.map(({ of }, i) => (i === 0 ? '  simulated' : of(pair.simulated!))), differenceRow(pair)] : []),
  ])
  return aligned([columns.map(({ title }) => title), ...rows])
}

function differenceRow(pair: ArmPair): string[] {
  const differences = differencesOf(pair)
  const text = (what: Difference['what']): string => {
    const found = differences.find((one) => one.what === what)
    if (found === undefined || found.share === null) return '-'
    return `${found.share >= 0 ? '+' : ''}${(found.share * 100).toFixed(1)} %${found.isNear ? '' : ' !'}`
  }
  return columns.map(({ title }, i) =>
    i === 0
      ? '  difference'
      : title === 'goodput'
        ? text('goodputPerS')
        : title === 'p50'
          ? text('p50Ms')
          : title === 'p99'
            ? text('p99Ms')
            : '',
  )
}

/** Lines of columns, the first to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 || i === widths.length - 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
