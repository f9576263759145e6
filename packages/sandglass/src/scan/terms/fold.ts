import { deepMerged } from './deep-merged.js'
import { type At, type Constant, eitherOf, isGlobal, type Term } from './term.js'

/** A constant at a node. */
export function constant(value: Constant['value'], at: At): Constant {
  return { kind: 'constant', value, at }
}

/** A longer text is no address and no time; texts that are put together from texts may grow without end. */
const MAX_TEXT = 100_000
/** Look-ups with more defaults than these are not followed: what is done to one of them is done to each. */
const MAX_FALLBACKS = 8

/** Something the language itself does to terms that could not be folded: `Date.now() + 2000`. */
export function operation(operator: string, args: readonly Term[], at: At): Term {
  return { kind: 'made', callee: { kind: 'external', package: 'operator', path: [operator], at }, args, isNew: false, at }
}

/** A text with values in it; where they are not all known, what is known of its start is kept. */
export function foldTemplate(texts: readonly string[], terms: readonly Term[], at: At): Term {
  let text = texts[0] ?? ''
  for (const [k, term] of terms.entries()) {
    if (term.kind !== 'constant') return operation('template', [constant(texts[0] ?? '', at), ...terms], at)
    text += String(term.value) + (texts[k + 1] ?? '')
    if (text.length > MAX_TEXT) return operation('template', [constant(texts[0] ?? '', at), ...terms], at)
  }
  return constant(text, at)
}

/** `a ?? b`, `a || b`, `a && b`; decided where the left side is known. */
export function foldLogical(operator: string, left: Term, right: Term, at: At): Term {
  if (operator === '&&') return foldAnd(left, right, at)
  if (left.kind === 'constant') {
    const isMissing = operator === '??' ? left.value === null || left.value === undefined : !left.value
    return isMissing ? right : left
  }
  return isThere(left) || (operator === '??' && isNumber(left)) ? left : eitherOf([left, right], true)
}

function isThere(term: Term): boolean {
  if (term.kind === 'either') return !term.isFallback && term.of.every(isThere)
  return term.kind === 'object' || term.kind === 'function' || (term.kind === 'made' && term.isNew)
}

function foldAnd(left: Term, right: Term, at: At): Term {
  if (left.kind === 'constant') return left.value ? right : left
  return eitherOf([right, constant(undefined, at)])
}

/** `test ? a : b`; decided where the test is known, or the default of a look-up in it. */
export function foldConditional(test: Term, yes: Term, no: Term): Term {
  const decisive = test.kind === 'either' && test.isFallback ? test.of.at(-1) : test
  if (decisive?.kind !== 'constant') return eitherOf([yes, no])
  return decisive.value ? yes : no
}

/** A binary operation, folded where both sides are written down. */
export function foldBinary(operator: string, left: Term, right: Term, at: At): Term {
  if (left.kind === 'constant' && right.kind === 'constant') {
    const value = binary(operator, left.value, right.value)
    if (value !== undefined) return constant(value, at)
  }
  return (
    foldFallbacks([left, right], (terms) => foldBinary(operator, terms[0] as Term, terms[1] as Term, at)) ??
    operation(operator, [left, right], at)
  )
}

function binary(operator: string, a: Constant['value'], b: Constant['value']): Constant['value'] {
  if (operator === '+' && (typeof a === 'string' || typeof b === 'string')) {
    const text = `${a}${b}`
    return text.length > MAX_TEXT ? undefined : text
  }
  if (typeof a !== 'number' || typeof b !== 'number') return undefined
  switch (operator) {
    case '===':
      return a === b
    case '!==':
      return a !== b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      return a % b
    case '**':
      return a ** b
    case '<<':
      return a << b
    case '>>':
      return a >> b
    default:
      return undefined
  }
}

/** A unary operation, folded where its operand is written down. */
export function foldUnary(operator: string, operand: Term, at: At): Term {
  if (operator === 'void') return constant(undefined, at)
  if (operand.kind === 'constant') {
    const { value } = operand
    if (operator === '!') return constant(!value, at)
    if (operator === '-' || operator === '+') {
      const number = toNumber(value)
      if (number !== null) return constant(operator === '-' ? -number : number, at)
    }
  }
  return foldFallbacks([operand], (terms) => foldUnary(operator, terms[0] as Term, at)) ?? operation(operator, [operand], at)
}

function toNumber(value: Constant['value']): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return null
  const number = Number(value)
  return value.trim() === '' || Number.isNaN(number) ? null : number
}

/**
 * `(env ?? 500) * 2` is `env * 2 ?? 1000`: what is done to a look-up with a default is done to both.
 * Null where no operand is such a look-up.
 */
function foldFallbacks(operands: readonly Term[], fold: (operands: readonly Term[]) => Term): Term | null {
  const index = operands.findIndex((operand) => operand.kind === 'either' && operand.isFallback)
  const operand = operands[index]
  if (operand?.kind !== 'either' || countFallbacks(operand) > MAX_FALLBACKS) return null
  return { kind: 'either', isFallback: true, of: operand.of.map((each) => fold(operands.with(index, each))) }
}

/** The values among which a look-up chooses; counting stops where there are too many. */
function countFallbacks(term: Term): number {
  if (term.kind !== 'either' || !term.isFallback) return 1
  let count = 0
  for (const each of term.of) {
    count += countFallbacks(each)
    if (count > MAX_FALLBACKS) break
  }
  return count
}

/** What they give is what they get. */
const SAME = ['Proxy', 'Object.freeze', 'Object.seal']

const NUMBER_CALLS = ['Number', 'parseInt', 'Number.parseInt', 'parseFloat', 'Number.parseFloat']

function isNumberCall(callee: Term): boolean {
  return NUMBER_CALLS.some((name) => isGlobal(callee, name))
}

/** `parseInt(env.A) ?? 500` is never 500: no number is missing, though it may be none. */
function isNumber(term: Term): boolean {
  return term.kind === 'made' && isNumberCall(term.callee)
}

function isExtreme(callee: Term): boolean {
  return isGlobal(callee, 'Math.min') || isGlobal(callee, 'Math.max')
}

function isRounding(callee: Term): boolean {
  return ['Math.round', 'Math.floor', 'Math.ceil'].some((name) => isGlobal(callee, name))
}

function foldOperation(operator: string | undefined, first: Term, second: Term | undefined, at: At): Term | null {
  if (operator === 'keyed') return foldKeyed(first, second, at)
  if (operator === 'given' || operator === 'missing') return foldGiven(operator, first, second, at)
  if (operator === 'text') return isFound(first) ? first : null
  return operator === 'environment' ? foldEnvironment(first, second) : null
}

/** True for what the language makes of other values: `Number(env.A ?? 5)` is kept as `Number(env.A) ?? 5`, and may be missing as `env.A` may. */
export function isReckoned({ callee }: Extract<Term, { kind: 'made' }>): boolean {
  return isNumberCall(callee) || isExtreme(callee) || (callee.kind === 'external' && callee.package === 'operator')
}

/** True for what stands under `if (options.timeout)`, where it is not known whether that is given. */
export function isAsked({ callee }: Extract<Term, { kind: 'made' }>): boolean {
  return callee.kind === 'external' && callee.package === 'operator' && /^(given|missing)$/.test(callee.path[0] ?? '')
}

/** What stands under `if (options.timeout)` or `if (!options.timeout)`, as soon as that is known. */
function foldGiven(operator: 'given' | 'missing', asked: Term, part: Term | undefined, at: At): Term | null {
  if (!part || asked.kind === 'member' || asked.kind === 'parameter' || asked.kind === 'unknown') return null
  const isThere = asked.kind === 'constant' ? Boolean(asked.value) : asked.kind === 'object' || asked.kind === 'function'
  if (asked.kind !== 'constant' && !isThere) return null
  return isThere === (operator === 'given') ? part : constant(undefined, at)
}

/** `{ [key]: value }`, as soon as the key is known. */
function foldKeyed(key: Term, value: Term | undefined, at: At): Term | null {
  return key.kind === 'constant' && value ? { kind: 'object', parts: [{ name: String(key.value), value, at }], at } : null
}

/** `process.env[key]`, as soon as the key is known. */
function foldEnvironment(environment: Term, key: Term | undefined): Term | null {
  const isKnown = environment.kind === 'external' && key?.kind === 'constant' && typeof key.value === 'string'
  return isKnown ? { ...environment, path: [...environment.path, String(key.value)] } : null
}

/** Functions of the language and of small packages that only turn one written value into another. */
export function foldCall(callee: Term, args: readonly Term[], at: At): Term | null {
  const [first, second] = args
  if (!first) return null
  if (callee.kind === 'external' && callee.package === 'operator') return foldOperation(callee.path[0], first, second, at)
  if (isNumberCall(callee)) return foldNumber(callee, first, at)
  if (SAME.some((name) => isGlobal(callee, name))) return sameAs(callee, first, second)
  const object = copiedBy(callee, first, at) ?? mergedOf(callee, args, at) ?? mergedDeepBy(callee, args, at)
  if (object) return object
  if (isExtreme(callee)) return foldExtreme(callee, first, second, at)
  if (isGlobal(callee, 'String')) return first.kind === 'constant' ? constant(String(first.value), at) : null
  if (isRounding(callee)) return first.kind === 'constant' ? constant(Math.round(Number(first.value)), at) : null
  if (isAddressParser(callee)) return { kind: 'object', parts: [{ name: 'connectionString', value: first, at }], at }
  if (callee.kind === 'external' && callee.package === 'ms' && first.kind === 'constant') return foldMs(first, at)
  return null
}

/** A client behind a proxy is that client; of anything else the proxy may make all. */
function sameAs(callee: Term, target: Term, handler: Term | undefined): Term | null {
  if (!isGlobal(callee, 'Proxy')) return target
  if (!passesOn(handler)) return null
  return target.kind === 'made' || target.kind === 'parameter' || target.kind === 'either' ? target : null
}

/** True for a handler of a proxy that is written down and knows nothing of time. */
function passesOn(handler: Term | undefined): boolean {
  if (handler?.kind !== 'object') return false
  const { node, module } = handler.at
  return !/time|race|abort|signal|deadline|limit|retr[iy]|attempt|breaker/i.test(module.source.text.slice(node.start, node.end))
}

/** What `pg-connection-string` makes of an address says no more than that: `parse(url)` is `{ connectionString: url }`. */
function isAddressParser(callee: Term): boolean {
  const isPackage = callee.kind === 'external' && callee.package === 'pg-connection-string'
  return isPackage && /^(parse|parseIntoClientConfig|toClientConfig)?$/.test(callee.path.join('.'))
}

/** What was taken for a text as nobody knew more, and is known now. */
function isFound(term: Term): boolean {
  const { kind } = term
  if (term.kind === 'either') return term.of.some(({ kind: each }) => each === 'object' || each === 'list')
  return kind !== 'member' && kind !== 'unknown' && kind !== 'parameter'
}

const COPIES = /^(lodash\.)?clone(deep)?$/i

/** What is copied: `structuredClone(options)`, `_.cloneDeep(options)`, `JSON.parse(JSON.stringify(options))`; what is put on the copy is not on the other. */
function copiedBy(callee: Term, given: Term, at: At): Term | null {
  const isParsed = isGlobal(callee, 'JSON.parse') && given.kind === 'made' && isGlobal(given.callee, 'JSON.stringify')
  const spread = isParsed ? given.args[0] : isGlobal(callee, 'structuredClone') || isCopier(callee) ? given : undefined
  if (!spread || spread.kind === 'constant' || spread.kind === 'list') return spread ?? null
  return { kind: 'object', parts: [{ spread, at }], at }
}

function isCopier(callee: Term): boolean {
  if (callee.kind !== 'external') return false
  const { package: from, path } = callee
  if (from === 'clone' || from === 'klona') return true
  return WITH_HELPERS.test(from) && COPIES.test(path.at(-1) ?? from.split(/[./]/).at(-1) ?? '')
}

/** Several objects as one. */
function mergedOf(callee: Term, args: readonly Term[], at: At): Term | null {
  const merged = isGlobal(callee, 'Object.assign') ? 'last' : mergedBy(callee)
  if (!merged) return null
  const all = merged === 'last' ? args : args.map(withoutUndefined).reverse()
  return { kind: 'object', parts: all.map((spread) => ({ spread, at })), at }
}

/** What a helper merges at every depth: `_.merge({}, defaults, options)`, `deepmerge(defaults, options)`. */
function mergedDeepBy(callee: Term, args: readonly Term[], at: At): Term | null {
  if (callee.kind !== 'external') return null
  const { package: from, path } = callee
  const name = path.at(-1) ?? from.split(/[./]/).at(-1) ?? ''
  const isDeep = (from === 'deepmerge' && path.length === 0) || from === 'lodash.merge' || (WITH_HELPERS.test(from) && name === 'merge')
  return isDeep ? deepMerged(args, at) : null
}

const WITH_HELPERS = /^(lodash|lodash-es|es-toolkit|underscore)(\/|$)|^lodash\.(assign|extend|defaults|clone|clonedeep)$/

/** Which of several objects wins in a helper that merges them one level deep: `defaults(options, fallbacks)` is the first. */
function mergedBy(callee: Term): 'first' | 'last' | null {
  if (callee.kind !== 'external' || !WITH_HELPERS.test(callee.package)) return null
  const name = callee.path.at(-1) ?? callee.package.split(/[./]/).at(-1) ?? ''
  return name === 'defaults' ? 'first' : /^(assign|assignIn|extend)$/.test(name) ? 'last' : null
}

/** For such a helper a property that is undefined is missing. */
function withoutUndefined(term: Term): Term {
  if (term.kind !== 'object') return term
  const isGiven = (value: Term) => value.kind !== 'constant' || value.value !== undefined
  return { ...term, parts: term.parts.filter((part) => !('name' in part) || isGiven(part.value)) }
}

function foldNumber(callee: Term, term: Term, at: At): Term | null {
  if (term.kind === 'constant') {
    const number = isGlobal(callee, 'Number') ? toNumber(term.value) : Number.parseFloat(String(term.value))
    return number === null || Number.isNaN(number) ? null : constant(number, at)
  }
  return foldFallbacks(
    [term],
    ([inner]) => foldNumber(callee, inner as Term, at) ?? { kind: 'made', callee, args: [inner as Term], isNew: false, at },
  )
}

function foldExtreme(callee: Term, first: Term, second: Term | undefined, at: At): Term | null {
  if (!second) return first
  if (first.kind !== 'constant' || second.kind !== 'constant')
    return foldFallbacks([first, second], ([a, b]) => {
      const args = [a as Term, b as Term]
      return foldExtreme(callee, a as Term, b, at) ?? { kind: 'made', callee, args, isNew: false, at }
    })
  const [a, b] = [Number(first.value), Number(second.value)]
  return constant(isGlobal(callee, 'Math.min') ? Math.min(a, b) : Math.max(a, b), at)
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  seconds: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
}

/** What the package `ms` makes of `5s`. */
function foldMs(term: Constant, at: At): Term | null {
  const parts = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(term.value))
  const unitMs = UNIT_MS[(parts?.[2] || 'ms').toLowerCase()]
  return parts && unitMs !== undefined ? constant(Number(parts[1]) * unitMs, at) : null
}
