import type { Note } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { printable } from '../report/printable.js'

const FEW = 5

/** The first `most` notes, one line each, and how many more there are. */
export function noteLines(notes: readonly Note[], most: number = FEW): readonly string[] {
  const lines = notes.slice(0, most).map(({ message, spot }) => {
    if (!spot) return printable(`note: ${message}`)
    const { file, line, column } = placeOf(spot)
    return printable(`note: ${file}:${line}:${column}: ${message}`)
  })
  const rest = notes.length - lines.length
  return rest > 0 ? [...lines, `note: and ${rest} more like these`] : lines
}
