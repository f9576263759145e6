import type { CallShape } from './library-model.js'

/** A call of what a row's client has, its options at a place among the arguments. Default: none. */
export function onClient(method: RegExp, optionsAt = -1, more: Partial<CallShape> = {}): CallShape {
  return { on: 'client', method, optionsAt, ...more }
}

/** What to write where a client has no option that ends its calls. */
export const BY_RACE = 'a race with a timer: the client has no option for it'

/** What to write where a client asks over the `fetch` of the platform and has no option that ends its calls. */
export const BY_DISPATCHER = 'a race with a timer, or setGlobalDispatcher(new Agent({ headersTimeout: …, bodyTimeout: … })) of undici (ms)'
