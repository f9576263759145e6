/** Brackets nested deeper than this may use up the stack of a native parser (measured: 3,000 pass, 6,000 do not). */
const MAX_BRACKETS = 2000
/** So many words and signs without an end between them may nest as deep (measured: 6,000 arrow functions pass, 12,000 do not). */
const MAX_RUN = 4000

/**
 * True where a text may nest so deep that a native parser does not survive it: brackets, or words and signs that nest without any
 * (`a ? b : c ? …`, `new new …`, `if (a) if (b) …`) with no end between them. Errs on the side of true.
 */
export function mayBeTooDeep(text: string): boolean {
  const outer: number[] = []
  let run = 0
  let wasWord = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isWord = isWordCode(code)
    const isCounted = isWord ? !wasWord : code > SPACE
    wasWord = isWord
    if (!isCounted) continue
    if (isOpening(code)) outer.push(run)
    if (isClosing(code)) run = outer.pop() ?? run
    run = isOpening(code) || isEnd(code, text, i) ? 0 : run + 1
    if (run > MAX_RUN || outer.length > MAX_BRACKETS) return true
  }
  return false
}

/** A comma, or a semicolon that ends a statement: behind one before `else` it goes on. */
function isEnd(code: number, text: string, i: number): boolean {
  return code === COMMA || (code === SEMICOLON && !ELSE.test(text.slice(i + 1, i + LOOK_AHEAD)))
}

const SPACE = 32
const COMMA = 44
const SEMICOLON = 59
const ELSE = /^\s*else\b/
const LOOK_AHEAD = 200

/** Letters, digits, `_`, `$` and all beyond ASCII. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36 || code > 127
}

/** `(`, `[`, `{` */
function isOpening(code: number): boolean {
  return code === 40 || code === 91 || code === 123
}

/** `)`, `]`, `}` */
function isClosing(code: number): boolean {
  return code === 41 || code === 93 || code === 125
}
