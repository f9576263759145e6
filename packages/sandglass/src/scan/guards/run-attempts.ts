import type { Node } from 'oxc-parser'
import { scopeAt } from '../syntax/module.js'
import { type Declared, type FunctionNode, lookUp } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import type { Term } from '../terms/term.js'
import { truthAfterTimeout } from './after-timeout.js'
import { calledName } from './called-name.js'
import { type ExpressionParts, expressionParts } from './expression-parts.js'
import { givenTerm, nameAt, numberOf, type Reckoning, type Span, spanOf, termAt } from './reckon.js'
import { timerIn } from './timer.js'

/** What happens to code that makes a call when the call fails every time. */
export interface AttemptRun {
  /** How often the call is made; `Infinity` where the code never gives up, null where nobody can tell. */
  readonly count: number | null
  /** The waits between, at least and at most each; null where nobody can tell. */
  readonly waits: readonly Span[] | null
}

/** How a statement ends. `lost`: nobody can tell how it goes on. */
type End = 'next' | 'break' | 'continue' | 'return' | 'throw' | 'lost' | 'endless'

/** More attempts than this are not counted. */
const MAX_ATTEMPTS = 200
const NO_WAIT: Span = [0, 0]
/** A function that calls itself more often than this is not followed. */
const MAX_ROUNDS = 50
const MAX_STEPS = 4000

/** What is run, and what the call in it does: it throws, or it is caught at once and gives nothing. */
export interface Attempted {
  readonly call: Node
  readonly isCaught: boolean
  /** The function that calls itself again; null for a loop. */
  readonly self: FunctionNode | null
}

interface Run {
  readonly attempted: Attempted
  readonly reckoning: Reckoning
  readonly counted: Map<Declared, Span>
  /** After each attempt, by its number less one. */
  readonly waits: Span[]
  attempts: number
  steps: number
  depth: number
  optional: number
  isWaitUnknown: boolean
  /** A condition with a number in it was asked: it ends some time, if late. */
  isCounted: boolean
}

/** Runs a loop or the body of a function in thought, with a call in it that fails every time, and counts. */
export function runAttempts(code: Node, attempted: Attempted, reckoning: Reckoning): AttemptRun {
  const counted = new Map(reckoning.counted)
  for (const [name, span] of namesBefore(code, reckoning)) if (!counted.has(name)) counted.set(name, span)
  const run: Run = {
    attempted,
    reckoning: { ...reckoning, counted },
    counted,
    waits: [],
    attempts: 0,
    steps: 0,
    depth: 0,
    optional: 0,
    isWaitUnknown: false,
    isCounted: false,
  }
  const end = statement(code, run)
  if (end === 'endless') return { count: Number.POSITIVE_INFINITY, waits: null }
  if (end === 'lost') return { count: null, waits: null }
  // A wait after the last attempt is time as well.
  const waits = Array.from({ length: Math.max(run.waits.length, run.attempts - 1) }, (_, k) => run.waits[k] ?? NO_WAIT)
  return { count: run.attempts, waits: run.isWaitUnknown ? null : waits }
}

/** Names that code changes and that begin outside of it. */
function namesBefore(code: Node, reckoning: Reckoning): Map<Declared, Span> {
  const found = new Map<Declared, Span>()
  walk(code, (node) => {
    if (node.type !== 'Identifier') return true
    const name = lookUp(node.name, scopeAt(node, reckoning.module))
    if (!name || found.has(name) || name.assigned.length === 0) return true
    const span = beginning(name, reckoning)
    if (span) found.set(name, span)
    return true
  })
  return found
}

function beginning(name: Declared, reckoning: Reckoning): Span | null {
  const { binding } = name
  if (binding.kind === 'value') {
    // `let lastError` is undefined, which is as good as 0 where it is asked.
    if (!binding.node) return [0, 0]
    return binding.steps.length === 0 ? spanOf(binding.node, reckoning) : null
  }
  if (binding.kind !== 'parameter') return null
  const term = reckoning.evaluator.nameOf(name, reckoning.module)
  const number = numberOf(givenTerm(term.kind === 'either' && term.of[0] ? term.of[0] : term, reckoning))
  return number === null ? null : [number, number]
}

function statement(node: Node, run: Run): End {
  if (++run.steps > MAX_STEPS) return 'lost'
  switch (node.type) {
    case 'BlockStatement':
      return inOrder(node.body, run)
    case 'ExpressionStatement':
      return expression(node.expression, run)
    case 'VariableDeclaration':
      return variables(node, run)
    case 'ReturnStatement':
      return leave(node.argument ?? null, 'return', run)
    case 'ThrowStatement':
      return leave(node.argument, 'throw', run)
    case 'BreakStatement':
      return 'break'
    case 'ContinueStatement':
      return 'continue'
    case 'IfStatement':
      return condition(node, run)
    case 'TryStatement':
      return tried(node, run)
    case 'LabeledStatement':
      return statement(node.body, run)
    case 'SwitchStatement':
      return holdsCall(node, run)
        ? inOrder(
            node.cases.flatMap((each) => each.consequent),
            run,
          )
        : 'next'
    default:
      return isLoop(node) ? loop(node, run) : 'next'
  }
}

function inOrder(nodes: readonly Node[], run: Run): End {
  for (const node of nodes) {
    const end = statement(node, run)
    if (end !== 'next') return end
  }
  return 'next'
}

/** A `return` or `throw` whose expression may hold the call, or another round of the same function. */
function leave(argument: Node | null, end: 'return' | 'throw', run: Run): End {
  const inner = argument ? expression(argument, run) : 'next'
  return inner === 'next' ? end : inner
}

function variables(node: Extract<Node, { type: 'VariableDeclaration' }>, run: Run): End {
  for (const { id, init } of node.declarations) {
    if (!init) continue
    const end = expression(init, run)
    if (end !== 'next') return end
    const name = id.type === 'Identifier' ? lookUp(id.name, scopeAt(init, run.reckoning.module)) : null
    if (name && (name.assigned.length > 0 || !name.isConst)) take(name, spanOf(init, run.reckoning), run)
  }
  return 'next'
}

function take(name: Declared, span: Span | null, { counted }: Run): void {
  if (span) counted.set(name, span)
  else counted.delete(name)
}

/** What an expression does: the call in it fails, sleeps in it pass, names in it are counted. */
function expression(node: Node, run: Run): End {
  if (holdsCall(node, run)) {
    if (++run.attempts > MAX_ATTEMPTS) return run.isCounted ? 'lost' : 'endless'
    if (!run.attempted.isCaught) return 'throw'
  }
  const { awaited, calls, changes } = expressionParts(node)
  for (const part of awaited) sleep(part, run)
  const end = nextRound(calls, run)
  if (end !== 'next') return end
  for (const part of changes) {
    if (part.type === 'UpdateExpression') count(part.argument as Node, spanOf({ ...part, prefix: true }, run.reckoning), run)
    else assign(part, run)
  }
  return 'next'
}

/** The function calls itself again among these calls. */
function nextRound(calls: ExpressionParts['calls'], run: Run): End {
  const { self } = run.attempted
  const call = self && calls.find((part) => isCallOf(self, part, run))
  return self && call ? again(self, call, run) : 'next'
}

function count(target: Node, span: Span | null, run: Run): void {
  const name = nameAt(target, run.reckoning.module)
  if (name) take(name, span, run)
}

function assign(node: Extract<Node, { type: 'AssignmentExpression' }>, run: Run): void {
  const { operator, right } = node
  const left = node.left as Node
  if (operator === '=') count(left, spanOf(right, run.reckoning) ?? (isThere(right) ? [1, 1] : null), run)
  else {
    const sum = { type: 'BinaryExpression', operator: operator.slice(0, -1), left, right, start: node.start, end: node.end } as Node
    count(left, spanOf(sum, run.reckoning), run)
  }
}

/** `lastError = error`, `done = new Result()`: no number, but something. */
function isThere(node: Node): boolean {
  const inner = bare(node)
  if (inner.type === 'NewExpression' || inner.type === 'ObjectExpression') return true
  if (inner.type !== 'Identifier') return false
  for (let here: Node | null | undefined = node; here; here = here.parent) {
    if (here.type === 'CatchClause' && here.param?.type === 'Identifier' && here.param.name === inner.name) return true
  }
  return false
}

const SLEEP = /sleep|delay|wait|pause|back_?off/i

/** A call that is named after a wait and cannot be looked into. */
function isUnknownSleep(node: Node, { reckoning: { evaluator, module } }: Run): boolean {
  const inner = bare(node)
  if (inner.type !== 'CallExpression') return false
  const name = calledName(inner.callee as Node)
  return name !== null && SLEEP.test(name) && evaluator.termOf(inner.callee, module).kind !== 'class'
}

function sleep(node: Node, run: Run): void {
  const timer = timerIn(node, run.reckoning)
  if (!timer) {
    if (isUnknownSleep(node, run) && !holdsCall(node, run)) run.isWaitUnknown = true
    return
  }
  if (!timer.span) {
    run.isWaitUnknown = true
    return
  }
  const [least, most] = run.optional > 0 ? [0, timer.span[1]] : timer.span
  const k = Math.max(0, run.attempts - 1)
  const [low, high] = run.waits[k] ?? NO_WAIT
  run.waits[k] = [low + least, high + most]
}

function isCallOf(self: FunctionNode, node: Extract<Node, { type: 'CallExpression' }>, { reckoning }: Run): boolean {
  const callee = reckoning.evaluator.termOf(node.callee, reckoning.module)
  return callee.kind === 'function' && callee.node === self
}

/** The function calls itself: once more with what it gives itself. */
function again(self: FunctionNode, node: Extract<Node, { type: 'CallExpression' }>, run: Run): End {
  if (++run.depth > MAX_ROUNDS) return 'lost'
  const given = new Map<Declared, Span | null>()
  for (const name of run.reckoning.module.scopes.get(self)?.names.values() ?? []) {
    if (name.binding.kind !== 'parameter' || name.binding.steps.length > 0) continue
    const arg = node.arguments[name.binding.index]
    const fallback = name.binding.fallback
    given.set(name, arg ? spanOf(arg as Node, run.reckoning) : fallback ? spanOf(fallback, run.reckoning) : null)
  }
  for (const [name, span] of given) take(name, span, run)
  if (!self.body) return 'lost'
  const end = self.body.type === 'BlockStatement' ? statement(self.body, run) : expression(self.body as Node, run)
  return end === 'next' || end === 'return' ? 'return' : end
}

function condition(node: Extract<Node, { type: 'IfStatement' }>, run: Run): End {
  const { holds, end } = tested(node.test, run)
  if (end !== 'next') return end
  if (holds === true) return statement(node.consequent, run)
  if (holds === false) return node.alternate ? statement(node.alternate, run) : 'next'
  const isLeaving = leaves(node.consequent)
  if (isLeaving && !holdsCall(node.consequent, run)) return node.alternate ? perhaps(node.alternate, run) : 'next'
  return node.alternate && leaves(node.alternate) ? statement(node.consequent, run) : perhaps(node.consequent, run)
}

/** A branch that may be taken: the longest way is what counts. */
function perhaps(node: Node, run: Run): End {
  run.optional++
  const end = statement(node, run)
  run.optional--
  // What passes over the call that comes below makes no attempt.
  const isBefore = run.attempts === 0 || node.end <= run.attempted.call.start
  return end === 'break' || (end === 'continue' && isBefore) ? 'next' : end
}

/** True where a branch ends the loop or the function by its last statement. */
function leaves(node: Node): boolean {
  const last = node.type === 'BlockStatement' ? node.body.at(-1) : node
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement' || last?.type === 'BreakStatement'
}

function tried(node: Extract<Node, { type: 'TryStatement' }>, run: Run): End {
  const end = statement(node.block, run)
  const caught = end === 'throw' && node.handler ? statement(node.handler.body, run) : end
  const last = node.finalizer ? statement(node.finalizer, run) : 'next'
  return last === 'next' ? caught : last
}

type Loop = Extract<Node, { type: 'ForStatement' | 'WhileStatement' | 'DoWhileStatement' | 'ForOfStatement' | 'ForInStatement' }>

/** True for a loop of any kind. */
export function isLoop(node: Node): node is Loop {
  return LOOPS.has(node.type)
}

const LOOPS: ReadonlySet<string> = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement', 'ForOfStatement', 'ForInStatement'])

function loop(node: Loop, run: Run): End {
  if (!holdsCall(node, run)) return 'next'
  if (node.type === 'ForOfStatement') return overList(node, run)
  if (node.type === 'ForInStatement') return overUnknown(node, run)
  if (node.type === 'ForStatement' && node.init) begin(node.init as Node, run)
  for (let isTested = node.type !== 'DoWhileStatement'; ; isTested = true) {
    const end = round(node, isTested, run)
    if (end === 'break') return 'next'
    if (end !== 'next') return end
  }
}

/** Once through a loop; `break` where it is over. */
function round(node: Exclude<Loop, { type: 'ForOfStatement' | 'ForInStatement' }>, isTested: boolean, run: Run): End {
  const before = node.test && isTested ? goesOn(node.test, run) : 'next'
  if (before !== 'next') return before
  const end = statement(node.body, run)
  if (end !== 'next' && end !== 'continue') return end
  if (node.type === 'ForStatement' && node.update) expression(node.update, run)
  return run.steps <= MAX_STEPS ? 'next' : 'lost'
}

function begin(init: Node, run: Run): void {
  if (init.type === 'VariableDeclaration') variables(init, run)
  else expression(init, run)
}

/** Whether a loop goes on: `break` where it does not. */
function goesOn(test: Node, run: Run): End {
  const { holds, end } = tested(test, run)
  if (end !== 'next') return end
  // Before the first attempt a loop is entered: that it goes on after a failure is what has to be known.
  if (holds === null) return run.attempts === 0 ? 'next' : 'lost'
  return holds ? 'next' : 'break'
}

/** `while (tries-- > 0)`: the answer is that of the test, what it counts is counted after. */
function tested(test: Node, run: Run): { readonly holds: boolean | null; readonly end: End } {
  const holds = truthAfterTimeout(test, run.reckoning)
  if (holds !== null && bare(test).type !== 'Literal') run.isCounted = true
  return { holds, end: expression(test, run) }
}

function overList(node: Extract<Node, { type: 'ForOfStatement' }>, run: Run): End {
  const items = itemsOf(termAt(node.right, run.reckoning))
  if (!items) return overUnknown(node, run)
  const declaration = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : null
  const name = declaration?.type === 'Identifier' ? lookUp(declaration.name, scopeAt(node, run.reckoning.module)) : null
  for (const item of items) {
    const number = numberOf(item)
    if (name) take(name, number === null ? null : [number, number], run)
    const end = statement(node.body, run)
    if (end === 'break') return 'next'
    if (end !== 'next' && end !== 'continue') return end
  }
  return 'next'
}

/** The items of a list, of several that it may be the longest; null where their number is not known. */
function itemsOf(list: Term): readonly Term[] | null {
  if (list.kind === 'list') return list.items
  const all = list.kind === 'either' ? list.of.map(itemsOf) : []
  return all.includes(null) ? null : all.reduce((a, b) => ((b?.length ?? 0) > (a?.length ?? 0) ? b : a), all[0] ?? null)
}

/** Through a list of unknown length: where the first failure leaves it, it does not try again. */
function overUnknown(node: Extract<Node, { type: 'ForOfStatement' | 'ForInStatement' }>, run: Run): End {
  const end = statement(node.body, run)
  return end === 'throw' || end === 'return' ? end : 'lost'
}

function holdsCall(node: Node, { attempted: { call } }: Run): boolean {
  return node.start <= call.start && node.end >= call.end
}
