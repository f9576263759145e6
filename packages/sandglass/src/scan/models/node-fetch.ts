import { compareVersions } from '../../model/default-of.js'
import { firstText } from '../calls/target-text.js'
import { nodeAt } from '../files/node-at.js'
import { limitOf } from '../limits/limits.js'
import { type Phase, readingOf } from '../limits/reading.js'
import { hasTimeout } from '../signals/for-node.js'
import { signalIn } from '../signals/signal-in.js'
import { untilCleared } from './cleared-timer.js'
import type { LibraryModel, Site } from './library-model.js'
import { readsBody } from './reads-body.js'
import { replacedTransport } from './replaced-transport.js'

/** node-fetch: version 2 has a `timeout`, which holds once for the headers and once for the body; version 3 has none. */
export const nodeFetchModel: LibraryModel = {
  id: 'node-fetch',
  packages: ['node-fetch'],
  clients: [],
  calls: [{ on: null, method: /^(default|fetch|)$/, optionsAt: 1 }],
  read: (site) => readingOf({ overall: untilCleared(site, signalIn(site, site.options)), phases: phasesOf(site), remedy: remedyOf(site) }),
  targetOf: ({ args }) => firstText(args[0]),
}

/** Version 2 has a limit of its own where Node has no signal with one. */
function remedyOf({ version, at, evaluator }: Site): string {
  const node = nodeAt(evaluator.project, at.module.source.file)
  const isOwn = version !== null && compareVersions(version, '3') < 0 && node !== null && !hasTimeout(node)
  return isOwn ? 'timeout: … (ms)' : 'signal: AbortSignal.timeout(…)'
}

const TRANSPORT = { agents: ['agent'], others: [] }

function phasesOf(site: Site): readonly Phase[] {
  const none = { state: 'none' as const, name: 'signal', spot: site.spot, isOff: false }
  const timeout = limitOf(site, { setting: 'timeout', kind: 'total' })
  if (timeout.state === 'none' || (site.version !== null && compareVersions(site.version, '3') >= 0))
    return [{ what: 'the answer', kind: 'total', limit: replacedTransport(site, [site.options], TRANSPORT) ?? none }]
  if (site.version === null)
    return [{ what: 'the answer', kind: 'total', limit: { state: 'unknown', name: 'timeout', why: 'version 3 ignores it' } }]
  const headers: Phase = { what: 'the headers', kind: 'total', limit: timeout }
  return readsBody(site.node, site.at.module) ? [headers, { what: 'the body', kind: 'total', limit: timeout }] : [headers]
}
