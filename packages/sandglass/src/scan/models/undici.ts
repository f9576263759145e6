import { firstText } from '../calls/target-text.js'
import { holds } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { signalIn } from '../signals/signal-in.js'
import { agentOptions, fetchPhases } from './fetch-phases.js'
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
      remedy: 'headersTimeout and bodyTimeout (ms), or signal: AbortSignal.timeout(…)',
    }),
  targetOf: ({ args, client }) => firstText(client ? client.args[0] : args[0]),
}

/** A call's own limits, then those of what it goes through. */
function phasesOf(site: Site) {
  const { client } = site
  const through = client
    ? agentOptions({ kind: 'made', callee: calleeOf(client), args: client.args, isNew: true, at: client.at })
    : undefined
  return fetchPhases(site, through).map((phase) => {
    const setting = { headers: 'headersTimeout', silence: 'bodyTimeout' }[phase.kind as string]
    if (setting === undefined || site.method === 'fetch') return phase
    const own = limitOf({ ...site, client: null }, { setting, kind: phase.kind })
    return holds(own) || own.state === 'unknown' || own.isOff ? { ...phase, limit: own } : phase
  })
}

function calleeOf({ at }: NonNullable<Site['client']>) {
  const node = at.node.type === 'NewExpression' ? at.node.callee : at.node
  const name =
    node.type === 'Identifier'
      ? node.name
      : node.type === 'MemberExpression' && node.property.type === 'Identifier'
        ? node.property.name
        : ''
  return { kind: 'external' as const, package: 'undici', path: [name], at }
}
