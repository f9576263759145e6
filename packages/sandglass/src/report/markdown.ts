import type { Diagnostic } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { type CheckReport, inOrder, summaryOf } from './check-report.js'
import { markdownCell } from './markdown-cell.js'
import { markedEdges } from './marked-edges.js'
import { mermaidDrawing } from './mermaid.js'
import { counted, coverageText } from './text.js'

/** A pull request's comment holds 65 536 characters; what does not fit is counted. */
const MAX_ROWS = 100

/** Findings as a pull-request comment: the chain drawn with the found calls marked, the findings in a folded table. */
export function markdownReport(report: CheckReport): string {
  const { errors, warnings, infos } = summaryOf(report.diagnostics)
  const all = errors + warnings + infos
  const counts = [counted(errors, 'error'), counted(warnings, 'warning'), ...(infos > 0 ? [counted(infos, 'note')] : [])].join(', ')
  const parts = [`### Sandglass: ${all === 0 ? 'nothing found' : counts}`, `In ${coverageText(report.coverage)}`]
  if (report.drawing.nodes.length > 0) parts.push(`\`\`\`mermaid\n${mermaidDrawing(report.drawing, markedEdges(report.diagnostics))}\`\`\``)
  if (all > 0) parts.push(tableOf(inOrder(report.diagnostics)))
  return `${parts.join('\n\n')}\n`
}

function tableOf(diagnostics: readonly Diagnostic[]): string {
  const rows = diagnostics.slice(0, MAX_ROWS).map(rowOf)
  const rest = diagnostics.length - rows.length
  const lines = [
    '<details>',
    `<summary>${counted(diagnostics.length, 'finding')}</summary>`,
    '',
    '| | rule | finding | where | fix |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ]
  if (rest > 0) lines.push(`… and ${counted(rest, 'more finding')}: \`sandglass check\` shows all.`, '')
  return [...lines, '</details>'].join('\n')
}

function rowOf(one: Diagnostic): string {
  const { file, line } = placeOf(one.spot)
  const sum = one.arithmetic === '' ? '' : `<br>${markdownCell(one.arithmetic)}`
  const path = one.path.length === 0 ? '' : `<br><sub>${markdownCell(one.path.join(' > '))}</sub>`
  const after = one.consequences.map((each) => `<br>so: ${markdownCell(each.message)}`).join('')
  const fix = one.suggestion ? markdownCell(one.suggestion.text) : ''
  return `| ${one.severity} | ${markdownCell(one.rule)} | **${markdownCell(one.message)}**${sum}${path}${after} | ${markdownCell(`${file}:${line}`)} | ${fix} |`
}
