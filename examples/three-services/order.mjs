// In the middle: it hands down what is left, at most 1.5 s.
import { call, outbound } from '@sandglass/runtime'
import { startService } from './service.mjs'

const deduct = call(
  'inventory.deduct',
  { does: 'idempotent-write', idempotencyKey: true, timeoutMs: 1500, attempts: 2, attemptMs: 1200 },
  async ({ signal }) => {
    const response = await fetch(process.env.INVENTORY_URL ?? '', { method: 'POST', signal, headers: outbound('inventory.deduct').headers })
    return /** @type {unknown} */ (await response.json())
  },
)

startService('order', 2800, async () => ({ order: 'o-1', stock: (await deduct()).value }))
