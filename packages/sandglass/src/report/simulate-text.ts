import { formatDuration } from '@sandglass/runtime/core'
import type { Interval } from '../simulate/interval.js'
import type { JourneyMeasures, OperationMeasures } from '../simulate/measure.js'
import { columns } from './columns.js'
import type { TextStyle } from './palette.js'
import { printable } from './printable.js'
import { entriesOf, halfWidthOf, type Measured, meanOf, type ReportArm, type SimulateReport, seriesOf } from './simulate-report.js'

type Cells = readonly string[]

/** A simulation for people: each journey's outcome, where the time went, who ran out of slots, goodput over time. */
export function simulateText(report: SimulateReport, style: TextStyle): string {
  const { facts, arms, sweep } = report
  const { palette } = style
  const lines = [`${palette.strong(printable(facts.name))}  ${printable(facts.summary)}`]
  for (const { text, atMs, endsAtMs } of facts.faults) {
    lines.push(`${palette.warning('fault')}  ${printable(text)}, from ${formatDuration(atMs)} to ${formatDuration(endsAtMs)}`)
  }
  if (sweep !== null) return [...lines, '', ...sweepTable(report), ''].join('\n')
  const many = arms.length > 1
  lines.push(
    '',
    ...table(JOURNEY_HEAD, many, arms, ({ result }) => entriesOf(result.journeys).map(([name, one]) => journeyRow(name, one)), style),
  )
  lines.push('', ...goodputLines(report, style))
  lines.push(
    '',
    ...table(
      OPERATION_HEAD,
      many,
      arms,
      ({ result }) =>
        entriesOf(result.operations)
          .filter(([, one]) => (meanOf(one.arrivals) ?? 0) > 0)
          .map(([name, one]) => operationRow(name, one)),
      style,
    ),
  )
  lines.push('', ...arms.flatMap((arm) => exhaustedLines(arm, many)))
  const first = arms[0]?.result
  if (first && first.seeds.length > 1)
    lines.push(`seeds ${first.seeds[0]} to ${first.seeds[first.seeds.length - 1]}; ± is half of the 99 % interval`)
  const speed = meanOf(first?.eventsPerSecond)
  if (speed !== null) lines.push(`${counted(speed)} events a second`)
  const text = `${lines.join('\n').trimEnd()}\n`
  return style.ascii ? text.replaceAll('±', '+-') : text
}

const JOURNEY_HEAD: Cells = [
  'journey',
  'offered',
  'succeeded',
  'degraded',
  'late',
  'failed',
  'goodput',
  'p50',
  'p99',
  'attempts',
  'recovery',
]
const OPERATION_HEAD: Cells = [
  'operation',
  'per request',
  'busy',
  'waiting',
  'mean wait',
  'p99 wait',
  'useful',
  'dropped',
  'rejected',
  'orphaned work',
]

function table(
  head: Cells,
  many: boolean,
  arms: readonly ReportArm[],
  rowsOf: (arm: ReportArm) => Cells[],
  { palette }: TextStyle,
): string[] {
  const rows = arms.flatMap((arm) => rowsOf(arm).map((row) => (many ? [printable(arm.name), ...row] : row)))
  const [first = '', ...rest] = columns([many ? ['chain', ...head] : head, ...rows])
  return [palette.faint(first), ...rest]
}

function journeyRow(name: string, one: JourneyMeasures<number> | JourneyMeasures<Interval>): Cells {
  const offered = meanOf(one.offered) ?? 0
  return [
    printable(name),
    counted(offered),
    share(one.succeeded, offered),
    share(one.degraded, offered),
    share(one.late, offered),
    share(one.failed, offered),
    `${number(one.goodputPerS)}/s`,
    duration(one.p50Ms),
    duration(one.p99Ms),
    number(one.attemptsPerRequest),
    one.recoveryMs === null ? 'none' : duration(one.recoveryMs),
  ]
}

function operationRow(name: string, one: OperationMeasures<number> | OperationMeasures<Interval>): Cells {
  const arrivals = meanOf(one.arrivals) ?? 0
  return [
    printable(name),
    number(one.amplification),
    number(one.busyMean),
    number(one.meanQueue),
    wait(one.meanWaitMs),
    wait(one.p99WaitMs),
    share(one.useful, arrivals),
    share(one.expiredDropped, arrivals),
    share(one.rejected, arrivals),
    (meanOf(one.orphanedMs) ?? 0) === 0 ? '-' : `${digits((meanOf(one.orphanedMs) ?? 0) / 1000)} s`,
  ]
}

function exhaustedLines({ name, result }: ReportArm, many: boolean): string[] {
  const out: string[] = []
  for (const [service, { slots, exhaustedAtMs }] of entriesOf(result.resources)) {
    const at = meanOf(exhaustedAtMs)
    if (at !== null)
      out.push(
        `${many ? `${printable(name)}: ` : ''}${printable(service)} ran out of its ${slots} slots at ${formatDuration(Math.round(at))}`,
      )
  }
  return out
}

function goodputLines({ arms, facts }: SimulateReport, { ascii, width, palette }: TextStyle): string[] {
  const rows = arms.flatMap(({ name, result }) =>
    entriesOf(result.series.journeys).map(([journey, { goodputPerS }]) => ({
      label: printable(arms.length > 1 ? `${name} ${journey}` : journey),
      values: seriesOf(goodputPerS),
    })),
  )
  const most = Math.max(1, ...rows.flatMap(({ values }) => values))
  const head = `goodput over time, 0 to ${formatDuration(facts.durationMs)}; the highest is ${counted(most)}/s`
  const labelled = columns(rows.map(({ label }) => [label, '|'])).map((text) => text.slice(0, -1))
  return [
    palette.faint(head),
    ...rows.map(({ values }, i) => `${labelled[i]}${sparkline(values, most, Math.max(10, width - (labelled[i]?.length ?? 0)), ascii)}`),
  ]
}

/** Values as one line of blocks: the mean of those that share a column; nothing at all is a blank. */
function sparkline(values: readonly number[], most: number, width: number, ascii: boolean): string {
  const marks = ascii ? ' .:-=+*#' : ' ▁▂▃▄▅▆▇█'
  const columnCount = Math.min(width, values.length)
  return Array.from({ length: columnCount }, (_, column) => {
    const from = Math.floor((column * values.length) / columnCount)
    const to = Math.max(from + 1, Math.floor(((column + 1) * values.length) / columnCount))
    const mean = values.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from)
    return marks[mean <= 0 ? 0 : Math.max(1, Math.round((mean / most) * (marks.length - 1)))]
  }).join('')
}

function sweepTable({ sweep }: SimulateReport): string[] {
  if (sweep === null) return []
  const rows = sweep.points.flatMap((point) =>
    entriesOf(point.journeys).map(([name, one]) => [sweptText(point.value, sweep.sweep.unit), ...journeyRow(name, one)]),
  )
  return columns([[printable(sweep.sweep.target), ...JOURNEY_HEAD], ...rows])
}

/** A swept value with its unit. */
export function sweptText(value: number, unit: string): string {
  if (unit === 'ms') return formatDuration(value)
  if (unit === 'perS') return `${Number(value.toPrecision(6))}/s`
  return unit === 'share' ? `${Number((value * 100).toPrecision(6))} %` : String(value)
}

function counted(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ')
}

function number(value: Measured): string {
  const mean = meanOf(value)
  if (mean === null) return '-'
  const half = halfWidthOf(value)
  return half > 0 ? `${digits(mean)} ±${digits(half)}` : digits(mean)
}

function digits(value: number): string {
  if (Math.abs(value) >= 1000) return counted(value)
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function share(part: Measured, whole: number): string {
  const mean = meanOf(part) ?? 0
  if (mean === 0 || whole === 0) return '-'
  const half = halfWidthOf(part)
  return `${percent(mean / whole)}${half > 0 ? ` ±${percent(half / whole)}` : ''} %`
}

function percent(value: number): string {
  const hundred = value * 100
  return hundred >= 99.95 || hundred < 0.005 ? hundred.toFixed(hundred >= 99.95 ? 0 : 3) : hundred.toFixed(hundred < 10 ? 2 : 1)
}

function wait(value: Measured): string {
  return meanOf(value) === 0 ? '-' : duration(value)
}

function duration(value: Measured): string {
  const mean = meanOf(value)
  if (mean === null) return '-'
  const half = halfWidthOf(value)
  return half > 0 ? `${roundedDuration(mean)} ±${roundedDuration(half)}` : roundedDuration(mean)
}

function roundedDuration(ms: number): string {
  return formatDuration(ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(3)))
}
