import { placeOf } from '../model/sourced.js'
import { type CheckReport, inOrder } from './check-report.js'
import { printable } from './printable.js'

/** One line a finding: `file:line:col: error inverted message`; nothing where nothing was found. */
export function conciseReport(report: CheckReport): string {
  return inOrder(report.diagnostics)
    .map((one) => {
      const { file, line, column } = placeOf(one.spot)
      return `${printable(`${file}:${line}:${column}: ${one.severity} ${one.rule} ${one.message}`)}\n`
    })
    .join('')
}
