import type { Problem } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { printable } from '../report/printable.js'

/** `file:line:column: what, what was expected`. */
export function problemLine({ file, spot, message }: Problem): string {
  if (!spot) return printable(`${file}: ${message}`)
  const { line, column } = placeOf(spot)
  return printable(`${file}:${line}:${column}: ${message}`)
}
