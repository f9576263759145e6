import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test, vi } from 'vitest'
import { after, arm, armedCount, blockedMs, disarm, now } from './clock.js'
import { useManualClock } from './testing/manual-clock.js'

const fires = (dueInMs: number): Promise<{ dueAt: number; atAt: number }> =>
  new Promise((resolve) => {
    const dueAt = now() + dueInMs
    arm(dueAt, { onDue: () => resolve({ dueAt, atAt: now() }) })
  })

test('nothing fires early, and on a free loop nothing is much later than asked', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, (_, n) => fires(1 + (n % 90) + n / 1000)))
  expect(Math.min(...all.map(({ dueAt, atAt }) => atAt - dueAt))).toBeGreaterThanOrEqual(0)
  const lateMs = all.map(({ dueAt, atAt }) => atAt - dueAt).toSorted((a, b) => a - b)
  expect(lateMs[100]).toBeLessThan(20)
})

test('what is beyond 2^31-1 ms does not fire at once, in the wheel or in a wait', async () => {
  let fired = 0
  const entries = [2 ** 31 + 5, 1e12, 1e300, Number.MAX_VALUE].map((ms) => arm(now() + ms, { onDue: () => void fired++ }))
  const waits = [2 ** 31 + 5, 1e300, Infinity].map((ms) => after(ms, () => void fired++))
  expect(arm(Infinity, { onDue: () => void fired++ })).toBe(-1)
  await new Promise((resolve) => setTimeout(resolve, 80))
  for (const entry of entries) disarm(entry)
  for (const wait of waits) wait.stop()
  expect([fired, armedCount()]).toEqual([0, 0])
})

test('a wait beyond 2^31-1 ms is waited in pieces and ends when it should', async () => {
  const clock = useManualClock()
  const delays: number[] = []
  after(2 ** 31 + 5000, () => void delays.push(clock.now - 1_000_000))
  await clock.advance(2 ** 31 + 4000)
  expect(delays).toEqual([])
  await clock.advance(2000)
  expect(delays).toEqual([2 ** 31 + 5000])
  clock.restore()
})

test('an entry that was disarmed while it waited for the loop to turn does not fire', async () => {
  const clock = useManualClock()
  let fired = 0
  const first = arm(clock.now + 10, { onDue: () => void (fired++, disarm(second)) })
  const second = arm(clock.now + 10, { onDue: () => void (fired++, disarm(first)) })
  await clock.advance(50)
  expect([fired, clock.armed]).toEqual([1, 0])
  clock.restore()
})

test('an entry whose number was given away again fires at its own instant', async () => {
  const clock = useManualClock()
  const fired: string[] = []
  const first = arm(clock.now + 10, { onDue: () => void fired.push('first') })
  disarm(first)
  arm(clock.now + 200, { onDue: () => void fired.push('second') })
  await clock.advance(100)
  expect(fired).toEqual([])
  await clock.advance(110)
  expect(fired).toEqual(['second'])
  clock.restore()
})

test('event-loop delay is measured while something is pending', () => {
  const before = blockedMs()
  return new Promise<void>((resolve) => {
    arm(now() + 20, {
      onDue() {
        expect(blockedMs() - before).toBeGreaterThan(40)
        resolve()
      },
    })
    const untilAt = now() + 100
    while (now() < untilAt);
  })
})

test('a timer armed inside a request does not keep the stores of that request', async () => {
  const foreign = new AsyncLocalStorage<object>()
  let seen: object | undefined = {}
  await foreign.run(
    { big: 'request' },
    () => new Promise<void>((resolve) => void arm(now() + 5, { onDue: () => ((seen = foreign.getStore()), resolve()) })),
  )
  expect(seen).toBeUndefined()
})

test('time that does not come from the source that armed them disarms nothing of the next one', async () => {
  const first = useManualClock()
  const old = arm(first.now + 10, { onDue: () => undefined })
  first.restore()
  const second = useManualClock()
  arm(second.now + 10, { onDue: () => undefined })
  disarm(old)
  expect(second.armed).toBe(1)
  second.restore()
})

test('what one listener throws becomes a warning and costs no other its deadline', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const manual = useManualClock()
  const told: number[] = []
  const broken = new Error('broken')
  for (const n of [1, 2, 3, 4])
    arm(manual.now + 10, {
      onDue() {
        told.push(n)
        if (n % 2 === 0) throw broken
      },
    })
  await manual.advance(20)
  expect([...told].sort((a, b) => a - b)).toEqual([1, 2, 3, 4])
  expect(warn.mock.calls).toEqual([[broken], [broken]])
  expect(manual.armed).toBe(0)
  manual.restore()
  warn.mockRestore()
})
