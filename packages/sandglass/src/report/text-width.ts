/** First and last code points that take two columns (East Asian Width W and F, Unicode 16), emoji aside. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0x4dbf],
  [0x4dc0, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
]

/**
 * Columns that a text takes in a terminal: wide letters and emoji two, marks that join a letter none. The package `string-width` gives the
 * same for text that people write (the tests hold it against that), but takes 30 ms to load.
 */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
  let columns = 0
  // The time it takes to find letters grows with the square of the text, so plain stretches are left out and the rest is cut.
  for (const [stretch] of text.matchAll(STRETCHES)) {
    if (PLAIN.test(stretch)) columns += stretch.length
    else for (const { segment } of letters.segment(stretch)) columns += letterWidth(segment)
  }
  return columns
}

const PLAIN = /^[\x20-\x7e]*$/
/** ASCII up to the last one that a mark could join, or up to a hundred others with that one before them. */
const STRETCHES = /[\x20-\x7e]+(?![^\x20-\x7e])|[\x20-\x7e]?[^\x20-\x7e]{1,100}/gu

function letterWidth(letter: string): number {
  if (/^[\p{Cc}\p{Cf}\p{M}\p{Cs}\p{Default_Ignorable_Code_Point}]+$/u.test(letter)) return 0
  if (/^\p{Emoji_Presentation}|^\p{RI}{2}|^[\p{Emoji}]\ufe0f/u.test(letter)) return 2
  const code = letter.codePointAt(0) ?? 0
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
