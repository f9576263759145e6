import type { Source } from '../model/sourced.js'
import { addNote, type FactsDraft } from './facts.js'
import type { Written } from './limit-fact.js'

const MAX_LINES = 20_000

/** The assignments at the top level of a Python file whose right side is a number, a text, or a look-up in the environment with a default; the last one holds. */
export function readAssignments(source: Source, draft: FactsDraft): ReadonlyMap<string, Written> {
  const found = new Map<string, Written>()
  let start = 0
  for (const line of source.text.split('\n', MAX_LINES)) {
    const assignment = /^([A-Za-z_]\w{0,60})[ \t]*(?::[ \t]*\w{1,40}[ \t]*)?=[ \t]*(?!=)(.*)$/.exec(line)
    if (assignment) {
      const [, name = '', right = ''] = assignment
      const from = start + line.length - right.length
      const expression = withoutComment(right).trim()
      const spot = { source, start: from, end: from + Math.max(1, expression.length) }
      found.set(name, { text: valueOf(expression, name, { text: expression, spot }, draft), spot })
    }
    start += line.length + 1
  }
  return found
}

function withoutComment(text: string): string {
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '#') return text.slice(0, index)
  }
  return text
}

/** The value as text; what is worked out at run time stays a template, so that nobody takes it for a value. */
function valueOf(expression: string, name: string, written: Written, draft: FactsDraft): string {
  const literal = literalOf(expression)
  if (literal !== null) return literal
  const byDefault = environmentDefault(expression)
  if (byDefault !== null) {
    addNote(draft, 'unknown', written.spot, `${name}: taken as ${byDefault}, the default; who starts it may set another in the environment`)
    return byDefault
  }
  return `\${${expression.slice(0, 80).replace(/[{}]/g, '')}}`
}

/** A number, a product or sum of whole numbers, a text, None, True, False. */
function literalOf(expression: string): string | null {
  const text = /^[rbuf]?(?:"([^"\\]*)"|'([^'\\]*)')$/.exec(expression)
  if (text) return text[1] ?? text[2] ?? ''
  if (/^(None|True|False)$/.test(expression)) return expression
  if (/^\d[\d_]{0,15}(\.\d{1,9})?$/.test(expression)) return expression.replaceAll('_', '')
  if (!/^\d[\d_]{0,9}([ \t]*[*+][ \t]*\d[\d_]{0,9}){1,5}$/.test(expression)) return null
  const sum = expression
    .split('+')
    .map((product) => product.split('*').reduce((all, each) => all * Number(each.replaceAll('_', '').trim()), 1))
    .reduce((all, each) => all + each, 0)
  return Number.isSafeInteger(sum) ? String(sum) : null
}

/** `int(os.environ.get("X", "30"))`, `os.getenv('X', 30)`, `os.environ.get("X") or 30`. */
function environmentDefault(expression: string): string | null {
  const inner = /^(?:int|float|str)\((.*)\)$/.exec(expression)?.[1] ?? expression
  const found =
    /^(?:os\.)?(?:environ\.get|getenv)\(\s*["'][\w.]{1,80}["']\s*,\s*([^()]{1,60})\)$/.exec(inner) ??
    /^(?:os\.)?(?:environ\.get|getenv)\(\s*["'][\w.]{1,80}["']\s*\)\s+or\s+([^()]{1,60})$/.exec(inner)
  return found ? literalOf((found[1] ?? '').trim()) : null
}
