import type { Node } from 'oxc-parser'
import { firstText } from '../calls/target-text.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom, limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingOf } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { isFunctionNode } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import { argsOf } from '../terms/args-of.js'
import type { Term } from '../terms/term.js'
import { isGlobal } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { isPlainAgent } from './replaced-transport.js'

const READING = { setting: 'timeout', kind: 'silence' } as const

/** `http.request` and `http.get`: the timeout is only an event; it ends nothing unless its listener destroys the request. */
export const nodeHttpModel: LibraryModel = {
  id: 'node:http',
  packages: ['node:http', 'node:https'],
  clients: [],
  calls: [{ on: null, method: /^(request|get)$/, optionsAt: -1 }],
  read(site) {
    const options = optionsOf(site)
    const whole = { ...site, options }
    return readingOf({
      overall: signalIn(site, options),
      phases: [{ what: 'the answer', kind: 'silence', limit: eventLimit(whole) }],
      remedy: "signal: AbortSignal.timeout(…), or timeout: … (ms) with request.on('timeout', () => request.destroy())",
    })
  },
  optionsOf,
  targetOf: ({ args }) => firstText(args[0]),
}

/** `request(url, options)` and `request(options)` are both written. */
function optionsOf({ args }: Site): Term | undefined {
  const [first, second] = args
  return first?.kind === 'object'
    ? first
    : second && second.kind !== 'function'
      ? second
      : first?.kind === 'parameter' || first?.kind === 'either'
        ? first
        : undefined
}

/** The time after which a listener ends the request, by the option or by `setTimeout` on it. */
function eventLimit(site: Site): LimitState {
  const events = eventsOf(site)
  const set = events.find(({ name }) => name === 'setTimeout')
  if (set && endsRequest(set.args[1])) return limitFrom(set.args[0] ? settingOf(set.args[0]) : { state: 'absent' }, site, READING)
  const listener = events.find(
    ({ name, args }) => /^(on|once|addListener)$/.test(name) && args[0]?.kind === 'constant' && args[0].value === 'timeout',
  )
  if (listener && endsRequest(listener.args[1])) {
    if (set?.args[0]) return limitFrom(settingOf(set.args[0]), site, READING)
    const own = limitOf(site, READING)
    return own.state === 'none' ? agentLimit(site) : own
  }
  const isOther = events.some(({ name, args }) => name === 'on' && args[0]?.kind === 'constant' && args[0].value === 'socket')
  if (isOther || isDestroyedLater(site)) return { state: 'unknown', name: 'timeout', why: 'the request is ended by other code' }
  const only = set?.args[0] ? limitFrom(settingOf(set.args[0]), site, READING) : limitOf(site, READING)
  const none = { state: 'none', name: 'timeout', spot: site.spot, isOff: false } as const
  const own = agentLimit(site)
  if (own.state === 'unknown' && !holds(only)) return own
  if (only.state === 'none' && only.isOff) return only
  return holds(only)
    ? { ...none, spot: only.origin.spot ?? site.spot, does: 'timeout only emits an event; nothing ends the request' }
    : none
}

function agentLimit(site: Site): LimitState {
  const agent = optionIn(site.options, 'agent', site.evaluator)
  if (agent && !isPlainAgent(agent, site.evaluator)) return { state: 'unknown', name: 'agent', why: 'it may have limits of its own' }
  const isOfNode = agent?.kind === 'made' && agent.callee.kind === 'external' && /^node:https?$/.test(agent.callee.package)
  const options = isOfNode ? agent.args[0] : undefined
  return limitOf({ ...site, options }, READING)
}

interface EventCall {
  readonly name: string
  readonly args: readonly Term[]
}

/** What is called on the request: `req.on('timeout', …)`, `req.setTimeout(…)`, also in a chain. */
function eventsOf({ node, at, evaluator }: Site): readonly EventCall[] {
  return at.module.calls.flatMap((call): EventCall[] => {
    if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return []
    const callee = evaluator.termOf(call.callee, at.module)
    return callee.kind === 'member' && isSame(callee.object, node) ? [{ name: callee.name, args: argsOf(call, at.module, evaluator) }] : []
  })
}

function isSame(term: Term, node: Node): boolean {
  if (term.kind === 'made') return term.at.node === node || (term.callee.kind === 'member' && isSame(term.callee.object, node))
  return term.kind === 'either' && term.of.some((each) => isSame(each, node))
}

/** A listener that destroys or aborts something, or one that nobody here can look into. */
function endsRequest(listener: Term | undefined): boolean {
  if (!listener) return false
  if (listener.kind === 'member') return /^(destroy|abort)$/.test(listener.name) || listener.name === 'bind'
  if (listener.kind !== 'function') return true
  return callsDestroy((listener.node.body ?? listener.node) as Node)
}

function callsDestroy(body: Node): boolean {
  let found = false
  walk(body, (node) => {
    const isCall = node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && node.callee.property.type === 'Identifier'
    if (
      isCall &&
      node.callee.type === 'MemberExpression' &&
      node.callee.property.type === 'Identifier' &&
      /^(destroy|abort|end)$/.test(node.callee.property.name)
    )
      found = true
    return !found
  })
  return found
}

/** `setTimeout(() => request.destroy(), ms)`: who ends it when is not followed. */
function isDestroyedLater({ node, at, evaluator }: Site): boolean {
  const around = functionAround(node)
  return at.module.calls.some((call) => {
    if (call.type !== 'CallExpression' || (around && (call.start < around.start || call.end > around.end))) return false
    const [callback] = call.arguments
    return (
      isGlobal(evaluator.termOf(call.callee, at.module), 'setTimeout') && isFunctionNode(callback as Node) && callsDestroy(callback as Node)
    )
  })
}

function functionAround(node: Node): Node | null {
  let found: Node | null = null
  for (let here = node.parent; here; here = here.parent) if (isFunctionNode(here)) found = here
  return found
}
