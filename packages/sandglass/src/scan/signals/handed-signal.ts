import type { Node } from 'oxc-parser'
import type { SeenCall } from '../scan-view.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import { type At, isGlobal, type ObjectTerm, type ParameterTerm, type Term } from '../terms/term.js'
import { readSignal, type SignalReading } from './signal-limit.js'

/** How a wrapper's own timed signal and what its caller hands in come together. */
export interface HandedSignal {
  /** `replaced`: the caller's signal takes the place of the limit. `dropped`: the caller's signal is lost. */
  readonly kind: 'replaced' | 'dropped'
  readonly options: ObjectTerm
  /** The wrapper's own limit, in ms; null where it is only known at run time. */
  readonly ms: number | null
  readonly parameter: ParameterTerm
  /** Where the wrapper's own signal is made; null where nothing shows it. */
  readonly madeAt: At | null
  /** How the two are written: a spread after it, or `init.signal ?? …`. */
  readonly by: 'spread' | 'fallback'
}

/** What a call's own options, as they are written, say of a caller's signal; null where nothing is handed in, or both count. */
export function handedSignal({ site }: Pick<SeenCall, 'site'>, evaluator: Evaluator): HandedSignal | null {
  const { node, at } = site
  if (node.type === 'TaggedTemplateExpression') return null
  for (const arg of node.arguments) {
    if (arg.type === 'SpreadElement') continue
    const options = evaluator.termOf(arg as Node, at.module)
    const found = options.kind === 'object' ? inOptions(options, evaluator) : null
    if (found) return found
  }
  return null
}

function inOptions(options: ObjectTerm, evaluator: Evaluator): HandedSignal | null {
  const { value, mayBeReplacedBy } = findProperty(options, 'signal')
  if (!value) return null
  const own = timeOf(value, evaluator)
  if (!own) return ofFallback(value, options, evaluator)
  const after = parameterIn(mayBeReplacedBy)
  if (after) return { kind: 'replaced', options, ms: own.ms, parameter: after, madeAt: atOf(value), by: 'spread' }
  const before = mayBeReplacedBy.length === 0 && !mentions(value, 0) ? parameterIn(spreadsOf(options)) : null
  return before && { kind: 'dropped', options, ms: own.ms, parameter: before, madeAt: atOf(value), by: 'spread' }
}

/** The time of a signal that a clock aborts; null for any other. */
function timeOf(term: Term | undefined, evaluator: Evaluator): { readonly ms: number | null } | null {
  const reading = readSignal(term, evaluator)
  if (reading.kind === 'limit') return { ms: reading.limit.ms }
  return term?.kind === 'made' && isGlobal(term.callee, 'AbortSignal.timeout') ? { ms: null } : null
}

/** `init.signal ?? AbortSignal.timeout(300)`, also with a condition: one of them holds, never both. */
function ofFallback(value: Term, options: ObjectTerm, evaluator: Evaluator): HandedSignal | null {
  if (value.kind !== 'either') return null
  const times = value.of.map((each) => timeOf(each, evaluator))
  const timed = value.of.find((_, k) => times[k] !== null)
  const time = times.find((each) => each !== null)
  const parameter = parameterIn(value.of.filter((_, k) => times[k] === null))
  return time && timed && parameter ? { kind: 'replaced', options, ms: time.ms, parameter, madeAt: atOf(timed), by: 'fallback' } : null
}

function atOf(term: Term): At | null {
  return 'at' in term ? term.at : null
}

function spreadsOf({ parts }: ObjectTerm): Term[] {
  return parts.flatMap((part) => ('name' in part ? [] : [part.spread]))
}

function parameterIn(terms: readonly Term[]): ParameterTerm | null {
  for (const term of terms) {
    const found = parameterOf(term, 0)
    if (found) return found
  }
  return null
}

function parameterOf(term: Term, depth: number): ParameterTerm | null {
  if (depth > 4) return null
  if (term.kind === 'parameter') return term
  if (term.kind === 'member') return parameterOf(term.object, depth + 1)
  if (term.kind !== 'either') return null
  return parameterIn(term.of)
}

/** True where a value looks at what is handed in: `AbortSignal.any([init.signal, …])`. */
function mentions(term: Term, depth: number): boolean {
  if (depth > 6) return false
  if (term.kind === 'parameter') return true
  if (term.kind === 'member') return mentions(term.object, depth + 1)
  if (term.kind === 'either') return term.of.some((each) => mentions(each, depth + 1))
  if (term.kind === 'list') return term.items.some((each) => mentions(each, depth + 1))
  return term.kind === 'made' && term.args.some((each) => mentions(each, depth + 1))
}

/** What the options say once a caller's arguments are known. */
export function signalOf(options: Term, evaluator: Evaluator): SignalReading {
  if (options.kind !== 'object') return { kind: 'unknown', why: 'the options are only known at run time' }
  const { value, mayBeReplacedBy } = findProperty(options, 'signal')
  return mayBeReplacedBy.length > 0 ? { kind: 'unknown', why: 'it may come with a spread' } : readSignal(value, evaluator)
}
