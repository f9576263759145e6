import { compareVersions } from '../../model/default-of.js'
import { firstText, joined } from '../calls/target-text.js'
import { heldByTimer } from '../limits/held-by-timer.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom, limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { identityOf, type Term } from '../terms/term.js'
import { attemptsOf, triesOf } from './attempts-of.js'
import { intercepted, isMadeAgain } from './axios-interceptor.js'
import { silenceOfFetch } from './fetch-phases.js'
import { firstHolding } from './first-holding.js'
import type { Assigned, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { replacedTransport } from './replaced-transport.js'

const WITH_DATA = /^(post|put|patch|postForm|putForm|patchForm)$/
const WITHOUT_DATA = /^(get|delete|head|options)$/

/** axios: one timeout, none by default; 0 and null switch it off, undefined keeps it. */
export const axiosModel: LibraryModel = {
  id: 'axios',
  packages: ['axios'],
  clients: [
    { kind: 'instance', on: null, made: ['create', 'Axios'], types: ['AxiosInstance', 'AxiosStatic'], optionsAt: 0 },
    { kind: 'instance', on: 'instance', made: ['create'], optionsAt: 0 },
  ],
  calls: [null, 'instance'].flatMap((on) => [
    { on, method: WITHOUT_DATA, optionsAt: 1 },
    { on, method: WITH_DATA, optionsAt: 2 },
    { on, method: /^(request)?$/, optionsAt: 0 },
  ]),
  read: (site) =>
    readingOf({
      overall: firstHolding(signalIn(site, optionsOf(site), signalName(site)), ...otherSignals(site)),
      phases: [{ what: 'the answer', kind: kindOf(site), limit: limitOverFetch(heldByTimer(timeoutOf(site)), site) }],
      ...triesOf(retriesOf(site) ?? repeatsOf(site)),
      remedy: 'timeout: … (ms)',
    }),
  targetOf: (site) => {
    const url = firstText(site.method === '' || site.method === 'request' ? undefined : site.args[0])
    const base = settingIn(site.client?.options, 'baseURL', site.evaluator)
    return joined(url, base.state === 'given' && typeof base.value === 'string' ? base.value : null)
  },
}

/** `axios(config)` and `axios(url, config)` are both written. */
function optionsOf({ method, args, options }: Site): Term | undefined {
  return method === '' && args.length > 1 ? args[1] : options
}

/** Where axios asks over `fetch` that has limits of its own; nobody can tell which where it is another one. */
function limitOverFetch(limit: LimitState, site: Site): LimitState {
  if (limit.state !== 'none') return limit
  const options = [optionsOf(site), site.client?.options]
  const others = options.some((each) => isOwnAdapter(optionIn(each, 'adapter', site.evaluator))) ? ['adapter'] : []
  const replaced = replacedTransport(site, options, { agents: ['httpAgent', 'httpsAgent'], others: [...others, 'transport'] })
  if (replaced || kindOf(site) !== 'total') return replaced ?? limit
  const own = options.some((options) => settingIn(options, 'fetch', site.evaluator).state !== 'absent')
  return own ? { state: 'unknown', name: 'timeout', why: 'it asks over a fetch of its own' } : silenceOfFetch(site)
}

/** Anything but the names of those that axios has. */
function isOwnAdapter(adapter: Term | undefined): boolean {
  if (adapter?.kind === 'list') return adapter.items.some(isOwnAdapter)
  return (
    adapter !== undefined && !(adapter.kind === 'constant' && (adapter.value === null || /^(http|xhr|fetch)$/.test(String(adapter.value))))
  )
}

/** Over Node's http each byte starts the time anew; over fetch it is one time for all. */
function kindOf(site: Site): 'silence' | 'total' {
  const adapter = [optionsOf(site), site.client?.options].map((options) => settingIn(options, 'adapter', site.evaluator))
  return adapter.some((setting) => setting.state === 'given' && setting.value === 'fetch') ? 'total' : 'silence'
}

/** A call's own timeout, its instance's, `defaults.timeout` and an interceptor's wherever they are set, or none. */
function timeoutOf(site: Site): LimitState {
  const reading = { setting: 'timeout', kind: kindOf(site), default: ['axios', 'timeout'] } as const
  const limit = limitOf({ ...site, options: optionsOf(site) }, reading)
  const own = identityOfClient(site)
  const set = own === null ? undefined : intercepted(site, own, 'timeout')
  if (set && !(set.isFallback && holds(limit))) return limitFrom(settingOf(set.value), site, reading)
  if (holds(limit) || limit.state === 'unknown' || limit.isOff) return limit
  const assigned = own === null || !site.client ? [] : site.uses.assignedTo(own, 'defaults.timeout')
  const [first] =
    assigned.length > 0 ? assigned : site.uses.assignedTo('axios:', 'defaults.timeout').filter((each) => isSameAxios(each, site))
  return first ? limitFrom(settingOf(first.value), site, reading) : limit
}

/** Before 0.22 it takes no signal. */
function signalName({ version }: Site): 'signal' | 'cancelToken' {
  return version !== null && compareVersions(version, '0.22') < 0 ? 'cancelToken' : 'signal'
}

/** What ends a call by the clock beside its own signal: a token to cancel it, or either of them from its instance or an interceptor. */
function otherSignals(site: Site): readonly LimitState[] {
  const own = identityOfClient(site)
  const { at, client } = site
  const given = optionsOf(site)
  const ofInstance = client?.options?.kind === 'object' ? client.options : undefined
  const nameAtCall = signalName(site)
  return ['signal', 'cancelToken'].flatMap((name) => {
    const set = own === null ? undefined : intercepted(site, own, name)
    const ofInterceptor: Term | undefined = set && { kind: 'object', parts: [{ name, value: set.value, at }], at }
    return [...(name === nameAtCall ? [] : [given]), ofInstance, ofInterceptor].flatMap((options) =>
      options ? [signalIn(site, options, name)] : [],
    )
  })
}

/** Another package of the repository may run elsewhere, and another version is another module. */
function isSameAxios({ at }: Assigned, { client, at: call, evaluator: { project } }: Site): boolean {
  const [there, here] = [at.module.source.file, (client?.at ?? call).module.source.file]
  return project.packageOf(there) === project.packageOf(here) && project.versionOf('axios', there) === project.versionOf('axios', here)
}

/** The package itself is a client too. */
function identityOfClient({ client }: Site): string | null {
  return client ? client.identity : 'axios:'
}

/** axios-retry repeats its own timeouts only where a condition says so, and gives each attempt its own time only where told. */
function retriesOf(site: Site) {
  const own = identityOfClient(site)
  const call = site.uses.callsOf('axios-retry:').find(({ args }) => args[0] !== undefined && identityOf(args[0]) === own)
  const options = call?.args[1]
  const repeats = settingIn(options, 'retryCondition', site.evaluator)
  const resets = settingIn(options, 'shouldResetTimeout', site.evaluator)
  if (!call || repeats.state === 'absent' || isOwnCondition(repeats) || resets.state !== 'given' || resets.value !== true) return null
  return attemptsOf(
    { ...site, options, client: null },
    { settings: ['retries'], default: ['axios-retry', 'retries'], waitMs: () => [0, 0] },
  )
}

/** The conditions of axios-retry itself: none of them repeats a timeout. */
function isOwnCondition(condition: Setting): boolean {
  return condition.state === 'term' && condition.term.kind === 'external' && condition.term.package === 'axios-retry'
}

/** An interceptor that asks again counts by itself how often. */
function repeatsOf(site: Site): 'unknown' | null {
  const own = identityOfClient(site)
  return own !== null && isMadeAgain(site, own) ? 'unknown' : null
}
