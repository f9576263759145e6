import type { Spot } from '../../model/sourced.js'
import type { Client } from '../models/library-model.js'
import { spotOf } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty, propertyOf } from '../terms/property.js'
import { type Constant, identityOf, isGlobal, type Term } from '../terms/term.js'

/** A setting as the code has it. `undefined` counts as absent: that is how options are merged almost everywhere. */
export type Setting =
  | { readonly state: 'absent' }
  | {
      readonly state: 'given'
      readonly value: Exclude<Constant['value'], undefined>
      readonly spot: Spot
      /** It is the default of a look-up. */
      readonly isAssumed: boolean
      /** The largest of those that a condition chooses from. */
      readonly isMost?: boolean
      /** What is spread after it and may replace it. */
      readonly mayBeReplacedBy: readonly Term[]
    }
  /** Written, but no plain value: the term tells more. */
  | { readonly state: 'term'; readonly term: Term; readonly spot: Spot; readonly mayBeReplacedBy: readonly Term[] }
  | { readonly state: 'unknown'; readonly why: string }

const ABSENT: Setting = { state: 'absent' }

/** Reads a setting of an options object; `path` goes into nested ones: `timeout.request`. */
export function settingIn(options: Term | undefined, path: string, evaluator: Evaluator): Setting {
  if (!options) return ABSENT
  switch (options.kind) {
    case 'constant':
    case 'function':
      return ABSENT
    case 'object': {
      const [name = '', ...rest] = path.split('.')
      const { value, mayBeReplacedBy } = findProperty(options, name)
      if (value === null && rest.length > 0) return settingIn(propertyOf(options, name), rest.join('.'), evaluator)
      if (value === null) return mayBeReplacedBy.length > 0 ? { state: 'unknown', why: 'it may come with a spread' } : ABSENT
      if (rest.length > 0) return settingIn(value, rest.join('.'), evaluator)
      const brought = mayBeReplacedBy.flatMap((spread) => broughtBy(spread, name, evaluator))
      const own = settingOf(value, mayBeReplacedBy)
      return brought.length > 0 ? agree([own, ...brought]) : own
    }
    case 'either': {
      const answers = options.of.map((each) => settingIn(each, path, evaluator))
      return agree(answers)
    }
    case 'unknown':
      return { state: 'unknown', why: options.why }
    default:
      return { state: 'unknown', why: 'the options are only known at run time' }
  }
}

/** What the known branches of a spread bring: `...(isSlow ? { timeout: 0 } : {})`. */
function broughtBy(spread: Term, name: string, evaluator: Evaluator): readonly Setting[] {
  if (spread.kind !== 'either') return []
  const known = spread.of.filter(({ kind }) => kind === 'object' || kind === 'either')
  return known
    .flatMap((each) => (each.kind === 'either' ? broughtBy(each, name, evaluator) : [settingIn(each, name, evaluator)]))
    .filter(({ state }) => state === 'given' || state === 'term')
}

/** What a term is as a setting. */
export function settingOf(value: Term, mayBeReplacedBy: readonly Term[] = []): Setting {
  if (value.kind === 'constant') {
    if (value.value === undefined) return mayBeReplacedBy.length > 0 ? { state: 'unknown', why: 'it may come with a spread' } : ABSENT
    return { state: 'given', value: value.value, spot: spotOf(value.at.node, value.at.module), isAssumed: false, mayBeReplacedBy }
  }
  if (value.kind === 'either') return ofEither(value.of, value.isFallback, mayBeReplacedBy)
  if (value.kind === 'unknown') return { state: 'unknown', why: value.why }
  if (value.kind === 'member' || value.kind === 'parameter' || isEnvironment(value))
    return { state: 'unknown', why: 'its value is only known at run time' }
  const at = 'at' in value ? value.at : null
  return at
    ? { state: 'term', term: value, spot: spotOf(at.node, at.module), mayBeReplacedBy }
    : { state: 'unknown', why: 'its value is only known at run time' }
}

function ofEither(terms: readonly Term[], isFallback: boolean, mayBeReplacedBy: readonly Term[]): Setting {
  const last = terms.at(-1)
  const isLookUp = isFallback && last?.kind === 'constant' && terms.slice(0, -1).every(isEnvironment)
  if (isLookUp) {
    const found = settingOf(last, mayBeReplacedBy)
    return found.state === 'given' ? { ...found, isAssumed: true } : found
  }
  return agree(terms.map((each) => settingOf(each, mayBeReplacedBy)))
}

const CONVERSIONS = [
  'Number',
  'parseInt',
  'Number.parseInt',
  'parseFloat',
  'Number.parseFloat',
  'String',
  'Math.min',
  'Math.max',
  'Math.round',
  'Math.floor',
  'Math.ceil',
]

/** True for what the surroundings of the process give: `process.env.X`, `import.meta.env.X`, a number made of it. */
export function isEnvironment(term: Term): boolean {
  if (term.kind === 'external') return term.package === 'global' && term.path[0] === 'process' && term.path[1] === 'env'
  if (term.kind === 'member') return isEnvironment(term.object)
  if (term.kind !== 'made') return false
  if (isTidied(term)) return true
  const isConversion = CONVERSIONS.some((name) => isGlobal(term.callee, name))
  const isOperation = term.callee.kind === 'external' && term.callee.package === 'operator'
  const [first] = term.args
  if (term.callee.kind === 'external' && term.callee.package === 'operator' && term.callee.path[0] === 'environment') return true
  return (isConversion || isOperation) && first !== undefined && term.args.every((arg) => arg.kind === 'constant' || isEnvironment(arg))
}

/** `(process.env.X || '').trim()`: the same text without what is around it. */
function isTidied({ callee, args }: Extract<Term, { kind: 'made' }>): boolean {
  const parts = callee.kind === 'either' && callee.isFallback ? callee.of : [callee]
  const isOfText = (part: Term) => part.kind === 'member' && part.object.kind === 'constant'
  return args.length === 0 && parts.some(isTidying) && parts.every((part) => isTidying(part) || isOfText(part))
}

function isTidying(callee: Term): boolean {
  const name = callee.kind === 'external' ? callee.path.at(-1) : callee.kind === 'member' ? callee.name : undefined
  return name !== undefined && /^(toString|trim|toLowerCase|toUpperCase)$/.test(name) && isEnvironment(callee)
}

/** One of several values: where all are numbers the largest holds in the worst case; otherwise only what all say. */
function agree(answers: readonly Setting[]): Setting {
  const [first] = answers
  if (!first) return ABSENT
  if (answers.every(({ state }) => state === 'absent')) return ABSENT
  const numbers = answers.filter((answer) => answer.state === 'given' && typeof answer.value === 'number' && answer.value > 0)
  if (numbers.length === answers.length) return largestOf(numbers)
  if (answers.every((answer) => answer.state === 'given' && first.state === 'given' && answer.value === first.value)) return first
  if (first.state === 'term' && identityOf(first.term) !== null && answers.every((each) => isSameTerm(each, first.term))) return first
  return { state: 'unknown', why: 'it depends on a condition' }
}

function largestOf(numbers: readonly Setting[]): Setting {
  const valueOf = (setting: Setting) => (setting.state === 'given' ? Number(setting.value) : 0)
  const most = numbers.reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a))
  const isMost = most.state === 'given' && numbers.some((each) => valueOf(each) !== valueOf(most))
  return isMost ? { ...most, isMost } : most
}

function isSameTerm(answer: Setting, term: Term): boolean {
  return answer.state === 'term' && identityOf(answer.term) === identityOf(term)
}

/** A setting of a call: its own options first, then those of its client and of what that was made from. */
export function settingOfCall(
  options: Term | undefined,
  client: Client | null,
  path: string,
  evaluator: Evaluator,
): { readonly setting: Setting; readonly from: 'call' | 'client' } {
  const own = settingIn(options, path, evaluator)
  if (own.state !== 'absent') return { setting: own, from: 'call' }
  for (let here = client; here; here = here.parent) {
    const setting = settingIn(here.options, path, evaluator)
    if (setting.state !== 'absent') return { setting, from: 'client' }
  }
  return { setting: ABSENT, from: 'client' }
}
