/** A word, a string, a number or a mark of Java, in offsets of its text; comments are none. */
export interface JavaToken {
  readonly kind: 'name' | 'string' | 'number' | 'mark'
  /** A string without quotes and escapes; anything else as it is written. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const MAX_TOKENS = 300_000

/** The tokens of a Java text; what is in comments is not there, and what is in a string is one token. */
export function javaTokens(text: string): readonly JavaToken[] {
  const tokens: JavaToken[] = []
  const pattern =
    /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:[^\\]"""|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*|[\s\S]/g
  for (let found = pattern.exec(text); found && tokens.length < MAX_TOKENS; found = pattern.exec(text)) {
    const [raw] = found
    const kind = kindOf(raw)
    if (kind !== null) tokens.push({ kind, text: kind === 'string' ? unquoted(raw) : raw, start: found.index, end: pattern.lastIndex })
  }
  return tokens
}

function kindOf(raw: string): JavaToken['kind'] | null {
  const first = raw[0] ?? ''
  if (/\s/.test(first) || raw.startsWith('//') || raw.startsWith('/*')) return null
  if (first === '"' || first === "'") return 'string'
  if (/\d/.test(first)) return 'number'
  return /[A-Za-z_$\u0080-\uffff]/.test(first) ? 'name' : 'mark'
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
])

function unquoted(raw: string): string {
  const quote = raw.startsWith('"""') ? '"""' : (raw[0] ?? '')
  const isClosed = raw.length >= 2 * quote.length && raw.endsWith(quote)
  const inner = raw.slice(quote.length, isClosed ? raw.length - quote.length : undefined)
  return inner.replace(/\\(u+[0-9a-fA-F]{4}|[\s\S])/g, (_, escape: string) =>
    escape.length > 1 ? String.fromCharCode(Number.parseInt(escape.replace(/^u+/, ''), 16)) : (ESCAPES.get(escape) ?? escape),
  )
}
