import type { Note } from '../model/diagnostic.js'
import { placeOf } from '../model/sourced.js'

/** A note as JSON; `at` is null where it speaks of no place. */
export interface JsonNote {
  readonly message: string
  readonly at: { readonly file: string; readonly line: number; readonly column: number } | null
}

/** Notes with their places. */
export function jsonNotes(notes: readonly Note[]): readonly JsonNote[] {
  return notes.map(({ message, spot }) => {
    if (!spot) return { message, at: null }
    const { file, line, column } = placeOf(spot)
    return { message, at: { file, line, column } }
  })
}
