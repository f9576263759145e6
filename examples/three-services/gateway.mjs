// The edge: three seconds for everybody, a little less for the order service.
import { call, outbound } from '@sandglass/runtime'
import { startService } from './service.mjs'

const create = call('order.create', { does: 'write', timeoutMs: 2800 }, async ({ signal }) => {
  const response = await fetch(process.env.ORDER_URL ?? '', { method: 'POST', signal, headers: outbound('order.create').headers })
  return /** @type {unknown} */ (await response.json())
})

startService('gateway', 3000, async () => (await create()).value)
