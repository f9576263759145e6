import { formatDuration } from '@sandglass/runtime/core'
import { percent } from '../plan/percent.js'
import type { ChainPlan, JourneyPlan, PlannedCall } from '../plan/plan.js'
import { PLAN_BASIS } from '../plan/plan-call.js'
import { type PlanChange, planChange } from '../plan/plan-change.js'
import type { RuleOfThumb } from '../plan/rules-of-thumb.js'
import { columns } from './columns.js'
import { plainStyle, type TextStyle } from './palette.js'
import { printable } from './printable.js'
import { counted } from './text.js'
import { wrap } from './wrap.js'

const MARKS: Readonly<Record<PlanChange['kind'], string>> = { added: '+', changed: '~', same: '=', fixed: '=' }
const LEGEND = '+ gets a limit   ~ other limits   = stays as it is'

const THUMBS: Readonly<Record<RuleOfThumb, string>> = {
  equal: 'equal split',
  mean: 'in proportion to means',
  p99: 'in proportion to p99s',
  'p99x1.5': 'p99 x 1.5, as far as it fits',
}

/** A plan for people: each journey with what changes and why, the rules of thumb beside it, and what would make it fit. */
export function planText(plan: ChainPlan, style: TextStyle = plainStyle): string {
  const { palette } = style
  const sections = plan.journeys.map((journey) => journeyLines(journey, style).join('\n'))
  const left = plan.notPlanned.map(({ journey, why }) => printable(`${journey} is not planned: ${why}`))
  const calls = plan.journeys.filter(({ feasible }) => feasible).flatMap(({ calls: planned }) => planned)
  const legend = calls.length > 0 ? [palette.faint(LEGEND)] : []
  return `${[...sections, [...left, ...legend, countLine(plan)].join('\n')].join('\n\n')}\n`
}

function journeyLines(journey: JourneyPlan, style: TextStyle): string[] {
  const { palette } = style
  return [
    headOf(journey, style),
    ...notesOf(journey, style),
    '',
    ...journey.calls.flatMap((call) => callLines(call, journey, style)),
    '',
    ...comparison(journey, style),
    ...(journey.waysOut.length > 0 ? ['', `  ${palette.strong('ways out')}`, ...waysOut(journey)] : []),
  ]
}

function headOf(journey: JourneyPlan, style: TextStyle): string {
  const { palette } = style
  const { name, promiseMs, usedMs, mode, gridMs } = journey
  const used = usedMs < promiseMs ? `, of which the shortest plan uses ${formatDuration(usedMs)}` : ''
  const kind = mode === 'static' ? `hard budgets in steps of ${formatDuration(gridMs)}` : 'one budget that every service sees'
  const verdict = journey.feasible ? palette.good(reaches(journey)) : palette.error(missing(journey))
  return [
    ...wrap(`${palette.strong(printable(name))}  promise ${formatDuration(promiseMs)}${used}; ${kind}`, style.width, '  '),
    ...wrap(`  ${verdict}`, style.width, '  '),
  ].join('\n')
}

function reaches({ success, unionBound }: JourneyPlan): string {
  return `fits: success ${percent(success)} if calls are slow independently of each other, at least ${percent(unionBound)} if they are not`
}

function missing({ shortByMs, success }: JourneyPlan): string {
  const best = `the most success within it is ${percent(success)}`
  if (!Number.isFinite(shortByMs)) return `does not fit: no promise is long enough; ${best}`
  return `does not fit: ${formatDuration(shortByMs)} too short; ${best}`
}

function notesOf({ notes }: JourneyPlan, { width }: TextStyle): string[] {
  return notes.flatMap(({ message }) => wrap(`  note: ${printable(message)}`, width, '    '))
}

function callLines(call: PlannedCall, journey: JourneyPlan, style: TextStyle): string[] {
  const { palette, width } = style
  const change = planChange(call)
  const [from, to] = call.path.slice(-2)
  const indent = '  '.repeat(Math.min(call.path.length - 1, MOST_INDENT))
  const mark = journey.feasible ? MARKS[change.kind] : '!'
  const head = `${indent}${paint(mark, style)} ${printable(`${from} > ${to}`)}   ${palette.strong(printable(change.text))}`
  const floor = `floor ${formatDuration(call.floorMs)}${call.reserveMs > 0 ? `, reserve ${formatDuration(call.reserveMs)}` : ''}`
  const rate = journey.feasible && call.timeoutRate >= 0.00005 ? `; ${percent(call.timeoutRate)} end at their limit` : ''
  const why = `${call.basis.slice(PLAN_BASIS.length)}${rate}; ${floor}`
  return [head, ...wrap(printable(why), Math.max(20, width - indent.length - 4)).map((line) => `${indent}    ${palette.faint(line)}`)]
}

const MOST_INDENT = 12

function paint(mark: string, { palette }: TextStyle): string {
  if (mark === '!') return palette.error(mark)
  if (mark === '=') return mark
  return mark === '+' ? palette.good(mark) : palette.warning(mark)
}

/** Success that is none. */
const NONE = 1e-6

/** What a reviewer asks: why not just … */
function comparison({ success, mode, calls, alternatives }: JourneyPlan, { palette }: TextStyle): string[] {
  const rows = [
    [mode === 'static' ? 'this plan' : 'this plan, one budget', percent(success)],
    ...alternatives.map(({ name, success: reached }) => [
      THUMBS[name],
      reached < NONE ? `${percent(reached)}, does not fit` : percent(reached),
    ]),
  ]
  const [head = '', ...lines] = columns([['limits chosen by', 'success'], ...rows])
  const isCapped = calls.some(({ planned, timeoutMs }) => timeoutMs >= planned.capMs)
  const caveat = isCapped ? [`  ${palette.faint('Rules of thumb do not look at pools; this plan does.')}`] : []
  return [`  ${palette.faint(head)}`, ...lines.map((line) => `  ${line}`), ...caveat]
}

function waysOut({ waysOut: ways }: JourneyPlan): string[] {
  const rows = ways.map(({ change, success, shortByMs }) => [printable(change), `success ${percent(success)}`, remainder(shortByMs)])
  return columns(rows).map((line) => `    ${line}`)
}

function remainder(shortByMs: number): string {
  if (shortByMs === 0) return 'fits'
  return Number.isFinite(shortByMs) ? `still ${formatDuration(shortByMs)} too short` : 'never fits'
}

function countLine({ journeys }: ChainPlan): string {
  const kinds = new Map<string, PlanChange['kind']>()
  for (const call of journeys.flatMap(({ calls }) => calls))
    kinds.set(`${call.planned.call.spot.source.file} ${call.planned.call.spot.start}`, planChange(call).kind)
  const count = (kind: PlanChange['kind']): number => [...kinds.values()].filter((each) => each === kind).length
  const unfit = journeys.filter(({ feasible }) => !feasible).length
  const same = count('same') + count('fixed')
  if (unfit > 0) return `Plan: ${counted(unfit, 'journey')} of ${journeys.length} ${unfit === 1 ? 'does' : 'do'} not fit.`
  if (same === kinds.size) return `No changes: ${counted(same, 'call')} as planned.`
  const parts = [
    count('added') > 0 ? `${count('added')} to add` : '',
    count('changed') > 0 ? `${count('changed')} to change` : '',
    same > 0 ? `${same} as ${same === 1 ? 'it is' : 'they are'}` : '',
  ]
  return `Plan: ${parts.filter((part) => part !== '').join(', ')}. Written with --write.`
}
