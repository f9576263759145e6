import { compareVersions } from '../../model/default-of.js'
import { holds } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { type Phase, readingOf } from '../limits/reading.js'
import { settingOfCall } from '../limits/settings.js'
import { attemptsOf, triesOf } from './attempts-of.js'
import { silenceOfFetch } from './fetch-phases.js'
import type { LibraryModel, Site } from './library-model.js'

/** How fast the waits of its usual retries grow, from one second on; each is up to twice as long. */
const GROWTH = 1.96821

/** The first version that knows `timeout`. */
const TIMEOUT_SINCE = '6.3'

const isBefore = ({ version }: Site, since: string): boolean => version !== null && compareVersions(version, since) < 0

/** Slack: no limit up to 7, where a timeout is one of silence, and that of the `fetch` of Node from 8 on; ten retries in half an hour, also after a timeout. */
export const slackModel: LibraryModel = {
  id: 'slack-web-api',
  packages: ['@slack/web-api'],
  clients: [{ kind: 'client', on: null, made: ['WebClient'], types: ['WebClient'], optionsAt: 1, isFirstPlain: true }],
  calls: [{ on: 'client', method: /^(apiCall|filesUploadV2|(?!logger\.)\w+(\.\w+)+)$/, optionsAt: -1 }],
  read: (site) =>
    readingOf({
      phases: phasesOf(site),
      ...triesOf(
        attemptsOf(site, { settings: ['retryConfig.retries'], default: ['slack-web-api', 'retryConfig.retries'], waitMs: waitsOf(site) }),
      ),
      remedy: `${isBefore(site, TIMEOUT_SINCE) ? 'a race with a timer' : 'timeout: … (ms)'} and retryConfig: { retries: … }`,
    }),
}

function phasesOf(site: Site): readonly Phase[] {
  const { version } = site
  const isOnFetch = version !== null && compareVersions(version, '8') >= 0
  const timeout = limitOf(site, { setting: 'timeout', kind: isOnFetch ? 'total' : 'silence' })
  if (isOnFetch && !holds(timeout) && timeout.state !== 'unknown')
    return [{ what: 'the answer', kind: 'silence', limit: silenceOfFetch(site) }]
  const isEither = version === null && timeout.state === 'none'
  return [
    {
      what: 'the answer',
      kind: isOnFetch ? 'total' : 'silence',
      limit: isEither ? { state: 'unknown', name: 'timeout', why: 'it differs by the version of slack-web-api' } : timeout,
    },
  ]
}

/** What somebody wrote goes to `p-retry`: from one second on, twice as long each time, never random unless that is said. */
function waitsOf({ client, evaluator }: Site): (retries: number) => readonly [number, number] {
  const setting = (name: string) => settingOfCall(undefined, client, `retryConfig${name}`, evaluator).setting
  const numberIn = (name: string, usual: number) => {
    const found = setting(name)
    return found.state === 'given' && typeof found.value === 'number' ? found.value : usual
  }
  const isWritten = setting('').state !== 'absent'
  const random = setting('.randomize')
  const isRandom = isWritten ? random.state === 'given' && random.value === true : true
  const factor = numberIn('.factor', isWritten ? 2 : GROWTH)
  const firstMs = numberIn('.minTimeout', 1000)
  return (retries) => {
    let leastMs = 0
    for (let k = 0; k < Math.min(retries, 100); k++) leastMs += firstMs * factor ** k
    return [Math.round(leastMs), Math.round(isRandom ? 2 * leastMs : leastMs)]
  }
}
