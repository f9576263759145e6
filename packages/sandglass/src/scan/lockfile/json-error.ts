import { stringEnd } from './json-text.js'

/** What may come next in a JSON text; `behind` is what follows a value, and `item` what follows a comma: both depend on what is open. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'
type Next = Expected | 'behind' | 'item'

const values: Readonly<Record<string, Next>> = { '{': 'key-or-end', '[': 'value-or-end', string: 'behind', word: 'behind' }
const grammar: Readonly<Record<Expected, Readonly<Record<string, Next>>>> = {
  value: values,
  'value-or-end': { ...values, ']': 'behind' },
  key: { string: 'colon' },
  'key-or-end': { string: 'colon', '}': 'behind' },
  colon: { ':': 'value' },
  'comma-or-end': { ',': 'item', '}': 'behind', ']': 'behind' },
  nothing: {},
}

/** What a text is as JSON, or where and why it is none. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly at: number; readonly reason: string }

/** Parses a text as JSON; what stands against it is a value. */
export function parsedJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    const at = jsonErrorAt(text)
    return { ok: false, at, reason: at >= text.length ? 'it ends too early' : `unexpected ${JSON.stringify(text.charAt(at))}` }
  }
}

/**
 * The offset at which a text stops being JSON, its length where it only ends too early. JSON.parse says that in some messages and not in
 * others; this is asked only when it has refused.
 */
export function jsonErrorAt(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at)
    const token = text.slice(at, Math.min(end, at + 40))
    if (token.trim() !== '') {
      const next = after(expected, token, open)
      if (next === null) return at
      expected = next
    }
    at = end
  }
  return text.length
}

function tokenEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at)
  const word = /[\w.+-]+|\s+/y
  word.lastIndex = at
  return word.test(text) ? word.lastIndex : at + 1
}

/** What may come after a token, with what is open brought up to date; null where the token may not stand here. */
function after(expected: Expected, token: string, open: string[]): Expected | null {
  const kind = kindOf(token)
  const next = grammar[expected][kind]
  if (next === undefined) return null
  if (kind === '{' || kind === '[') open.push(kind)
  if (kind === '}' && open.pop() !== '{') return null
  if (kind === ']' && open.pop() !== '[') return null
  if (next === 'item') return open.at(-1) === '{' ? 'key' : 'value'
  if (next === 'behind') return open.length === 0 ? 'nothing' : 'comma-or-end'
  return next
}

/** `string`, `word` (a number, true, false or null), or the character itself. */
function kindOf(token: string): string {
  if (token.startsWith('"')) return 'string'
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(token) ? 'word' : (token[0] ?? '')
}
