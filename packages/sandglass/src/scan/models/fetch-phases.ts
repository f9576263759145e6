import type { BoundKind } from '@sandglass/runtime/core'
import type { LimitState } from '../limits/limit-state.js'
import { defaultLimit, limitFrom } from '../limits/limits.js'
import type { Phase } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { earlier } from '../signals/signal-limit.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'

/** What undici waits for, with the limits of the dispatcher that a call is made with, the global one, or none. */
export function fetchPhases(site: Site, own?: Term): readonly Phase[] {
  const dispatchers = [own, dispatcherOf(site, site.options), ...globalDispatchers(site)].filter((each) => each !== undefined)
  const limit = (setting: string, row: string, kind: BoundKind): LimitState => {
    const from =
      site.model.id === 'undici'
        ? { system: 'undici / fetch', version: site.version }
        : { system: 'node fetch', version: nodeVersion(site) }
    const reading = { setting, kind, default: [from.system, row] as const, defaultVersion: from.version }
    for (const options of dispatchers) {
      const found = settingIn(options, setting, site.evaluator)
      if (found.state !== 'absent') return limitFrom(found, site, reading)
    }
    return defaultLimit(site, reading)
  }
  return [
    { what: 'the connection', kind: 'connect', limit: limit('connect.timeout', 'connect timeout', 'connect') },
    { what: 'the headers', kind: 'headers', limit: limit('headersTimeout', 'headersTimeout', 'headers') },
    { what: 'each part of the body', kind: 'silence', limit: limit('bodyTimeout', 'bodyTimeout', 'silence') },
  ]
}

/** What is left of these limits where a client of its own asks over `fetch`: the silence after which it is over. */
export function silenceOfFetch(site: Site): LimitState {
  const none = { state: 'none' as const, name: 'bodyTimeout', spot: site.spot, isOff: false }
  return fetchPhases(site).at(-1)?.limit ?? none
}

/** The shorter one of `fetch` ends the call, but not for want of another where somebody wrote one, or where nobody can tell. */
export function endedByFetch(timeout: LimitState, silence: LimitState): LimitState {
  if (timeout.state === 'unknown') return timeout
  const ending = earlier(timeout, silence) ?? timeout
  return timeout.state === 'written' && ending.state === 'default' ? { ...ending, state: 'written' } : ending
}

function nodeVersion({ evaluator, at }: Site): string | null {
  return evaluator.project.versionOf('node', at.module.source.file)
}

const AGENTS: ReadonlySet<string> = new Set(['Agent', 'Pool', 'Client', 'ProxyAgent', 'EnvHttpProxyAgent', 'BalancedPool'])

/** The options of an agent, with or without what is wrapped around it. */
export function agentOptions(term: Term | undefined): Term | undefined {
  if (term?.kind !== 'made') return undefined
  const name = term.callee.kind === 'external' && term.callee.package === 'undici' ? term.callee.path.join('.') : ''
  if (name === 'RetryAgent') return agentOptions(term.args[0])
  if (AGENTS.has(name)) return term.args[name === 'Agent' || name === 'EnvHttpProxyAgent' ? 0 : name === 'ProxyAgent' ? 0 : 1]
  return term.callee.kind === 'member' && term.callee.name === 'compose' ? agentOptions(term.callee.object) : undefined
}

function dispatcherOf(site: Site, options: Term | undefined): Term | undefined {
  const found = settingIn(options, 'dispatcher', site.evaluator)
  return found.state === 'term' ? agentOptions(found.term) : undefined
}

function globalDispatchers({ uses }: Site): readonly (Term | undefined)[] {
  return uses.callsOf('undici:setGlobalDispatcher').map(({ args }) => agentOptions(args[0]))
}
