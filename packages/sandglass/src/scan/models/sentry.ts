import { limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingOf } from '../limits/settings.js'
import type { LibraryModel } from './library-model.js'

/** Sentry: `flush` and `close` wait for all that is being sent, which has no limit, unless they are given one. */
export const sentryModel: LibraryModel = {
  id: 'sentry',
  packages: ['@sentry/node', '@sentry/node-core', '@sentry/nestjs', '@sentry/google-cloud-serverless', '@sentry/aws-serverless'],
  clients: [],
  calls: [{ on: null, method: /^(flush|close)$/, optionsAt: -1 }],
  read: (site) => {
    const [given] = site.args
    const limit = limitFrom(given ? settingOf(given) : { state: 'absent' }, site, { setting: 'timeout', kind: 'total' })
    return readingOf({ phases: [{ what: 'what is being sent', kind: 'total', limit }], remedy: `${site.method}(… (ms))` })
  },
}
