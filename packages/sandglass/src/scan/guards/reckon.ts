import type { Node } from 'oxc-parser'
import { settingOf } from '../limits/settings.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import type { Evaluator } from '../terms/evaluator.js'
import { type Frame, substitute } from '../terms/substitute.js'
import { isGlobal, type Term } from '../terms/term.js'

/** From the least to the most that a number may be. */
export type Span = readonly [number, number]

/** Where a number is asked for: the module, what a call gave to the function around, and names that are counted up. */
export interface Reckoning {
  readonly evaluator: Evaluator
  readonly module: Module
  /** What the call that is followed gives to the function; null outside of one. */
  readonly frame: Frame | null
  /** What was given to the functions that the function stands in, from the inside out. */
  readonly around?: readonly Frame[]
  readonly counted: ReadonlyMap<Declared, Span>
}

/** A term as the followed call makes it. */
export function givenTerm(term: Term, { frame, around = [], evaluator }: Reckoning): Term {
  return [...(frame ? [frame] : []), ...around].reduce((given, each) => substitute(given, each, evaluator), term)
}

/** The term of an expression as the followed call makes it. */
export function termAt(node: Node, reckoning: Reckoning): Term {
  return givenTerm(reckoning.evaluator.termOf(node, reckoning.module), reckoning)
}

/** The number a term is; an absent argument with a default is the default. Null where it is none that is written down. */
export function numberOf(term: Term | undefined): number | null {
  if (!term) return null
  if (term.kind === 'parameter') return term.fallback ? numberOf(term.fallback) : null
  const setting = settingOf(term)
  return setting.state === 'given' && typeof setting.value === 'number' ? setting.value : null
}

/** The name that an expression is; null for anything else. */
export function nameAt(node: Node, module: Module): Declared | null {
  const inner = bare(node)
  return inner.type === 'Identifier' ? lookUp(inner.name, scopeAt(inner, module)) : null
}

/** What an expression comes to, with what is counted and what is random in it; null where it is not known. */
export function spanOf(node: Node, reckoning: Reckoning, depth = 0): Span | null {
  if (depth > 40) return null
  const inner = bare(node)
  const of = (part: Node) => spanOf(part, reckoning, depth + 1)
  switch (inner.type) {
    case 'Identifier':
      return ofName(inner, reckoning, of)
    case 'BinaryExpression': {
      const [left, right] = [of(inner.left as Node), of(inner.right)]
      return left && right && combined(inner.operator, left, right)
    }
    case 'UnaryExpression':
      return ofSign(inner.operator, of(inner.argument))
    case 'UpdateExpression':
      return ofUpdate(inner, of(inner.argument as Node))
    case 'CallExpression':
      return ofCall(inner, reckoning, of) ?? written(inner, reckoning)
    case 'Literal':
      return typeof inner.value === 'boolean' ? [Number(inner.value), Number(inner.value)] : written(inner, reckoning)
    default:
      return written(inner, reckoning)
  }
}

type Of = (part: Node) => Span | null

function ofName(node: Node, reckoning: Reckoning, of: Of): Span | null {
  const name = nameAt(node, reckoning.module)
  const counted = name && reckoning.counted.get(name)
  if (counted) return counted
  const isPlain = name?.binding.kind === 'value' && name.isConst && name.binding.steps.length === 0
  const declared = isPlain && name.binding.kind === 'value' ? name.binding.node : null
  return written(node, reckoning) ?? (declared ? of(declared) : null)
}

function ofSign(operator: string, operand: Span | null): Span | null {
  if (operand === null || operator === '+') return operand
  return operator === '-' ? [-operand[1], -operand[0]] : null
}

function ofUpdate({ prefix, operator }: { readonly prefix: boolean; readonly operator: string }, operand: Span | null): Span | null {
  const step = prefix ? (operator === '++' ? 1 : -1) : 0
  return operand && [operand[0] + step, operand[1] + step]
}

function written(node: Node, reckoning: Reckoning): Span | null {
  const number = numberOf(termAt(node, reckoning))
  return number === null ? null : [number, number]
}

function ofCall(node: Extract<Node, { type: 'CallExpression' }>, reckoning: Reckoning, of: (part: Node) => Span | null): Span | null {
  const callee = reckoning.evaluator.termOf(node.callee, reckoning.module)
  if (isGlobal(callee, 'Math.random')) return [0, 1]
  const name = callee.kind === 'external' && callee.package === 'global' && callee.path[0] === 'Math' ? callee.path[1] : undefined
  if (name === undefined) return null
  const args = node.arguments.map((arg) => (arg.type === 'SpreadElement' ? null : of(arg)))
  if (args.length === 0 || args.some((arg) => arg === null)) return null
  const spans = args.filter((arg) => arg !== null)
  const [first = [0, 0], second] = spans
  switch (name) {
    case 'min':
    case 'max':
      return [Math[name](...spans.map(([low]) => low)), Math[name](...spans.map(([, high]) => high))]
    case 'pow':
      return second ? combined('**', first, second) : null
    case 'floor':
    case 'round':
    case 'ceil':
    case 'trunc':
      return [Math[name](first[0]), Math[name](first[1])]
    default:
      return null
  }
}

function combined(operator: string, a: Span, b: Span): Span | null {
  const by = OPERATORS[operator]
  if (!by) return null
  const all = a.flatMap((left) => b.map((right) => by(left, right)))
  const span: Span = [Math.min(...all), Math.max(...all)]
  return span.some(Number.isNaN) ? null : span
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '<<': (a, b) => a << b,
}
