import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { alike } from './alike.js'
import { boundText } from './bound-text.js'
import { type CheckReport, type Coverage, inOrder, summaryOf } from './check-report.js'
import { type FramePlace, frameLines } from './frame.js'
import { type Palette, plainStyle, type TextStyle } from './palette.js'
import { printable } from './printable.js'
import { textWidth } from './text-width.js'
import { wrap } from './wrap.js'

/** Findings for people: the sentence, the arithmetic, the path, both places, what follows, what to change; then what was and was not looked at. */
export function textReport(report: CheckReport, style: TextStyle = plainStyle): string {
  const findings = alike(inOrder(report.diagnostics)).map((group) => groupLines(group, report, style).join('\n'))
  return `${[...findings, summaryLine(report, style.palette)].join('\n\n')}\n`
}

/** The first of findings that say the same, and where the others are. */
function groupLines([first, ...others]: readonly Diagnostic[], report: CheckReport, style: TextStyle): string[] {
  if (!first) return []
  const lines = findingLines(first, report, style)
  if (others.length === 0) return lines
  const places = others.map(({ spot }) => placeOf(spot).line).join(', ')
  const more = wrap(`the same at ${others.length} more places of this file, in lines ${places}`, style.width - 2, '  ')
  return [...lines, ...indented(more.map(style.palette.faint))]
}

function findingLines(one: Diagnostic, report: CheckReport, style: TextStyle): string[] {
  const { palette } = style
  const inner: TextStyle = { ...style, width: style.width - 2 }
  const lines = headLines(one, style)
  lines.push(...indented(pathLines(one, report, inner)))
  lines.push(...indented(frameLines(placesOf(one, palette), inner)))
  if (one.why !== '') lines.push(...indented(wrap(printable(one.why), inner.width).map(palette.faint)))
  for (const consequence of one.consequences) {
    lines.push(...indented(wrap(`so: ${printable(consequence.message)}`, inner.width, '    ')))
  }
  lines.push(...indented(fixLines(one, inner)))
  return lines
}

function headLines(one: Diagnostic, { palette, width }: TextStyle): string[] {
  const head = `${one.severity} ${one.rule}`
  const [first = '', ...rest] = wrap(`${head}  ${printable(one.message)}`, width, '  ')
  return [painted(one.severity, palette)(head) + palette.strong(first.slice(head.length)), ...rest.map(palette.strong)]
}

function painted(severity: Severity, palette: Palette): (text: string) => string {
  return severity === 'error' ? palette.error : severity === 'warning' ? palette.warning : palette.info
}

/** `app 5s > gateway 4s > payments (2 attempts x 2 s = 4 s)`: on one line where it fits, else the arithmetic stands above. */
function pathLines(one: Diagnostic, report: CheckReport, { width }: TextStyle): string[] {
  const path = printable(pathText(one, report))
  const sum = printable(one.arithmetic)
  if (sum === '') return path === '' ? [] : wrap(path, width, '  ')
  if (path === '') return wrap(sum, width, '  ')
  const together = `${path} (${sum})`
  if (textWidth(together) <= width) return [together]
  return [...wrap(sum, width, '  '), ...wrap(path, width, '  ')]
}

function pathText(one: Diagnostic, report: CheckReport): string {
  return one.path.map((operation, index) => `${operation}${limitAfter(one, index, report)}`).join(' > ')
}

/** How long an operation of a path waits for the next one. */
function limitAfter(one: Diagnostic, index: number, report: CheckReport): string {
  const [from, to] = [one.path[index], one.path[index + 1]]
  if (from === undefined || to === undefined) return ''
  const ms = one.pathBoundsMs[index]
  if (typeof ms === 'number') return ` ${boundText({ state: 'bounded', boundMs: ms })}`
  const hop = report.hopOf(from, to)
  return hop ? ` ${boundText({ state: hop.state === 'bounded' ? 'unknown' : hop.state, boundMs: null })}` : ''
}

/** The caller's place first, then the finding's own: the outer layer stands to the left of the inner one. */
function placesOf(one: Diagnostic, palette: Palette): FramePlace[] {
  const own = { spot: one.spot, label: one.label, paint: painted(one.severity, palette) }
  const [first, ...rest] = one.related.map((place) => ({ ...place, paint: palette.place }))
  return first ? [first, own, ...rest] : [own]
}

function fixLines(one: Diagnostic, { palette, width }: TextStyle): string[] {
  const explain = `sandglass explain ${one.rule}`
  if (!one.suggestion) return [palette.faint(explain)]
  const fix = wrap(`fix: ${printable(one.suggestion.text)}`, width, '     ')
  const last = fix[fix.length - 1] ?? ''
  const column = Math.max(Math.floor((width + 2) / 2) - 1, textWidth(last) + 3)
  const paint = (line: string) => (line.startsWith('fix: ') ? palette.good('fix: ') + line.slice(5) : line)
  if (column + explain.length > width) return [...fix.map(paint), palette.faint(explain)]
  return [...fix.slice(0, -1).map(paint), paint(last) + ' '.repeat(column - textWidth(last)) + palette.faint(explain)]
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd())
}

/** `3 errors, 2 warnings in 2 journeys, 14 calls (1 has no limit at all). Not read: 2 files, 1 service without data.` */
export function summaryLine(report: CheckReport, palette: Palette = plainStyle.palette): string {
  const { errors, warnings, infos } = summaryOf(report.diagnostics)
  const counts = [
    errors > 0 ? palette.error(counted(errors, 'error')) : '',
    warnings > 0 ? palette.warning(counted(warnings, 'warning')) : '',
    infos > 0 ? palette.info(counted(infos, 'info')) : '',
  ].filter((part) => part !== '')
  const found = counts.length === 0 ? palette.good('Nothing found') : counts.join(', ')
  return `${found} in ${coverageText(report.coverage)}`
}

/** What was looked at, and what was not, as the end of a sentence. */
export function coverageText(coverage: Coverage): string {
  const open = [
    coverage.unboundedCalls > 0 ? `${coverage.unboundedCalls} ${coverage.unboundedCalls === 1 ? 'has' : 'have'} no limit at all` : '',
    coverage.unknownCalls > 0 ? `${coverage.unknownCalls} ${coverage.unknownCalls === 1 ? 'is' : 'are'} unknown` : '',
  ].filter((part) => part !== '')
  const missing = [
    coverage.notRead.length > 0 ? counted(coverage.notRead.length, 'file') : '',
    coverage.servicesWithoutData.length > 0 ? `${counted(coverage.servicesWithoutData.length, 'service')} without data` : '',
  ].filter((part) => part !== '')
  const where = coverage.files === undefined ? counted(coverage.journeys, 'journey') : counted(coverage.files, 'file')
  const seen = `${where}, ${counted(coverage.calls, 'call')}${open.length > 0 ? ` (${open.join(', ')})` : ''}.`
  return missing.length > 0 ? `${seen} Not read: ${missing.join(', ')}.` : `${seen} Nothing was left out.`
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
