import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { keyName } from '../syntax/declare.js'
import { type CallNode, type Module, spotOf } from '../syntax/module.js'
import { type Declared, type FunctionNode, isFunctionNode } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import { functionAround } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import { returnsOf } from '../terms/returns.js'
import type { Frame } from '../terms/substitute.js'
import { isGlobal, type Term } from '../terms/term.js'
import { abortingSignal } from './aborting-signal.js'
import { isAfterEvent } from './after-event.js'
import { expressionParts } from './expression-parts.js'
import { nameAt, type Reckoning, type Span, spanOf, termAt } from './reckon.js'
import { isTimerLeft } from './timer-left.js'

/** A promise that settles by the clock. */
export interface Timer {
  /** After how long; null where that is not known. */
  readonly span: Span | null
  /** What arms it, as people see it: the `setTimeout`, or the call that hides it. */
  readonly spot: Spot
  /** The same without the functions that hide it. */
  readonly armed: Spot
  /** It goes on when nobody waits any more. */
  readonly isLeft: boolean
}

const MAX_DEPTH = 6

/** The timer that an expression waits for; null where it waits for something else. */
export function timerIn(node: Node, reckoning: Reckoning, depth = 0): Timer | null {
  if (depth > MAX_DEPTH) return null
  const inner = bare(node)
  const again = (part: Node, where = reckoning) => timerIn(part, where, depth + 1)
  switch (inner.type) {
    case 'NewExpression':
      return ofPromise(inner, reckoning)
    case 'CallExpression':
      return ofCall(inner, reckoning, depth)
    case 'MemberExpression':
      return again(inner.object)
    case 'Identifier': {
      const name = nameAt(inner, reckoning.module)
      const { binding } = name ?? {}
      if (binding?.kind !== 'value') return null
      const values = [...(binding.node && binding.steps.length === 0 ? [binding.node] : []), ...(name?.assigned ?? [])]
      const timers = values.map((value) => again(value))
      return timers.find((timer) => timer !== null) ?? ofResolvers(inner, name, reckoning)
    }
    default:
      return null
  }
}

/** `new Promise((_, reject) => setTimeout(reject, 200))`, however it is spelled. */
function ofPromise(node: Extract<Node, { type: 'NewExpression' }>, reckoning: Reckoning): Timer | null {
  if (!isGlobal(reckoning.evaluator.termOf(node.callee, reckoning.module), 'Promise')) return null
  const [executor] = node.arguments
  if (!executor || !isFunctionNode(bare(executor as Node))) return null
  return timerOfExecutor(bare(executor as Node) as FunctionNode, reckoning)
}

/** The timer in the function of a `new Promise` that settles it beside some work in that, or the timed signal whose abort does. */
export function timerOfExecutor(executor: FunctionNode, reckoning: Reckoning, work: Node | null = null): Timer | null {
  const settle = executor.params.flatMap((param) => (param.type === 'Identifier' ? [param.name] : []))
  const arming = settingTimers(executor, reckoning)
    .filter((timer) => !isAfterEvent(timer, executor, work))
    .find(({ arguments: [callback] }) => callback && uses(callback as Node, settle))
  return arming ? ofSetTimeout(arming, reckoning) : abortingSignal(executor, settle, reckoning)
}

/** The calls of `setTimeout` in a function, also those in functions within it. */
function settingTimers(within: FunctionNode, { evaluator, module }: Reckoning): Extract<Node, { type: 'CallExpression' }>[] {
  return callsWithin(within, module).filter(
    (node): node is Extract<Node, { type: 'CallExpression' }> =>
      node.type === 'CallExpression' && isSetTimeout(evaluator.termOf(node.callee, module)),
  )
}

/** Calls are in the order of the text: those of a function stand together. */
function callsWithin({ start, end }: FunctionNode, { calls }: Module): readonly CallNode[] {
  let [low, high] = [0, calls.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((calls[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  let last = low
  while ((calls[last]?.end ?? Number.POSITIVE_INFINITY) <= end) last++
  return calls.slice(low, last)
}

function isSetTimeout(callee: Term): boolean {
  return isGlobal(callee, 'setTimeout') || isTimersModule(callee)
}

function uses(node: Node, names: readonly string[]): boolean {
  let found = false
  walk(node, (each) => {
    if (each.type === 'Identifier' && names.includes(each.name)) found = true
    return !found
  })
  return found
}

function ofSetTimeout(node: CallNode, reckoning: Reckoning): Timer {
  const ms = node.type === 'TaggedTemplateExpression' ? undefined : node.arguments[1]
  const span = ms && ms.type !== 'SpreadElement' ? spanOf(ms, reckoning) : null
  const isOverSoon = ms === undefined || (span !== null && span[1] < SOON_MS)
  const spot = spotOf(node, reckoning.module)
  return { span, spot, armed: spot, isLeft: !isOverSoon && isTimerLeft(node, reckoning.module) }
}

/** A timer that holds nothing up for longer need not be cleared; without a time it fires at once. */
const SOON_MS = 100

/** `const { promise, reject } = Promise.withResolvers()` and a `setTimeout` that calls the latter. */
function ofResolvers(node: Node, name: Declared | null, reckoning: Reckoning): Timer | null {
  if (name?.binding.kind !== 'value' || !name.binding.node || name.binding.steps.length === 0) return null
  const { binding, scope } = name
  const made = reckoning.evaluator.termOf(name.binding.node, reckoning.module)
  if (made.kind !== 'made' || !isGlobal(made.callee, 'Promise.withResolvers')) return null
  const settle = [...scope.names.values()].filter(({ binding: each }) => each.kind === 'value' && each.node === binding.node)
  const names = settle.filter((each) => each !== name).map((each) => each.name)
  const arming = reckoning.module.calls.find(
    (call) =>
      call.type === 'CallExpression' &&
      isSetTimeout(reckoning.evaluator.termOf(call.callee, reckoning.module)) &&
      call.arguments[0] !== undefined &&
      uses(call.arguments[0] as Node, names) &&
      call.start >= scope.node.start &&
      call.end <= scope.node.end &&
      node.start >= scope.node.start,
  )
  return arming ? ofSetTimeout(arming, reckoning) : null
}

function ofCall(node: Extract<Node, { type: 'CallExpression' }>, reckoning: Reckoning, depth: number): Timer | null {
  const callee = termAt(node.callee, reckoning)
  const hidden = ofSleep(callee, node, reckoning)
  if (hidden) return hidden
  if (callee.kind === 'function') return ofOwn(callee.node, callee.module, callee.self, node, reckoning, depth)
  const object = bare(node.callee)
  const isChained =
    object.type === 'MemberExpression' && ['then', 'finally', 'catch'].includes(keyName(object.property as Node, false) ?? '')
  return isChained ? timerIn(object.object, reckoning, depth + 1) : null
}

/** `setTimeout` of `timers/promises`, `promisify(setTimeout)`, the package `delay`. */
function ofSleep(callee: Term, node: Extract<Node, { type: 'CallExpression' }>, reckoning: Reckoning): Timer | null {
  if (!isSleep(callee)) return null
  const [ms] = node.arguments
  const span = ms && ms.type !== 'SpreadElement' ? spanOf(ms, reckoning) : null
  const options = node.arguments.at(-1)
  const isCleared = options !== undefined && options !== ms && isGivenUp(termAt(options as Node, reckoning))
  const spot = spotOf(node, reckoning.module)
  return { span, spot, armed: spot, isLeft: !isCleared }
}

function isSleep(callee: Term): boolean {
  if (callee.kind === 'made') return isPromisified(callee)
  if (callee.kind !== 'external') return false
  const name = `${callee.package}:${callee.path.join('.')}`
  return SLEEPS.has(name)
}

function isPromisified({ callee, args }: Extract<Term, { kind: 'made' }>): boolean {
  const [first] = args
  const isPromisify = callee.kind === 'external' && /(^|:)util$/.test(callee.package) && callee.path.join('.') === 'promisify'
  return isPromisify && first !== undefined && (isGlobal(first, 'setTimeout') || isTimersModule(first))
}

function isTimersModule(term: Term): boolean {
  return term.kind === 'external' && /^(node:)?timers$/.test(term.package) && term.path.join('.') === 'setTimeout'
}

const SLEEPS: ReadonlySet<string> = new Set([
  'node:timers/promises:setTimeout',
  'timers/promises:setTimeout',
  'timers:promises.setTimeout',
  'node:timers:promises.setTimeout',
  'delay:',
  'es-toolkit:delay',
  'es-toolkit/promise:delay',
])

/** A signal among its options can end the sleep, or `ref: false` lets the process go. */
function isGivenUp(options: Term): boolean {
  if (options.kind !== 'object') return options.kind !== 'constant'
  const [signal, ref] = [findProperty(options, 'signal').value, findProperty(options, 'ref').value]
  return (signal !== null && signal.kind !== 'constant') || (ref?.kind === 'constant' && ref.value === false)
}

/** `timeout(200)`: a function of the project that gives a timer. Nobody else gets the handle of a timer that is made in it. */
function ofOwn(of: FunctionNode, module: Module, self: Term | null, call: CallNode, reckoning: Reckoning, depth: number): Timer | null {
  if (call.type === 'TaggedTemplateExpression') return null
  const args = call.arguments.filter((arg) => arg.type !== 'SpreadElement')
  const inner: Reckoning = {
    evaluator: reckoning.evaluator,
    module,
    frame: { of, args: args.map((arg) => termAt(arg, reckoning)), self },
    around: framesAround(of, reckoning),
    counted: countedIn(of, module, args, reckoning),
  }
  const timers = waitedFor(of).map((node) => timerIn(node, inner, depth + 1))
  const timer = timers.find((each) => each !== null)
  return timer ? { ...timer, spot: spotOf(call, reckoning.module) } : null
}

/** What was given to the functions that one is written in. */
function framesAround(of: FunctionNode, { frame, around = [] }: Reckoning): readonly Frame[] {
  const frames = [...(frame ? [frame] : []), ...around]
  return frames.filter((each) => isWithin(of, each.of))
}

function isWithin(of: FunctionNode, outer: FunctionNode): boolean {
  for (let here = functionAround(of); here; here = functionAround(here)) if (here === outer) return true
  return false
}

/** What a function returns, and where that is nothing to wait for, what it awaits instead. */
function waitedFor(of: FunctionNode): readonly Node[] {
  const returned = returnsOf(of)
  if (!returned.every(isThere) || !of.async || of.body?.type !== 'BlockStatement') return returned
  const awaited = of.body.body.flatMap((statement) =>
    statement.type === 'ExpressionStatement' && statement.expression.type === 'AwaitExpression' ? [statement.expression.argument] : [],
  )
  const isAll = returned.length === 0 || expressionParts(of.body).awaited.length === awaited.length
  return isAll ? [...returned, ...awaited] : returned
}

/** A value that nobody has to wait for any more. */
function isThere(node: Node): boolean {
  const inner = bare(node)
  return inner.type === 'Literal' || inner.type === 'Identifier' || inner.type === 'ObjectExpression' || inner.type === 'TemplateLiteral'
}

function countedIn(of: FunctionNode, module: Module, args: readonly Node[], outer: Reckoning): ReadonlyMap<Declared, Span> {
  const counted = new Map<Declared, Span>()
  for (const name of module.scopes.get(of)?.names.values() ?? []) {
    const { binding } = name
    if (binding.kind !== 'parameter' || binding.steps.length > 0) continue
    const arg = args[binding.index]
    const span = arg ? spanOf(arg, outer) : null
    if (span) counted.set(name, span)
  }
  return counted
}
