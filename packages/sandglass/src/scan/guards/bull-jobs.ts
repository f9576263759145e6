import type { Node } from 'oxc-parser'
import type { ClientUses } from '../models/library-model.js'
import { spotOf } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import type { At, Term } from '../terms/term.js'
import type { Guard } from './guard.js'
import { numberOf, type Reckoning } from './reckon.js'
import { limitGuard, outsideName, type ReadWrapper } from './wrapping.js'

/** The calls of something of a package, by its name there: `@nestjs/bull:BullModule.registerQueue`. */
export type CallsOf = ClientUses['callsOf']

const QUEUES: ReadonlySet<string | null> = new Set(['bull:', 'bull:Queue'])

/** `new Queue('mail', { defaultJobOptions: { timeout } }).process(work)` of Bull: a job ends then, the work goes on. */
export const readBull: ReadWrapper = (wrapping) => {
  const { callee, node, index } = wrapping
  if (callee.kind !== 'member' || callee.name !== 'process') return null
  const { object: queue } = callee
  if (queue.kind !== 'made' || !QUEUES.has(outsideName(queue.callee))) return null
  const [timeout] = queue.args.slice(1).flatMap((options) => timeoutOfJobs(options) ?? [])
  return timeout && index === node.arguments.length - 1
    ? [limitGuard(wrapping, 'bull', numberOf(timeout), { cancels: false, isCertain: true })]
    : []
}

/** `defaultJobOptions: { timeout }` as options have it written down; null where they have none. */
function timeoutOfJobs(options: Term | undefined): Term | null {
  const ofJobs = options?.kind === 'object' ? findProperty(options, 'defaultJobOptions').value : null
  return ofJobs?.kind === 'object' ? findProperty(ofJobs, 'timeout').value : null
}

const NEST = '@nestjs/bull:'

/** What ends a job that a method of a class of Nest does, in a list of the ways it is called: `@Process()` in a `@Processor('mail')`, whose queue has a `timeout`. */
export function guardsOfJob(
  of: FunctionNode,
  { reckoning: { evaluator, module }, callsOf }: { readonly reckoning: Reckoning; readonly callsOf: CallsOf },
): readonly (readonly Guard[])[] {
  const method = of.parent?.type === 'MethodDefinition' ? of.parent : null
  const process = decoratorOf(method, 'Process', { evaluator, module })
  if (!method || !process) return []
  const made = method.parent?.parent ?? null
  const processor = decoratorOf(made, 'Processor', { evaluator, module })
  const timeouts = processor ? timeoutsOf(nameIn(processor.args[0]), evaluator, callsOf) : []
  if (timeouts.length === 0) return [[]]
  const all = timeouts.map(numberOf)
  const spot = spotOf(process.node, module)
  const ms = all.reduce((a, b) => (a === null || b === null ? null : Math.max(a, b)), 0)
  const at = { node: process.node, module }
  return [
    [
      {
        kind: 'limit',
        name: 'bull',
        ms,
        isCertain: true,
        at,
        spot,
        work: spotOf(method.key, module),
        cancels: false,
        isDefault: false,
        timerLeft: null,
      },
    ],
  ]
}

interface Decorator {
  readonly node: Node
  readonly args: readonly Term[]
}

/** `@Process()`, `@Process({ name: 'send' })` above a method or class. */
function decoratorOf(node: Node | null, name: string, { evaluator, module }: Pick<Reckoning, 'evaluator' | 'module'>): Decorator | null {
  const decorators = node && 'decorators' in node ? (node.decorators ?? []) : []
  for (const { expression } of decorators) {
    if (expression.type !== 'CallExpression' || outsideName(evaluator.termOf(expression.callee, module)) !== `${NEST}${name}`) continue
    return { node: expression, args: expression.arguments.map((arg) => evaluator.termOf(arg as Node, module)) }
  }
  return null
}

/** `'mail'`, or that of `{ name: 'mail' }`; null where it is computed. */
function nameIn(term: Term | undefined): string | null {
  if (term?.kind === 'object') return nameIn(findProperty(term, 'name').value ?? undefined)
  return term?.kind === 'constant' && typeof term.value === 'string' ? term.value : null
}

/** The timeouts of all queues that may be the one of a name, else of all; none where one of them has none. */
function timeoutsOf(name: string | null, evaluator: Evaluator, callsOf: CallsOf): readonly Term[] {
  const given = (method: string) =>
    callsOf(`${NEST}BullModule.${method}`).flatMap(({ args, at }) => args.map((options) => ({ options, at })))
  const all = [...given('registerQueue'), ...given('registerQueueAsync')]
  const own = all.filter(({ options }) => name !== null && nameIn(options) === name)
  const queues = own.length > 0 ? own : all.filter(({ options }) => nameIn(options) === null || name === null)
  const [root, ...others] = [...given('forRoot'), ...given('forRootAsync')]
  const ofRoot = root && others.length === 0 ? timeoutOfJobs(madeBy(root.options, root.at, evaluator)) : null
  const timeouts = queues.map(({ options, at }) => timeoutOfJobs(madeBy(options, at, evaluator)) ?? ofRoot)
  return timeouts.includes(null) ? [] : timeouts.filter((each) => each !== null)
}

/** The options themselves, or what their `useFactory` makes. */
function madeBy(options: Term, at: At, evaluator: Evaluator): Term {
  const factory = options.kind === 'object' ? findProperty(options, 'useFactory').value : null
  return factory?.kind === 'function' ? evaluator.called(factory, [], false, at) : options
}
