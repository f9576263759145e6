import type { LimitState } from '../limits/limit-state.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { Evaluator } from '../terms/evaluator.js'
import { returnsOf } from '../terms/returns.js'
import { isGlobal, type Term } from '../terms/term.js'
import type { Site } from './library-model.js'
import { optionIn } from './option-in.js'

/** Agents that only say how to get there: none of them ends a request. */
const PLAIN_AGENTS =
  /^(node:https?:(Agent|globalAgent)|(https?-proxy-agent|socks-proxy-agent|pac-proxy-agent|proxy-agent|hpagent|tunnel|tunnel-agent|https?-cookie-agent):.*)$/

/** The names of options that put something else in the place of what asks, and of those that take an agent. */
export interface TransportOptions {
  readonly agents: readonly string[]
  readonly others: readonly string[]
}

/** Not known where an option puts an agent or a transport that cannot be followed in the place of what waits without a limit; null where none does. */
export function replacedTransport(
  site: Site,
  options: readonly (Term | undefined)[],
  { agents, others }: TransportOptions,
): LimitState | null {
  const { evaluator } = site
  const unknown = (name: string): LimitState => ({ state: 'unknown', name, why: 'it may have limits of its own' })
  for (const each of options) {
    const other = others.find((name) => isReplaced(settingIn(each, name, evaluator)))
    if (other !== undefined) return unknown(other)
    for (const name of agents) {
      const agent = optionIn(each, name, evaluator)
      if (agent && !isPlainAgent(agent, evaluator)) return unknown(name)
    }
  }
  return null
}

/** The `fetch` of Node is what asks anyway. */
function isReplaced(setting: Setting): boolean {
  return setting.state !== 'absent' && !(setting.state === 'term' && isGlobal(setting.term, 'fetch'))
}

/** True for an agent, one for each protocol, or a function that gives one, that is known to end nothing. */
export function isPlainAgent(term: Term, evaluator: Evaluator, depth = 0): boolean {
  if (depth > 5) return false
  const isPlain = (each: Term) => isPlainAgent(each, evaluator, depth + 1)
  switch (term.kind) {
    case 'constant':
      return true
    case 'either':
      return term.of.every(isPlain)
    case 'object':
      return term.parts.every((part) => 'name' in part && isPlain(part.value))
    case 'member': {
      // What may be put in the place of a member stands before it.
      const { object, name } = term
      return (object.kind === 'object' || object.kind === 'either') && isPlain(evaluator.memberOf(object, name))
    }
    case 'external':
      return PLAIN_AGENTS.test(`${term.package}:${term.path.join('.')}`)
    case 'made':
      return isPlain(term.callee)
    case 'function': {
      const given = returnsOf(term.node)
      return given.length > 0 && given.every((node) => isPlain(evaluator.termOf(node, term.module)))
    }
    default:
      return false
  }
}
