import type { Diagnostic } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { type CheckReport, inOrder } from './check-report.js'
import { ORIGIN_LABEL } from './origin-places.js'
import { printable } from './printable.js'

/** One line a finding: `file:line:col: error inverted message`; nothing where nothing was found. */
export function conciseReport(report: CheckReport): string {
  return inOrder(report.diagnostics)
    .map((one) => {
      const { file, line, column } = placeOf(one.spot)
      return `${printable(`${file}:${line}:${column}: ${one.severity} ${one.rule} ${one.message}${originText(one)}`)}\n`
    })
    .join('')
}

/** ` (src/place.ts:8)`: the line of code or config that the chain file's line was made of. */
function originText({ related }: Diagnostic): string {
  const origin = related.find(({ label }) => label === ORIGIN_LABEL)
  if (!origin) return ''
  const { file, line } = placeOf(origin.spot)
  return ` (${file}:${line})`
}
