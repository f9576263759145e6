import { readChain } from '../../src/model/read-chain.js'
import type { Source } from '../../src/model/sourced.js'
import { viewOf } from '../../src/model/view.js'
import { baselineText } from '../../src/report/baseline.js'
import { drawingOf } from '../../src/report/chain-report.js'
import { checkChain } from '../../src/report/check-chain.js'
import { compiledLimits } from '../../src/report/compiled-limits.js'
import { conciseReport } from '../../src/report/concise.js'
import { dotDrawing } from '../../src/report/dot.js'
import { githubReport } from '../../src/report/github.js'
import { htmlReport } from '../../src/report/html.js'
import { jsonReport } from '../../src/report/json.js'
import { markdownReport } from '../../src/report/markdown.js'
import { mermaidDrawing } from '../../src/report/mermaid.js'
import { sarifReport } from '../../src/report/sarif.js'
import { showJson } from '../../src/report/show-json.js'
import { showTable } from '../../src/report/show-table.js'
import { svgDrawing } from '../../src/report/svg.js'
import { textReport } from '../../src/report/text.js'
import { allRules } from '../../src/rules/all-rules.js'

/** What became of one text. */
export type Outcome = 'refused' | 'checked'

/** Reads a text as a chain, checks it and writes every report. Throws where any of them does, or where what it prints is not fit to print. */
export function fuzzOnce(text: string): Outcome {
  const source: Source = { file: 'sandglass.yaml', text }
  const { chain, problems } = readChain([source])
  if (problems.length > 0) return 'refused'
  const { report } = checkChain(chain, allRules, { sources: [source] })
  const texts = [
    textReport(report),
    conciseReport(report),
    githubReport(report),
    markdownReport(report),
    htmlReport(report),
    showTable(viewOf(chain)),
  ]
  const view = viewOf(chain)
  const drawing = drawingOf(view)
  texts.push(mermaidDrawing(drawing), dotDrawing(drawing), svgDrawing(drawing))
  for (const json of [jsonReport(report), sarifReport(report, '0'), showJson(view), baselineText(report.diagnostics)]) JSON.parse(json)
  for (const service of chain.services.values()) compiledLimits(chain, service)
  for (const each of texts) mustBePrintable(each)
  return 'checked'
}

/** Throws where a text has what nobody means to print: NaN and undefined in a sentence are faults of arithmetic that nobody noticed; control characters move the cursor. */
export function mustBePrintable(text: string): void {
  const at = Math.max(...['\u001b', '\u0000', '\u202e', '[object '].map((part) => text.indexOf(part)), text.search(/\bNaN\b|\bundefined\b/))
  if (at >= 0) throw new Error(`a report contains ${JSON.stringify(text.slice(Math.max(0, at - 100), at + 100))}`)
}
