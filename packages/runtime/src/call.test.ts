import { createServer, type AddressInfo } from 'node:http'
import { expect, test } from 'vitest'
import { call, remainingMs, serve, withDeadline } from './index.js'

test('a call answers with its value', async () => {
  const twice = call('math.twice', { does: 'read', timeoutMs: 100, breaker: {}, bulkhead: { slots: 2 } }, async ({ attempt }, n: number) => n * 2 + attempt)
  expect(await twice(4)).toEqual({ value: 9, degraded: null })
})
test('x', async () => {
  const slow = call('slow', { does: 'read', timeoutMs: 30, attempts: 2, attemptMs: 10 }, () => new Promise<number>(() => undefined))
  await expect(slow()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  await withDeadline({ budgetMs: 20 }, async () => { expect(remainingMs()).toBeLessThan(21); return slow() }).catch((e) => console.log(e))
})
