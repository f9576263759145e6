import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { type CheckReport, inOrder } from './check-report.js'
import { printable } from './printable.js'
import { realFile } from './real-file.js'

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** Findings as the workflow commands that GitHub turns into annotations of a pull request's lines. */
export function githubReport(report: CheckReport): string {
  return inOrder(report.diagnostics).map(annotation).join('')
}

function annotation(one: Diagnostic): string {
  const { file, line, column, endColumn } = placeOf(one.spot)
  const properties = { file: realFile(file), line, endLine: line, col: column, endColumn, title: `${one.rule}: ${one.message}` }
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(String(value))}`)
  return `::${levels[one.severity]} ${listed.join(',')}::${escapedData(bodyOf(one))}\n`
}

function bodyOf(one: Diagnostic): string {
  const path = one.path.join(' > ')
  const fix = one.suggestion ? `fix: ${one.suggestion.text}` : ''
  return (
    [one.arithmetic, path, one.why, ...one.consequences.map((each) => `so: ${each.message}`), fix]
      .filter((line) => line !== '')
      .join('\n') || one.message
  )
}

/** What a workflow command's message must not hold raw, and what nobody could see in it. */
function escapedData(text: string): string {
  const shown = text.split(/(\r?\n)/).map((part, i) => (i % 2 === 1 ? part : printable(part)))
  return shown.join('').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A property ends at a comma or a colon besides. */
function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
