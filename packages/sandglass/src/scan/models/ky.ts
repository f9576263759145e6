import { compareVersions } from '../../model/default-of.js'
import { firstText, joined } from '../calls/target-text.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { type Phase, readingOf } from '../limits/reading.js'
import { settingOfCall } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { earlier } from '../signals/signal-limit.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import { fetchPhases } from './fetch-phases.js'
import type { LibraryModel, Site } from './library-model.js'
import { replacedTransport } from './replaced-transport.js'

/** ky: 10 s for the headers of each attempt (version 1), again for the body (version 2); its own timeouts are repeated only where that is said. */
export const kyModel: LibraryModel = {
  id: 'ky',
  packages: ['ky', 'ky-universal'],
  clients: [
    { kind: 'instance', on: null, made: ['create', 'extend'], types: ['KyInstance'], optionsAt: 0 },
    { kind: 'instance', on: 'instance', made: ['create', 'extend'], optionsAt: 0 },
  ],
  calls: [null, 'instance'].map((on) => ({ on, method: /^(get|post|put|patch|head|delete|)$/, optionsAt: 1 })),
  read(site) {
    const repeats = repeatsTimeouts(site)
    const kind = isTwo(site) ? (repeats ? 'attempt' : 'total') : 'headers'
    const timeout = limitOf(site, { setting: 'timeout', kind, default: ['ky', 'timeout'] })
    const total = limitOf(site, { setting: 'totalTimeout', kind: 'total' })
    const isOff = timeout.state === 'none' && timeout.isOff
    const again: readonly Phase[] = isTwo(site) && holds(timeout) ? [{ what: 'the body', kind, limit: timeout }] : []
    return readingOf({
      overall: overallOf(site, total),
      phases: isOff
        ? [...ownFetch(site), ...fetchPhases(offAtCall(site) ? { ...site, client: null } : site)]
        : [{ what: 'the answer', kind, limit: timeout }, ...again],
      // The end by fetch itself is a network that failed, and that is tried again.
      ...triesOf(repeats || isOff ? retriesOf(site) : null),
      remedy: 'timeout: … (ms)',
    })
  },
  targetOf: (site) => {
    const base = settingOfCall(undefined, site.client, 'prefixUrl', site.evaluator).setting
    return joined(firstText(site.args[0]), base.state === 'given' ? String(base.value) : null)
  },
}

/** A `fetch` of its own may end it in any way. */
function ownFetch(site: Site): readonly Phase[] {
  const replaced = replacedTransport(site, [site.options, site.client?.options], { agents: [], others: ['fetch'] })
  return replaced ? [{ what: 'the answer', kind: 'total', limit: replaced }] : []
}

/** Where a call switches the limit off, that is the place to say so, not where the client is made. */
function offAtCall(site: Site): boolean {
  return settingOfCall(site.options, site.client, 'timeout', site.evaluator).from === 'call'
}

function overallOf(site: Site, total: LimitState): LimitState | null {
  const signal = signalIn(site, site.options)
  return total.state === 'none' ? signal : earlier(signal, total)
}

function isTwo({ version }: Site): boolean {
  return version !== null && compareVersions(version, '2') >= 0
}

function repeatsTimeouts(site: Site): boolean {
  const { setting } = settingOfCall(site.options, site.client, 'retry.retryOnTimeout', site.evaluator)
  return setting.state === 'given' && setting.value === true
}

function retriesOf(site: Site) {
  const most = settingOfCall(site.options, site.client, 'retry.backoffLimit', site.evaluator).setting
  const mostMs = most.state === 'given' && typeof most.value === 'number' ? most.value : Number.POSITIVE_INFINITY
  return attemptsOf(site, {
    settings: ['retry.limit'],
    default: ['ky', 'retry.limit'],
    waitMs: (retries) => doublingMs(retries, 300, mostMs),
  })
}
