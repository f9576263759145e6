import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctedBudgetMs, createTransit, lostInTransitMs, type Transit } from './transit.js'

const hourMs = 3_600_000
const quickestMs = 2

/** Sends one request at `sentAt` of true time over a way that takes `transitMs`, by a clock that is `skewMs` ahead. */
const send = (transit: Transit, sentAt: number, transitMs: number, skewMs: number, from = 'gw-1'): number =>
  lostInTransitMs(transit, from, sentAt + skewMs, sentAt + transitMs)

describe.each([
  ['an hour ahead', hourMs],
  ['in step', 0],
  ['an hour behind', -hourMs],
  ['on the epoch', 1_764_374_400_000],
])('with a clock %s', (_, skewMs) => {
  test('what a request lost beyond the quickest is found exactly', () => {
    const transit = createTransit()
    expect(send(transit, 0, quickestMs, skewMs)).toBe(0)
    expect(send(transit, 100, quickestMs + 80, skewMs)).toBe(80)
    expect(send(transit, 200, quickestMs, skewMs)).toBe(0)
  })

  test('the first request of a sender loses nothing, however late it is', () => {
    expect(send(createTransit(), 0, 5000, skewMs)).toBe(0)
  })
})

test('a clock that drifts 200 ppm costs at most 15 ms in a window of a minute', () => {
  const transit = createTransit()
  for (const direction of [1, -1]) {
    for (let sentAt = 0; sentAt < 600_000; sentAt += 500) {
      expect(send(transit, sentAt, quickestMs, direction * sentAt * 200e-6, `drifts ${direction}`)).toBeLessThan(15)
    }
  }
})

test.each([1000, -1000])('a clock step of %d ms is forgotten when the window has turned', (stepMs) => {
  const transit = createTransit({ windowMs: 60_000 })
  for (let sentAt = 0; sentAt < 60_000; sentAt += 1000) send(transit, sentAt, quickestMs, 0)
  let worstMs = 0
  for (let sentAt = 60_000; sentAt < 120_000; sentAt += 1000) worstMs = Math.max(worstMs, send(transit, sentAt, quickestMs, stepMs))
  expect(worstMs).toBe(stepMs > 0 ? 0 : 1000)
  expect(send(transit, 130_000, quickestMs + 30, stepMs)).toBe(30)
})

test.each([hourMs, -hourMs])('a clock step of %d ms, which no queue explains, starts the sender anew at once', (stepMs) => {
  const transit = createTransit()
  send(transit, 0, quickestMs, 0)
  expect(send(transit, 15_000, quickestMs, stepMs)).toBe(0)
  expect(send(transit, 16_000, quickestMs + 40, stepMs)).toBe(40)
})

test('a sender that was silent for days is met as a new one', () => {
  const transit = createTransit()
  send(transit, 0, quickestMs, 0)
  expect(send(transit, 5 * 86_400_000, quickestMs + 70, 0)).toBe(0)
})

test('senders do not disturb each other, and only so many are remembered', () => {
  const transit = createTransit({ mostSenders: 3 })
  send(transit, 0, quickestMs, 0, 'a')
  send(transit, 0, quickestMs, hourMs, 'b')
  expect(send(transit, 1, quickestMs + 10, 0, 'a')).toBe(10)
  for (let index = 0; index < 10_000; index += 1) send(transit, 2, quickestMs, 0, `flood ${index}`)
  expect(transit.senders.size).toBe(3)
  expect(send(transit, 3, quickestMs + 10, 0, 'a')).toBe(0)
})

test('a busy sender outlives a flood of names heard once', () => {
  const transit = createTransit({ mostSenders: 3 })
  send(transit, 0, quickestMs, 0, 'busy')
  for (let index = 0; index < 100; index += 1) {
    send(transit, index, quickestMs, 0, `flood ${index}`)
    expect(send(transit, index, quickestMs + 5, 0, 'busy')).toBe(5)
  }
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'a sent instant of %d says nothing and is not remembered',
  (sentAt) => {
    const transit = createTransit()
    expect(lostInTransitMs(transit, 'gw-1', sentAt, 5)).toBe(0)
    expect(transit.senders.size).toBe(0)
  },
)

test('whatever the senders claim, a budget is never made longer and never negative', () => {
  const heard = fc.array(
    fc.tuple(
      fc.constantFrom('a', 'b'),
      fc.double({ min: -1e13, max: 1e13, noNaN: true }),
      fc.integer({ min: -100, max: 200_000 }),
      fc.nat(5000),
    ),
    { maxLength: 50 },
  )
  fc.assert(
    fc.property(heard, (requests) => {
      const transit = createTransit()
      for (const [from, sentAt, receivedAt, budgetMs] of requests) {
        const correctedMs = correctedBudgetMs(budgetMs, lostInTransitMs(transit, from, sentAt, receivedAt))
        expect(correctedMs).toBeGreaterThanOrEqual(0)
        expect(correctedMs).toBeLessThanOrEqual(budgetMs)
      }
    }),
  )
})

test.each([[{ windowMs: 0 }], [{ windowMs: Number.NaN }], [{ mostSenders: 0 }], [{ mostSenders: 1.5 }]])(
  'options %j are refused',
  (options) => {
    expect(() => createTransit(options)).toThrow(RangeError)
  },
)
