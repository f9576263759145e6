import type { LibraryModel } from '../library-model.js'
import { limitOf } from '../limits.js'
import { readingOf } from '../reading.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'

/** Stripe: 80 s for each attempt; a timeout is repeated as often as `maxNetworkRetries` says. */
export const stripeModel: LibraryModel = {
  id: 'stripe',
  packages: ['stripe'],
  clients: [{ kind: 'client', on: null, made: ['', 'Stripe'], types: ['', 'Stripe'], optionsAt: 1 }],
  calls: [
    {
      on: 'client',
      method:
        /^[\w.]+\.(create|retrieve|update|del|list|search|cancel|capture|confirm|pay|sendInvoice|finalizeInvoice|voidInvoice|resume|expire|attach|detach)$/,
      optionsAt: 1,
    },
  ],
  read: (site) =>
    readingOf({
      attempt: limitOf(site, { setting: 'timeout', kind: 'total', default: ['stripe', 'timeout'] }),
      ...triesOf(
        attemptsOf(site, {
          settings: ['maxNetworkRetries'],
          default: ['stripe', 'maxNetworkRetries'],
          waitMs: (retries) => doublingMs(retries, 500, 5000),
        }),
      ),
      remedy: 'timeout: … (ms) and maxNetworkRetries: …',
    }),
}
