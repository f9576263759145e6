/** Nested deeper than this, a text is no program that a person wrote, and native parsers run out of stack (measured: above 5,000). */
const MAX_DEPTH = 3000

/**
 * True where a text nests so deep that a parser could not survive it: brackets, or operators that nest without any
 * (`a ? b : c ? …`, `a => b => …`, `<a><a>…`) with neither a comma nor a semicolon between them.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let run = 0
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '(':
      case '[':
      case '{':
        depth++
        break
      case ')':
      case ']':
      case '}':
        depth = Math.max(0, depth - 1)
        break
      case ',':
      case ';':
        run = 0
        break
      case '?':
      case '=':
      case '<':
        run++
        break
    }
    if (depth > MAX_DEPTH || run > MAX_DEPTH) return true
  }
  return false
}
