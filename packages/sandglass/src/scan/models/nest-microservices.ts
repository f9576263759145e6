import type { Node } from 'oxc-parser'
import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingIn, settingOf } from '../limits/settings.js'
import type { Module } from '../syntax/module.js'
import { outermost } from '../syntax/walk.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'

const PROXIES = ['ClientProxy', 'ClientKafka', 'ClientKafkaProxy', 'ClientRMQ', 'ClientRedis', 'ClientTCP', 'ClientNats', 'ClientMqtt']
const GRPC = ['ClientGrpc', 'ClientGrpcProxy']

/** Nest's clients of microservices: an answer ends by rxjs' `timeout` in a pipe, or not at all. */
export const nestMicroservicesModel: LibraryModel = {
  id: 'nestjs microservices',
  packages: ['@nestjs/microservices'],
  clients: [
    { kind: 'proxy', on: null, made: ['ClientProxyFactory.create', ...PROXIES], types: PROXIES, optionsAt: 0 },
    { kind: 'grpc', on: null, made: GRPC, types: GRPC, optionsAt: 0 },
    { kind: 'service', on: 'grpc', made: ['getService'], optionsAt: -1 },
  ],
  calls: [
    { on: 'proxy', method: /^send$/, optionsAt: -1 },
    { on: 'service', method: /^[a-z]\w*$/, optionsAt: -1 },
  ],
  read: (site) => readingOf({ phases: [{ what: 'the answer', kind: 'total', limit: limitIn(site) }], remedy: '.pipe(timeout(…)) (ms)' }),
  targetOf: ({ args: [pattern] }) => (pattern?.kind === 'constant' && typeof pattern.value === 'string' ? pattern.value : null),
}

function limitIn(site: Site): LimitState {
  const operators = site.followedBy.filter(({ name }) => name === 'pipe').flatMap(({ args }) => args)
  const timeout = operators.map((operator) => timeoutOf(operator, site)).find((state) => state !== null)
  if (timeout) return timeout
  if (operators.some(({ kind }) => kind !== 'made')) return unknown('what it is piped through is only known at run time')
  return isWaitedFor(site) ? { state: 'none', name: 'timeout', spot: site.spot, isOff: false } : unknown('who subscribes may limit it')
}

function unknown(why: string): LimitState {
  return { state: 'unknown', name: 'timeout', why }
}

/** rxjs: `timeout(5000)`, `timeout({ first: 5000 })`, `timeoutWith(5000, …)`. */
function timeoutOf(operator: Term, site: Site): LimitState | null {
  if (operator.kind !== 'made' || operator.callee.kind !== 'external' || !/^rxjs(\/|$)/.test(operator.callee.package)) return null
  if (!/^timeout(With)?$/.test(operator.callee.path.at(-1) ?? '')) return null
  const [due] = operator.args
  if (!due) return null
  const settings = due.kind === 'object' ? ['first', 'each'].map((name) => settingIn(due, name, site.evaluator)) : [settingOf(due)]
  const setting = settings.find(({ state }) => state !== 'absent') ?? { state: 'absent' as const }
  return limitFrom(setting, site, { setting: 'timeout', kind: 'total' })
}

/** Somebody here waits: `firstValueFrom(…)`, `.toPromise()`, a controller that returns it. What is returned or kept else may get its limit later. */
function isWaitedFor({ node, followedBy, evaluator, at }: Site): boolean {
  if (followedBy.some(({ name }) => name === 'toPromise' || name === 'subscribe')) return true
  let outer = outermost(node)
  for (const { at: next } of followedBy) outer = outermost(next.node)
  const above = outer.parent
  if (above?.type === 'CallExpression') {
    const callee = evaluator.termOf(above.callee, at.module)
    return callee.kind === 'external' && /^rxjs(\/|$)/.test(callee.package) && /^(first|last)ValueFrom$/.test(callee.path.at(-1) ?? '')
  }
  return above?.type === 'ReturnStatement' && isInController(node, at.module, evaluator)
}

function isInController(node: Node, module: Module, evaluator: Evaluator): boolean {
  for (let here = node.parent; here; here = here.parent) {
    if (here.type !== 'ClassDeclaration' && here.type !== 'ClassExpression') continue
    return here.decorators.some(({ expression }) => {
      const callee = evaluator.termOf(expression.type === 'CallExpression' ? expression.callee : expression, module)
      return callee.kind === 'external' && /^(Controller|Resolver)$/.test(callee.path.at(-1) ?? '')
    })
  }
  return false
}
