import type { Note } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'
import { printable } from '../report/printable.js'

const MAX_NOTES = 5

/** The first notes, one line each, and how many more there are. */
export function noteLines(notes: readonly Note[]): readonly string[] {
  const lines = notes.slice(0, MAX_NOTES).map(({ message, spot }) => {
    if (!spot) return printable(`note: ${message}`)
    const { file, line, column } = placeOf(spot)
    return printable(`note: ${file}:${line}:${column}: ${message}`)
  })
  const rest = notes.length - lines.length
  return rest > 0 ? [...lines, `note: and ${rest} more like these; --format json lists all`] : lines
}
