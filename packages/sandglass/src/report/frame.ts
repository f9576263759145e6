import { lineText, placeOf, type Spot } from '../model/sourced.js'
import type { TextStyle } from './palette.js'
import { printable } from './printable.js'
import { textWidth } from './text-width.js'

/** A place, what it says, and how its underline is painted. */
export interface FramePlace {
  readonly spot: Spot
  readonly label: string
  readonly paint: (text: string) => string
}

/** One underlined stretch of a line. */
interface Mark {
  /** Columns before it, and how many it covers, as shown. */
  readonly before: number
  readonly span: number
  readonly label: string
  readonly paint: (text: string) => string
}

/** One source line with what it says underneath. */
interface Pane {
  readonly title: string
  readonly lineNumber: string
  readonly code: string
  readonly marks: readonly Mark[]
}

/** Lines of one pane: as shown, and as wide as they are. */
interface PaneLine {
  readonly text: string
  readonly width: number
}

const GAP = 3
/** More leading blanks than this say nothing and cost width. */
const MOST_INDENT = 4
const LEAST_SIDE_BY_SIDE = 72

/**
 * The places a finding speaks of, each with its line underlined and labelled: two beside each other where the width allows, else one above
 * the other.
 */
export function frameLines(places: readonly FramePlace[], style: TextStyle): string[] {
  const panes = panesOf(places)
  const lines: string[] = []
  for (let i = 0; i < panes.length; i += 2) {
    const [left, right] = [panes[i], panes[i + 1]]
    if (left) lines.push(...pairLines(left, right, style))
  }
  return lines
}

function pairLines(left: Pane, right: Pane | undefined, style: TextStyle): string[] {
  if (!right) return paneLines(left, style.width, style).map((line) => line.text)
  const column = columnOfRight(left, right, style)
  if (style.width < LEAST_SIDE_BY_SIDE || !fitsIn(left, column - GAP) || !fitsIn(right, style.width - column)) {
    return [left, right].flatMap((pane) => paneLines(pane, style.width, style).map((line) => line.text))
  }
  return beside(paneLines(left, column - GAP, style), paneLines(right, style.width - column, style), column)
}

/** Half the width, unless the right pane needs more and the left one can spare it. */
function columnOfRight(left: Pane, right: Pane, style: TextStyle): number {
  const half = Math.floor(style.width / 2) - 1
  const needed = (pane: Pane) => Math.max(...paneLines(pane, Number.POSITIVE_INFINITY, style).map(({ width }) => width))
  return Math.min(half, Math.max(needed(left) + GAP, style.width - needed(right)))
}

function beside(left: readonly PaneLine[], right: readonly PaneLine[], column: number): string[] {
  const rows = Math.max(left.length, right.length)
  return Array.from({ length: rows }, (_, row) => {
    const first = left[row] ?? { text: '', width: 0 }
    const second = right[row]
    return second ? first.text + ' '.repeat(Math.max(1, column - first.width)) + second.text : first.text
  })
}

/** A pane can be cropped, but its underlined stretch and its label must be there whole. */
function fitsIn(pane: Pane, width: number): boolean {
  const gutter = pane.lineNumber.length + 3
  return pane.marks.every((mark) => gutter + mark.span + textWidth(mark.label) + 1 <= width) && textWidth(pane.title) <= width
}

function panesOf(places: readonly FramePlace[]): Pane[] {
  const panes = new Map<string, Pane & { marks: Mark[] }>()
  for (const place of places) {
    const at = placeOf(place.spot)
    const key = `${at.line} ${at.file}`
    const raw = lineText(place.spot.source, at.line)
    const code = printable(raw)
    const cutIndent = Math.max(
      0,
      Math.min(code.length - code.trimStart().length - MOST_INDENT, textWidth(printable(raw.slice(0, at.column - 1)))),
    )
    const mark: Mark = {
      before: textWidth(printable(raw.slice(0, at.column - 1))) - cutIndent,
      span: Math.max(1, textWidth(printable(raw.slice(at.column - 1, at.endColumn - 1)))),
      label: printable(place.label),
      paint: place.paint,
    }
    const known = panes.get(key)
    if (known) known.marks.push(mark)
    else
      panes.set(key, {
        title: printable(`${at.file}:${at.line}:${at.column}`),
        lineNumber: String(at.line),
        code: code.slice(cutIndent),
        marks: [mark],
      })
  }
  return [...panes.values()].map((pane) => ({ ...pane, marks: pane.marks.sort((a, b) => a.before - b.before) }))
}

function paneLines(pane: Pane, width: number, { palette, ascii }: TextStyle): PaneLine[] {
  const gutter = pane.lineNumber.length
  const bar = ascii ? '|' : '│'
  const room = Math.max(10, width - gutter - 3)
  const view = windowOf(pane, room, ascii ? '...' : '…')
  const blank = `${' '.repeat(gutter)} ${palette.faint(bar)} `
  const lines: PaneLine[] = [
    { text: palette.place(pane.title), width: textWidth(pane.title) },
    { text: `${palette.faint(`${pane.lineNumber} ${bar}`)} ${view.text}`, width: gutter + 3 + textWidth(view.text) },
  ]
  for (const mark of pane.marks) {
    const before = Math.max(0, mark.before - view.dropped)
    const under = '^'.repeat(Math.max(1, Math.min(mark.span, room - before)))
    const labelWidth = textWidth(mark.label)
    if (before + under.length + 1 + labelWidth <= room || mark.label === '') {
      lines.push({
        text: `${blank}${' '.repeat(before)}${mark.paint(`${under}${mark.label && ' '}${mark.label}`)}`,
        width: gutter + 4 + before + under.length + labelWidth,
      })
      continue
    }
    lines.push({ text: `${blank}${' '.repeat(before)}${mark.paint(under)}`, width: gutter + 3 + before + under.length })
    const shift = Math.max(0, Math.min(before, room - labelWidth))
    lines.push({ text: `${blank}${' '.repeat(shift)}${mark.paint(mark.label)}`, width: gutter + 3 + shift + labelWidth })
  }
  return lines
}

/** The part of a line that is shown: all of it, or a stretch around what is underlined, with marks where it is cut. */
function windowOf(pane: Pane, room: number, more: string): { text: string; dropped: number } {
  const total = textWidth(pane.code)
  if (total <= room) return { text: pane.code, dropped: 0 }
  const first = pane.marks[0]?.before ?? 0
  const last = Math.max(...pane.marks.map((mark) => mark.before + mark.span))
  if (last + more.length <= room) return { text: cut(pane.code, 0, room - more.length) + more, dropped: 0 }
  const start = Math.max(0, Math.min(first - Math.floor(room / 4), total - room + more.length))
  const end = start + room - 2 * more.length
  const shown = cut(pane.code, start, end)
  return { text: `${more}${shown}${end < total ? more : ''}`, dropped: start - more.length }
}

/** The columns from `start` to `end` of a text; a wide character that lies across an edge is replaced by spaces. */
function cut(text: string, start: number, end: number): string {
  let column = 0
  let shown = ''
  for (const char of text) {
    const next = column + textWidth(char)
    if (column >= start && next <= end) shown += char
    else if (next > start && column < end) shown += ' '.repeat(Math.min(next, end) - Math.max(column, start))
    column = next
    if (column >= end) break
  }
  return shown
}
