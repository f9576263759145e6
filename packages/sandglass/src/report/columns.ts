import { textWidth } from './text-width.js'

/** Rows as aligned columns, two spaces apart; the last one is not padded. Wide characters count as two. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell))
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - textWidth(cell))))
      .join('  ')
      .trimEnd(),
  )
}
