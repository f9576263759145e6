import { firstText, joined } from '../calls/target-text.js'
import { heldByTimer } from '../limits/held-by-timer.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingOfCall } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import type { Term } from '../terms/term.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import { firstHolding } from './first-holding.js'
import type { LibraryModel, Site } from './library-model.js'
import { replacedTransport } from './replaced-transport.js'

const MOST_WAIT_MS = Number.POSITIVE_INFINITY

/** got: a limit for each phase, none by default; what may be repeated is tried three times, its own timeouts too. */
export const gotModel: LibraryModel = {
  id: 'got',
  packages: ['got', 'got-cjs'],
  clients: [
    { kind: 'instance', on: null, made: ['extend', 'got.extend'], types: ['Got'], optionsAt: 0 },
    { kind: 'instance', on: 'instance', made: ['extend'], optionsAt: 0 },
  ],
  calls: [null, 'instance'].map((on) => ({ on, method: /^(got\.?)?(get|post|put|patch|head|delete|stream(\.\w+)?|)$/, optionsAt: 1 })),
  read(site) {
    const options = optionsOf(site)
    const whole = { ...site, options }
    const request = limitOf(whole, { setting: 'timeout.request', kind: 'total', default: ['got', 'timeout.request'] })
    const single = settingOfCall(options, site.client, 'timeout', site.evaluator).setting
    // got 11 and older take one number for all of it.
    const limit = heldByTimer(
      single.state === 'given' && typeof single.value === 'number' ? limitOf(whole, { setting: 'timeout', kind: 'total' }) : request,
    )
    return readingOf({
      overall: signalIn(site, options),
      attempt: limit.state === 'none' ? null : limit,
      phases: [
        {
          what: 'the answer',
          kind: 'silence',
          limit: firstHolding(
            limitOf(whole, { setting: 'timeout.socket', kind: 'silence' }),
            limitOf(whole, { setting: 'timeout.response', kind: 'headers' }),
            limit,
            replacedTransport(site, [options, ...clientOptions(site.client)], TRANSPORT) ?? limit,
          ),
        },
      ],
      ...triesOf(triedBy(whole)),
      remedy: 'timeout: { request: … } (ms)',
    })
  },
  targetOf: (site) => {
    const base = settingOfCall(undefined, site.client, 'prefixUrl', site.evaluator).setting
    return joined(firstText(site.args[0]), base.state === 'given' ? String(base.value) : null)
  },
}

const TRANSPORT = { agents: ['agent'], others: ['request'] }

/** Those of an instance, and of what it was extended from. */
function clientOptions(client: Site['client']): readonly (Term | undefined)[] {
  return client ? [client.options, ...clientOptions(client.parent)] : []
}

/** `got({ url, … })` and `got(url, …)` are both written. */
function optionsOf({ args, options }: Site) {
  return args.length === 1 && args[0]?.kind === 'object' ? args[0] : options
}

/** What is repeated by itself; POST and PATCH are not. */
const REPEATED = /^(get|put|head|delete|options|trace)$/i

/** Whether a call is repeated: by `retry.methods`, where that is written. */
function isRepeated(site: Site): boolean | 'unknown' {
  if (/stream/.test(site.method)) return false
  const method = methodOf(site)
  const methods = settingOfCall(optionsOf(site), site.client, 'retry.methods', site.evaluator).setting
  if (methods.state === 'absent' || isPlainRetry(site)) return method === null || REPEATED.test(method)
  if (methods.state !== 'term' || methods.term.kind !== 'list' || methods.mayBeReplacedBy.length > 0) return 'unknown'
  const named = methods.term.items.map((item) => (item.kind === 'constant' ? String(item.value).toUpperCase() : null))
  if (method !== null && named.includes(method.toUpperCase())) return true
  return method === null || named.includes(null) ? 'unknown' : false
}

/** The method as it is written; null where nobody can tell. */
function methodOf(site: Site): string | null {
  const called = /(get|post|put|patch|head|delete)$/.exec(site.method)?.[1]
  if (called !== undefined) return called
  const { setting } = settingOfCall(optionsOf(site), site.client, 'method', site.evaluator)
  return setting.state === 'absent' ? 'get' : setting.state === 'given' ? String(setting.value) : null
}

/** `retry: 2` has no methods of its own. */
function isPlainRetry(site: Site): boolean {
  return settingOfCall(optionsOf(site), site.client, 'retry', site.evaluator).setting.state === 'given'
}

function triedBy(site: Site) {
  const repeats = isRepeated(site)
  const retries = repeats === false ? null : retriesOf(site)
  return repeats === 'unknown' && retries !== null ? 'unknown' : retries
}

function retriesOf(site: Site) {
  const most = settingOfCall(site.options, site.client, 'retry.backoffLimit', site.evaluator).setting
  const mostMs = most.state === 'given' && typeof most.value === 'number' ? most.value : MOST_WAIT_MS
  if (settingOfCall(site.options, site.client, 'retry.calculateDelay', site.evaluator).setting.state !== 'absent') return 'unknown'
  const single = settingOfCall(site.options, site.client, 'retry', site.evaluator).setting
  const settings = single.state === 'given' ? ['retry'] : ['retry.limit']
  return attemptsOf(site, { settings, default: ['got', 'retry.limit'], waitMs: (retries) => doublingMs(retries, 1000, mostMs, 100) })
}
