import { isEnvironment, type Setting, settingOf } from '../limits/settings.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Constant, Term } from '../terms/term.js'
import { optionIn } from './option-in.js'

/** The text of an address as far as it is written: of a template the texts between the values, of a look-up its default. */
export function writtenUrl(term: Term | undefined): { readonly text: string; readonly term: Extract<Term, { at: unknown }> } | null {
  if (!term) return null
  if (term.kind === 'constant') return typeof term.value === 'string' ? { text: term.value, term } : null
  if (term.kind === 'either') return term.of.map(writtenUrl).findLast((found) => found !== null) ?? null
  if (term.kind !== 'made') return null
  const { node } = term.at
  if (node.type === 'TemplateLiteral') return { text: node.quasis.map(({ value }) => value.cooked ?? '').join('…'), term }
  const parts = term.args.flatMap((arg) => writtenUrl(arg)?.text ?? [])
  return parts.length > 0 ? { text: parts.join('…'), term } : null
}

/**
 * A setting among the parameters of an address; `names` are its spellings, in any case.
 * What is only known at run time counts as an address without parameters: limits are hardly ever hidden in it.
 */
export function settingInUrl(url: Term | undefined, names: readonly string[]): Setting {
  const written = writtenUrl(url)
  const query = written ? /\?([^#\s]*)/.exec(written.text)?.[1] : undefined
  if (!written || query === undefined) return { state: 'absent' }
  const wanted = names.map((name) => name.toLowerCase())
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2)
    if (!wanted.includes(name.toLowerCase())) continue
    if (value.includes('…') || value === '') return { state: 'unknown', why: 'its value is only known at run time' }
    return settingOf(constantAt(decoded(value), written.term))
  }
  return { state: 'absent' }
}

function constantAt(value: string, { at }: Extract<Term, { at: unknown }>): Constant {
  const number = Number(value)
  return { kind: 'constant', value: Number.isFinite(number) ? number : value, at }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

const POSTGRES_UNIT_MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** A setting of a PostgreSQL server among `-c name=value` options: `-c statement_timeout=5s`. */
export function settingInServerOptions(options: Setting, name: string): Setting {
  if (options.state === 'absent' || options.state === 'unknown') return options
  if (options.state === 'term' || typeof options.value !== 'string') return { state: 'unknown', why: 'its value is only known at run time' }
  const found = new RegExp(`(?:^|\\s|-c|--)\\s*${name}\\s*=\\s*'?(\\d+(?:\\.\\d+)?)\\s*([a-z]*)`).exec(options.value)
  const unitMs = found && POSTGRES_UNIT_MS[found[2] || 'ms']
  return found && unitMs !== undefined && unitMs !== null ? { ...options, value: Number(found[1]) * unitMs } : { state: 'absent' }
}

/** The first of some settings that is there. */
export function firstSetting(settings: readonly Setting[]): Setting {
  return settings.find(({ state }) => state !== 'absent') ?? { state: 'absent' }
}

/** The address among some options under a name, or the options themselves where they are an address. */
export function addressIn(options: Term | undefined, name: string, evaluator: Evaluator): Term | undefined {
  if (!options || options.kind === 'function' || options.kind === 'unknown') return undefined
  return isAddress(options) ? options : optionIn(options, name, evaluator)
}

/** True for a text, and for what only a text is made of. */
export function isAddress(term: Term): boolean {
  if (term.kind === 'constant') return typeof term.value === 'string'
  if (term.kind === 'either') return term.of.some(isAddress)
  const isText = term.kind === 'made' && term.callee.kind === 'external' && term.callee.package === 'operator'
  return isText || isEnvironment(term)
}
