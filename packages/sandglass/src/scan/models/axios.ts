import type { LibraryModel, Site } from '../library-model.js'
import { holds, type LimitState } from '../limit-state.js'
import { limitFrom, limitOf } from '../limits.js'
import { readingOf } from '../reading.js'
import { settingIn, settingOf } from '../settings.js'
import { signalIn } from '../signal-in.js'
import { firstText, joined } from '../target-text.js'

const TIMEOUT = { setting: 'timeout', kind: 'silence', default: ['axios', 'timeout'] } as const

const WITH_DATA = /^(post|put|patch|postForm|putForm|patchForm)$/
const WITHOUT_DATA = /^(get|delete|head|options)$/

/** axios: one timeout, none by default; 0 and null switch it off, undefined keeps it. */
export const axiosModel: LibraryModel = {
  id: 'axios',
  packages: ['axios'],
  clients: [{ kind: 'instance', on: null, made: ['create', 'Axios'], types: ['AxiosInstance', 'AxiosStatic'], optionsAt: 0 }],
  calls: [null, 'instance'].flatMap((on) => [
    { on, method: WITHOUT_DATA, optionsAt: 1 },
    { on, method: WITH_DATA, optionsAt: 2 },
    { on, method: /^(request)?$/, optionsAt: 0 },
  ]),
  read: (site) =>
    readingOf({
      overall: signalIn(site, optionsOf(site)),
      phases: [{ what: 'the answer', kind: 'silence', limit: timeoutOf(site) }],
      remedy: 'timeout: … (ms)',
    }),
  targetOf: (site) => {
    const url = firstText(site.method === '' || site.method === 'request' ? undefined : site.args[0])
    const base = settingIn(site.client?.options, 'baseURL', site.evaluator)
    return joined(url, base.state === 'given' && typeof base.value === 'string' ? base.value : null)
  },
}

/** `axios(config)` and `axios(url, config)` are both written. */
function optionsOf({ method, args, options }: Site) {
  return method === '' && args.length > 1 ? args[1] : options
}

/** A call's own timeout, its instance's, `axios.defaults.timeout` wherever it is set, or none. */
function timeoutOf(site: Site): LimitState {
  const limit = limitOf({ ...site, options: optionsOf(site) }, TIMEOUT)
  if (holds(limit) || limit.state === 'unknown' || limit.isOff) return limit
  const own = site.client?.identity ?? null
  const assigned = [
    ...(own === null ? [] : site.uses.assignedTo(own, 'defaults.timeout')),
    ...site.uses.assignedTo('axios:', 'defaults.timeout'),
  ]
  const [first] = assigned
  return first ? limitFrom(settingOf(first), site, TIMEOUT) : limit
}
