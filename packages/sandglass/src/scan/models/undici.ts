import { firstText } from '../calls/target-text.js'
import { holds } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { signalIn } from '../signals/signal-in.js'
import type { Term } from '../terms/term.js'
import { dispatcherOptions } from './dispatcher.js'
import { fetchPhases } from './fetch-phases.js'
import type { LibraryModel, Site } from './library-model.js'

const AGENTS = ['Agent', 'Pool', 'Client', 'ProxyAgent', 'EnvHttpProxyAgent', 'BalancedPool', 'RetryAgent']

/** undici: its requests, its `fetch`, and the dispatchers that carry the limits. */
export const undiciModel: LibraryModel = {
  id: 'undici',
  packages: ['undici'],
  clients: [{ kind: 'agent', on: null, made: AGENTS, types: ['Dispatcher'], optionsAt: -1 }],
  calls: [
    { on: null, method: /^(request|stream|fetch)$/, optionsAt: 1 },
    { on: 'agent', method: /^(request|stream)$/, optionsAt: 0 },
  ],
  read: (site) =>
    readingOf({
      overall: signalIn(site, site.options),
      phases: phasesOf(site),
      // Its `fetch` has no such options: they are those of a dispatcher.
      remedy: `${site.method === 'fetch' ? '' : 'headersTimeout and bodyTimeout (ms), or '}signal: AbortSignal.timeout(…)`,
    }),
  targetOf: ({ args, client }) => firstText(client ? client.args[0] : args[0]),
}

/** A call's own limits, then those of what it goes through. */
function phasesOf(site: Site) {
  const { client } = site
  const through = client ? dispatcherOptions(agentOf(client), site.evaluator) : undefined
  return fetchPhases(site, through).map((phase) => {
    const setting = { headers: 'headersTimeout', silence: 'bodyTimeout' }[phase.kind as string]
    if (setting === undefined || site.method === 'fetch') return phase
    const own = limitOf({ ...site, client: null }, { setting, kind: phase.kind })
    return holds(own) || own.state === 'unknown' || own.isOff ? { ...phase, limit: own } : phase
  })
}

function agentOf({ madeBy, args, at }: NonNullable<Site['client']>): Term {
  return { kind: 'made', callee: { kind: 'external', package: 'undici', path: [madeBy], at }, args, isNew: true, at }
}
