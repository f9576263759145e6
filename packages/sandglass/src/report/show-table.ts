import { formatDuration } from '@sandglass/runtime/core'
import { boundMs } from '../model/arithmetic.js'
import type { Journey } from '../model/chain.js'
import type { Factor } from '../model/diagnostic.js'
import { type Origin, placeOf } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { boundText } from './bound-text.js'
import { journeyTimes } from './chain-report.js'
import { columns } from './columns.js'
import { plainStyle, type TextStyle } from './palette.js'
import { printable } from './printable.js'
import { rowFactors, type ShowRow, showRows } from './show-rows.js'

const MAX_ROWS = 1000
const MAX_INDENT = 20
const HEADINGS = ['HOP', 'BOUND', 'KIND', 'FACTORS', 'ORIGIN'] as const

/** The effective chain for people: under each journey one line a hop with its effective bound, what it limits, what it is made of and where that stands. */
export function showTable(view: View, style: TextStyle = plainStyle): string {
  const { rows, leftOut } = showRows(view, MAX_ROWS)
  const sections = [...byJourney(rows)].map(([journey, hops]) => sectionOf(journey, hops, view, style))
  for (const { journey } of view.journeys) {
    if (!rows.some((row) => row.journey === journey)) sections.push(headOf(journey, view, style))
  }
  if (leftOut > 0) sections.push(`… ${leftOut} more hops are not shown; choose a journey with --journey, or take --format json`)
  return `${sections.join('\n\n')}\n`
}

function byJourney(rows: readonly ShowRow[]): ReadonlyMap<Journey | null, ShowRow[]> {
  const sections = new Map<Journey | null, ShowRow[]>()
  for (const row of rows) {
    const known = sections.get(row.journey)
    if (known) known.push(row)
    else sections.set(row.journey, [row])
  }
  return sections
}

function sectionOf(journey: Journey | null, hops: readonly ShowRow[], view: View, style: TextStyle): string {
  const { palette } = style
  const cells = hops.map((row) => cellsOf(row, view))
  const [heading = '', ...lines] = columns([HEADINGS, ...cells])
  const body = lines.map((line, index) => (hops[index]?.visit.bound.state === 'unbounded' ? palette.error(line) : line))
  return [headOf(journey, view, style), `  ${palette.faint(heading)}`, ...body.map((line) => `  ${line}`)].join('\n')
}

function headOf(journey: Journey | null, view: View, { palette }: TextStyle): string {
  if (!journey) return palette.strong('reached by no journey')
  const times = journeyTimes(view).find(({ name }) => name === journey.name)
  const rate = journey.ratePerS?.value
  const parts = [
    journey.promiseMs ? `promise ${limitText(journey.promiseMs.value)}` : 'no promise',
    `worst ${times?.worstMs == null ? 'not known' : formatDuration(times.worstMs)}`,
    `typical ${times?.typicalMs == null ? 'not known' : formatDuration(times.typicalMs)}`,
    ...(typeof rate === 'number' ? [`${rate}/s`] : []),
  ]
  return `${palette.strong(printable(journey.name))}  starts at ${printable(journey.starts.value)}, ${parts.join(', ')}`
}

function limitText(value: number | string): string {
  return typeof value === 'number' ? formatDuration(value) : value
}

function cellsOf(row: ShowRow, view: View): readonly string[] {
  const { call, bound } = row.visit
  const factors = rowFactors(row)
  const marks = [
    call.optional.value ? 'optional' : '',
    call.async.value ? 'async' : '',
    isTogether(row) ? 'together' : '',
    row.isShownElsewhere ? 'its calls: see above' : '',
    call.callee === null ? 'names nothing' : '',
  ].filter((mark) => mark !== '')
  const hop = `${' '.repeat(Math.min(row.depth, MAX_INDENT) * 2)}${row.depth > MAX_INDENT ? `(${row.depth}) ` : ''}${row.depth === 0 ? `${call.from.id} ` : ''}> ${call.to.value}`
  const loud = call.callee ? view.flow.callAmplification(call).value : 1
  if (loud > 1.0001) marks.push(`x${Math.round(loud * 100) / 100}`)
  return [
    printable(hop),
    boundText({ state: bound.state, boundMs: boundMs(bound) }),
    bound.state === 'bounded' ? bound.kind : '-',
    printable([factors.map(factorText).join(', '), ...marks].join('; ')),
    printable(originsText(factors)),
  ]
}

function isTogether({ visit: { call } }: ShowRow): boolean {
  return call.from.steps.some((step) => step.kind === 'parallel' && step.calls.length > 1 && step.calls.includes(call))
}

function factorText({ name, value, unit }: Factor): string {
  if (value === null) return `no ${name}`
  if (unit === 'ms' && typeof value === 'number') return `${name} ${boundText({ state: 'bounded', boundMs: value })}`
  return `${name} ${value}`
}

function originsText(factors: readonly Factor[]): string {
  const texts = [...new Set(factors.map(({ origin }) => originText(origin)))]
  return texts.length > 3 ? `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more` : texts.join(', ')
}

/** `file:line`, and of which product's default or from what it was learnt. */
export function originText(origin: Origin): string {
  const { file, line } = placeOf(origin.spot)
  const at = `${file}:${line}`
  if (origin.kind === 'declared') return at
  if (origin.kind === 'inferred') return `${at} (from ${origin.from})`
  if (origin.product === 'sandglass') return `${at} (not written)`
  return `${at} (default of ${origin.product}${origin.version === null ? '' : ` ${origin.version}`})`
}
