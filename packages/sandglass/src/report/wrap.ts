import { textWidth } from './text-width.js'

/** A space that a line may break at: not the one between a number and its unit. */
const BREAK = / (?!(?<=\d )(?:ms|s|%)(?!\w))/

/** Breaks text at spaces into lines of at most `width` columns; later lines start with `indent`. A longer word keeps its own line. */
export function wrap(text: string, width: number, indent: string = ''): string[] {
  const lines: string[] = []
  let line = ''
  let columns = 0
  for (const word of text.split(BREAK)) {
    const size = textWidth(word)
    const start = columns === 0 && lines.length > 0 ? indent : ''
    if (columns > 0 && columns + 1 + size > width) {
      lines.push(line)
      line = indent + word
      columns = textWidth(indent) + size
      continue
    }
    line = columns === 0 ? start + word : `${line} ${word}`
    columns = columns === 0 ? textWidth(start) + size : columns + 1 + size
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}
