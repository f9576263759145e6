import { afterEach, beforeEach, expect, test } from 'vitest'
import { detach, outbound, together, withDeadline } from './index.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
beforeEach(() => {
  clock = useManualClock()
})
afterEach(() => clock.restore())

const errorOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)
const notSent = { code: 'DEADLINE_EXCEEDED', name: 'TimeoutError', outcome: 'not-sent' }

test('work that no time is left for is not begun, and its error says so', async () => {
  const ran: string[] = []
  const work = (): number => ran.push('ran')
  expect(await errorOf(withDeadline({ budgetMs: 0 }, work))).toMatchObject({ ...notSent, whose: 'own' })
  expect(await errorOf(withDeadline({ budgetMs: -3 }, work))).toMatchObject(notSent)
  expect(await errorOf(detach({ budgetMs: 0, reason: 'late' }, work))).toMatchObject(notSent)
  expect(await errorOf(withDeadline({ budgetMs: 50, signal: AbortSignal.abort() }, work))).toMatchObject({
    code: 'CANCELLED',
    name: 'AbortError',
    outcome: 'not-sent',
  })
  expect(ran).toEqual([])
})

test('after the end nothing is sent, and nothing is begun below', async () => {
  let late: unknown[] = []
  const whole = errorOf(
    withDeadline({ budgetMs: 20 }, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      late = [
        await errorOf((async () => outbound('inventory.available'))()),
        await errorOf(withDeadline({ budgetMs: 5 }, () => 1)),
        await errorOf(together({ required: { one: () => 1 } })),
      ]
    }),
  )
  await clock.advance(40)
  expect(await whole).toMatchObject({ ...notSent, outcome: 'unknown' })
  expect(late).toMatchObject([notSent, notSent, notSent])
})
