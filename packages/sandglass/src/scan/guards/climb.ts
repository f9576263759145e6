import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import type { Caller } from '../scan-view.js'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt, spotOf } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import type { Frame } from '../terms/substitute.js'
import { isGlobal } from '../terms/term.js'
import { beginnings, isInside } from './beginnings.js'
import { belowTurn } from './below-turn.js'
import { type CallsOf, guardsOfJob, readBull } from './bull-jobs.js'
import { callAround, type Named, namedArgument, outerOf, type WrappingNode } from './call-around.js'
import { readCockatiel } from './cockatiel.js'
import { isEndedTogether } from './ended-together.js'
import type { FunctionUses } from './function-uses.js'
import type { Guard } from './guard.js'
import { guardOfLoop, type WithinLoops } from './guard-of-loop.js'
import { isReached, mayReach } from './is-reached.js'
import { readOpossum } from './opossum.js'
import { guardsInside } from './own-wrapper.js'
import { readRace } from './race.js'
import { givenTerm, type Reckoning, termAt } from './reckon.js'
import { readRetryLibrary } from './retry-libraries.js'
import { isLoop, runAttempts } from './run-attempts.js'
import { guardsOfPipe } from './rxjs.js'
import { readSandglassCall } from './sandglass-call.js'
import { executorSettledBy } from './settled-executor.js'
import { readTimeoutLibrary } from './timeout-libraries.js'
import { timerOfExecutor } from './timer.js'
import { timerBeforeCallback } from './timer-before-callback.js'
import { readUnknownTimeout } from './unknown-timeout.js'
import { weakestGuards, withoutChoice } from './weakest-guards.js'
import { limitGuard, onesOfSeveral, type ReadWrapper, retryParts, type Wrapping } from './wrapping.js'

/** What climbing from a call needs, and what is known of the call. */
export interface Climb {
  readonly evaluator: Evaluator
  readonly uses: FunctionUses
  /** The calls of something of a package. */
  readonly callsOf: CallsOf
  readonly reckoning: Reckoning
  /** Where to stop: the function that was entered to look inside. */
  readonly within: FunctionNode | null
  /** The one caller that is asked about; null for all. */
  readonly caller: Caller | null
  readonly isTold: boolean
  readonly library: string
  /** Functions and variables on the way, so that no circle is gone twice. */
  readonly visited: ReadonlySet<object>
  readonly repeats: readonly Spot[]
  /** What was found out around functions, by function and what the call is told. */
  readonly known: Map<FunctionNode, Map<string, readonly Guard[]>>
}

const READERS: readonly ReadWrapper[] = [
  readRace,
  readTimeoutLibrary,
  readRetryLibrary,
  readOpossum,
  readBull,
  readCockatiel,
  readSandglassCall,
  readUnknownTimeout,
]

/** A function is followed to its callers so many times. */
const MAX_VISITED = 8
/** A function with more uses than this is looked at with the first ones. */
const MAX_USES = 50

/** How the value on the way stands: a promise, what came of waiting for it, or a promise that nobody waits for. */
type State = 'promise' | 'waited' | 'floating'

interface Step extends WithinLoops {
  here: Node
  state: State
  /** The item of a list that the value is. */
  item: Node
  isBluebird: boolean
}

/** What stands around an expression, from the inside out. */
export function guardsAround(start: Node, climb: Climb): readonly Guard[] {
  const guards: Guard[] = []
  const step: Step = {
    here: start,
    state: 'promise',
    item: start,
    mark: start,
    isCaught: false,
    isBluebird: false,
    repeats: climb.repeats,
    loop: null,
  }
  for (let above = start.parent; above; above = step.here.parent) {
    if (isFunctionNode(above)) {
      const end = leaveFunction(above, step, guards, climb)
      if (end) return [...guards, ...end]
      continue
    }
    const end = goUp(above, step, guards, climb)
    if (end) return [...guards, ...end]
  }
  return guards
}

/** One step up; what it gives ends the climb. */
function goUp(above: Node, step: Step, guards: Guard[], climb: Climb): readonly Guard[] | null {
  const { here } = step
  if (step.state === 'waited' && isLoop(above)) guards.push(...guardOfLoop(above, step, climb))
  if (step.state !== 'promise') {
    step.here = belowTurn(above)
    return null
  }
  switch (above.type) {
    case 'AwaitExpression':
    case 'ReturnStatement':
    case 'YieldExpression':
    case 'ForOfStatement':
      step.state = 'waited'
      break
    case 'ExpressionStatement':
    case 'UnaryExpression':
      step.state = 'floating'
      break
    case 'CallExpression':
    case 'NewExpression':
      if (above.callee !== here) guards.push(...guardsOfCall(above, step, climb))
      break
    case 'MemberExpression':
      return throughMember(above, step, guards, climb)
    case 'VariableDeclarator':
      return above.id.type === 'Identifier' ? throughName(above.id.name, above, step, climb) : []
    case 'AssignmentExpression':
      return above.left.type === 'Identifier' ? throughName(above.left.name, above, step, climb) : []
    case 'ArrayExpression':
    case 'SpreadElement':
      step.here = above
      return null
    case 'Property':
      return throughProperty(above, step, guards, climb)
    case 'PropertyDefinition':
    case 'TemplateLiteral':
      return []
    default:
      break
  }
  step.here = above
  step.item = above
  return null
}

function guardsOfCall(node: WrappingNode, step: Step, climb: Climb): readonly Guard[] {
  const index = node.arguments.findIndex((arg) => arg.start <= step.here.start && arg.end >= step.here.end)
  const wrapping = wrappingOf(node, index, step, climb)
  if (wrapping.callee.kind === 'external' && wrapping.callee.package === 'bluebird') step.isBluebird = true
  return guardsOfWrapping(wrapping, climb)
}

function wrappingOf(node: WrappingNode, index: number, step: Step, { reckoning, isTold, library }: Climb): Wrapping {
  return {
    callee: termAt(node.callee, reckoning),
    args: node.arguments.map((arg) => (arg.type === 'SpreadElement' ? { kind: 'unknown', why: 'a spread' } : termAt(arg, reckoning))),
    node,
    index,
    item: step.item,
    reckoning,
    isTold,
    library,
    repeats: step.repeats,
  }
}

function guardsOfWrapping(wrapping: Wrapping, climb: Climb): readonly Guard[] {
  const guards = readWrapping(wrapping, climb)
  return guards.some(isOfUnknownLength) ? (byCallers(wrapping, climb) ?? guards) : guards
}

function isOfUnknownLength(guard: Guard): boolean {
  return guard.kind === 'limit' && guard.ms === null
}

/** Functions within functions whose callers may say how long a limit is. */
const MAX_OUTWARD = 3

/** A limit whose length the callers of the function around it give: the longest of theirs. Null where they do not all give one. */
function byCallers(wrapping: Wrapping, climb: Climb): readonly Guard[] | null {
  const { node, reckoning } = wrapping
  if (reckoning.frame) return null
  let of = functionAround(node)
  for (let outward = 0; of && outward < MAX_OUTWARD; outward++, of = functionAround(of)) {
    const found = forCallersOf(of, wrapping, climb)
    if (found) return found
  }
  return null
}

function forCallersOf(of: FunctionNode, wrapping: Wrapping, climb: Climb): readonly Guard[] | null {
  const { uses } = climb
  const callers = uses.callersOf(of).filter(({ node, module }) => !isInside(node, module, of, climb.reckoning))
  if (callers.length === 0 || callers.length > MAX_USES || uses.handedOver(of).length > 0) return null
  const all: (readonly Guard[])[] = []
  for (const { args, self } of callers) {
    const frame: Frame = { of, args, self }
    const reckoning: Reckoning = { ...wrapping.reckoning, frame }
    if (!mayReach(wrapping.node, of, reckoning)) continue
    const guards = readWrapping(asGiven(wrapping, reckoning), { ...climb, reckoning })
    if (guards.length === 0 || guards.some(isOfUnknownLength)) return null
    all.push(guards)
  }
  return all.length > 0 ? weakestGuards(all) : null
}

function asGiven(wrapping: Wrapping, reckoning: Reckoning): Wrapping {
  const { callee, args } = wrapping
  return { ...wrapping, callee: givenTerm(callee, reckoning), args: args.map((arg) => givenTerm(arg, reckoning)), reckoning }
}

function readWrapping(wrapping: Wrapping, climb: Climb): readonly Guard[] {
  for (const read of READERS) {
    const guards = read(wrapping)
    if (guards) return guards
  }
  if (wrapping.callee.kind !== 'either') return guardsInside(wrapping, climb, guardsAround)
  return weakestGuards(onesOfSeveral(wrapping).map((each) => readWrapping(each, climb)))
}

/** The work stands in an object that a function of the project is given: `withTimeout({ promise: work(), ms: 500 })`. */
function throughProperty(above: Node, step: Step, guards: Guard[], climb: Climb): readonly Guard[] | null {
  const named = namedArgument(above)
  const own = named ? guardsOfNamed(named, step, climb) : []
  if (!named || own.length === 0) return []
  guards.push(...own)
  step.here = named.node
  step.item = named.node
  return null
}

function guardsOfNamed({ node, index, under }: Named, step: Step, climb: Climb): readonly Guard[] {
  const wrapping: Wrapping = { ...wrappingOf(node, index, step, climb), under }
  return readUnknownTimeout(wrapping) ?? guardsInside(wrapping, climb, guardsAround)
}

/** `.then(…)` goes on with the same work; `.timeout(500)` of Bluebird and `.pipe(timeout(500))` limit it. */
function throughMember(
  above: Extract<Node, { type: 'MemberExpression' }>,
  step: Step,
  guards: Guard[],
  climb: Climb,
): readonly Guard[] | null {
  const call = above.parent
  const name = keyName(above.property as Node, above.computed)
  if (call?.type !== 'CallExpression' || call.callee !== above) {
    step.here = above
    return null
  }
  const wrapping = wrappingOf(call, -1, step, climb)
  if (name === 'catch' || (name === 'then' && call.arguments.length > 1)) step.isCaught = true
  if (name === 'pipe') guards.push(...guardsOfPipe(wrapping))
  const [ms] = wrapping.args
  if (name === 'timeout' && step.isBluebird && ms?.kind === 'constant' && typeof ms.value === 'number')
    guards.push(limitGuard(wrapping, '.timeout of bluebird', ms.value))
  step.here = call
  step.item = call
  return null
}

/** The value is kept under a name: what stands around the places where that is used. */
function throughName(name: string, at: Node, step: Step, climb: Climb): readonly Guard[] {
  const { module } = climb.reckoning
  const declared = lookUp(name, scopeAt(at, module))
  if (!declared || climb.visited.has(declared) || climb.visited.size > MAX_VISITED) return []
  const inner = { ...climb, visited: new Set([...climb.visited, declared]), repeats: step.repeats }
  const uses = referencesOf(declared, module).filter((node) => !isTarget(node))
  const all = uses.map((node) => guardsAround(node, inner))
  const limited = all.filter((guards) => guards.some(({ kind }) => kind === 'limit'))
  const isAwaitedToo = uses.some((node) => node.parent?.type === 'AwaitExpression' || node.parent?.type === 'ReturnStatement')
  return isAwaitedToo ? weakestGuards(all) : (limited[0] ?? all.find((guards) => guards.length > 0) ?? [])
}

function isTarget(node: Node): boolean {
  return node.parent?.type === 'AssignmentExpression' && node.parent.left === node
}

/** At the end of a function: on with the call it is given to, else with those that call it. */
function leaveFunction(of: FunctionNode, step: Step, guards: Guard[], climb: Climb): readonly Guard[] | null {
  if (of === climb.within) return guardOfRecursion(of, step, climb)
  const { module, evaluator } = climb.reckoning
  const call = callAround(of)
  const isExecutor = call?.node.type === 'NewExpression' && isGlobal(evaluator.termOf(call.node.callee, module), 'Promise')
  if (step.state === 'floating' && !isExecutor) return guardsOfSettled(of, step, guards, climb)
  if (of.generator) return []
  step.repeats = [...step.repeats, spotOf(of, module)]
  guards.push(...guardOfRecursion(of, step, climb))
  const named = call ? null : namedArgument(outerOf(of).parent)
  const ofNamed = named ? guardsOfNamed(named, { ...step, item: of }, climb) : []
  const given = call ?? (ofNamed.length > 0 ? named : null)
  if (!given) return guardsOfUses(of, step, climb)
  guards.push(...ofNamed)
  if (call && isExecutor) guards.push(...guardOfExecutor(of, call.node, step, climb))
  else if (call && call.index >= 0) guards.push(...guardsOfWrapping({ ...wrappingOf(call.node, call.index, step, climb), item: of }, climb))
  step.here = given.node
  step.item = given.node
  step.mark = given.node
  step.loop = null
  step.state = 'promise'
  step.isCaught = false
  return null
}

/** Nobody waits for it here, but what it comes to settles a promise further out: `new Promise((yes, no) => { socket.connect(() => { work().then(yes, no) }) })`. */
function guardsOfSettled(of: FunctionNode, step: Step, guards: Guard[], climb: Climb): readonly Guard[] {
  const executor = executorSettledBy(step.item, of, climb)
  if (executor) return leaveFunction(executor, step, guards, climb) ?? []
  const timer = timerBeforeCallback(step.item, of, climb)
  return timer ? [limitGuard({ ...wrappingOf(timer.node, 0, step, climb), item: step.mark }, 'a timer', timer.span?.[1] ?? null)] : []
}

/** `new Promise((resolve, reject) => { setTimeout(reject, ms); work().then(resolve, reject) })`. */
function guardOfExecutor(of: FunctionNode, node: WrappingNode, step: Step, climb: Climb): readonly Guard[] {
  const timer = timerOfExecutor(of, climb.reckoning, step.mark)
  // What the timer itself starts is put off by it, not ended.
  if (!timer || (timer.spot.start <= step.mark.start && timer.spot.end >= step.mark.end)) return []
  const wrapping = { ...wrappingOf(node, 0, step, climb), item: step.mark }
  return [limitGuard(wrapping, 'a timer', timer.span?.[1] ?? null, { timerLeft: timer.isLeft ? timer : null })]
}

/** A function that calls itself again when the call in it has failed. */
function guardOfRecursion(of: FunctionNode, step: Step, climb: Climb): readonly Guard[] {
  const { module } = climb.reckoning
  const { callersOf } = climb.uses
  const isRecursive = callersOf(of).some(({ node, module: there }) => isInside(node, there, of, climb.reckoning))
  if (!isRecursive || of.body?.type !== 'BlockStatement') return []
  const { body } = of
  const runs = beginnings(of, climb).map((where) => runAttempts(body, { call: step.mark, isCaught: step.isCaught, self: of }, where))
  const most = runs.reduce((a, b) => ((b.count ?? 0) > (a.count ?? 0) ? b : a))
  if (most.count === null || most.count < 2) return []
  const name = `${of.id?.name ?? 'the function'} calling itself`
  const isTogether = isEndedTogether(body, climb.reckoning)
  const parts = retryParts({ name, count: most.count, waits: most.waits, isDefault: false, isEndedTogether: isTogether })
  return [{ ...parts, at: { node: of, module }, spot: spotOf(of.id ?? of, module), repeats: step.repeats }]
}

/** What stands around all uses of a function: its callers, and what it is handed to. */
function guardsOfUses(of: FunctionNode, step: Step, climb: Climb): readonly Guard[] {
  const { uses, caller, visited, known } = climb
  if (visited.has(of) || visited.size > MAX_VISITED) return []
  const around: Climb = { ...climb, within: null, caller: null, visited: new Set([...visited, of]), repeats: [] }
  if (caller && uses.callersOf(of).includes(caller)) return withRepeats(guardsAround(caller.node, inModule(around, caller.module)), step)
  const key = `${climb.library} ${climb.isTold}`
  const before = known.get(of)?.get(key)
  const guards = before ?? weakestGuards(guardsOfEachUse(of, step, around))
  if (!before) known.set(of, new Map([...(known.get(of) ?? []), [key, guards]]))
  return withRepeats(guards, step)
}

function guardsOfEachUse(of: FunctionNode, step: Step, around: Climb): (readonly Guard[])[] {
  const { uses } = around
  const callers = uses
    .callersOf(of)
    .filter(({ node, module }) => !isInside(node, module, of, around.reckoning))
    .slice(0, MAX_USES)
    .flatMap(({ node, module }) => {
      const reached = isReached({ node, module }, uses, around.reckoning)
      return reached === false ? [] : [{ guards: guardsAround(node, inModule(around, module)), isChosen: reached === null }]
    })
  const fromCallers = withoutChoice(callers)
  const fromHanded = uses
    .handedOver(of)
    .slice(0, MAX_USES)
    .map(({ node, index, module }) => {
      const there = inModule(around, module)
      const item = (node.arguments[index] ?? node) as Node
      const own = guardsOfWrapping(wrappingOf(node, index, { ...step, here: item, item, repeats: [] }, there), there)
      return [...own, ...guardsAround(node, there)]
    })
  return [...fromCallers, ...fromHanded, ...guardsOfJob(of, around)]
}

function inModule(climb: Climb, module: Module): Climb {
  return { ...climb, reckoning: { evaluator: climb.evaluator, module, frame: null, counted: new Map() } }
}

/** What runs below runs anew with each attempt, too. */
function withRepeats(guards: readonly Guard[], { repeats }: Step): readonly Guard[] {
  return guards.map((guard) => (guard.kind === 'retry' ? { ...guard, repeats: [...guard.repeats, ...repeats] } : guard))
}
