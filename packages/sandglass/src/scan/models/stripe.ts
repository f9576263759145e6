import { compareVersions } from '../../model/default-of.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import type { Term } from '../terms/term.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import type { LibraryModel, Site } from './library-model.js'

/** Stripe: 80 s of silence for each attempt; a timeout is repeated as often as `maxNetworkRetries` says. */
export const stripeModel: LibraryModel = {
  id: 'stripe',
  packages: ['stripe'],
  clients: [{ kind: 'client', on: null, made: ['', 'Stripe'], types: ['', 'Stripe'], optionsAt: 1, isFirstPlain: true }],
  calls: [
    {
      on: 'client',
      method:
        /^[\w.]+\.(create|retrieve|update|del|list|search|cancel|capture|confirm|pay|sendInvoice|finalizeInvoice|voidInvoice|resume|expire|attach|detach)$/,
      optionsAt: 1,
    },
  ],
  read: (called) => {
    const site = { ...called, options: optionsOf(called) }
    const limit = limitOf(site, { setting: 'timeout', kind: 'silence', default: ['stripe', 'timeout'] })
    return readingOf({
      phases: [{ what: 'the answer', kind: 'silence', limit }],
      ...triesOf(
        attemptsOf(site, {
          settings: ['maxNetworkRetries'],
          default: ['stripe', 'maxNetworkRetries'],
          waitMs: (retries) => doublingMs(retries, 500, mostWaitMs(site)),
        }),
      ),
      remedy: 'timeout: … (ms) and maxNetworkRetries: …',
    })
  },
}

function mostWaitMs({ version }: Site): number {
  return version !== null && compareVersions(version, '17') < 0 ? 2000 : 5000
}

/** `create(params, options)`, but `retrieve(id, params, options)`: options in the place of parameters are none. */
function optionsOf({ args, method }: Site): Term | undefined {
  return /\.(create|list|search)$/.test(method) ? args[1] : args[2]
}
