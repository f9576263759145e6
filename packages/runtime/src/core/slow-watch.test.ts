import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlowWatch, resetSlowWatch, SLOW_WATCH_MAX, type SlowWatch, takeSlow, watchEnd, watchStart } from './slow-watch.js'

test('a call is slow from the threshold on, once, though it is still in flight', () => {
  const watch = createSlowWatch(100)
  watchStart(watch, 0, 0)
  expect(takeSlow(watch, 99.9)).toBe(false)
  expect(takeSlow(watch, 100)).toBe(true)
  expect(takeSlow(watch, 1_000)).toBe(false)
  expect(watchEnd(watch, 0)).toBe(false)
})

test('a call that ended in time is never slow and ends only once', () => {
  const watch = createSlowWatch(100)
  watchStart(watch, 0, 0)
  expect(watchEnd(watch, 0)).toBe(true)
  expect(watchEnd(watch, 0)).toBe(false)
  expect(takeSlow(watch, 1_000)).toBe(false)
})

test('forgets all calls at a reset and goes on with the next ticket', () => {
  const watch = createSlowWatch(10)
  for (let ticket = 0; ticket < 5; ticket += 1) watchStart(watch, ticket, 0)
  resetSlowWatch(watch, 5)
  watchStart(watch, 5, 3)
  expect(watchEnd(watch, 4)).toBe(false)
  expect(takeSlow(watch, 13)).toBe(true)
  expect(takeSlow(watch, 99)).toBe(false)
})

type Step = { start: true } | { end: number } | { waitMs: number }

interface World {
  readonly watch: SlowWatch
  readonly calls: { startedAt: number; state: 'running' | 'ended' | 'slow' }[]
  nowAt: number
}

function apply(world: World, next: Step): void {
  const { watch, calls, nowAt } = world
  if ('waitMs' in next) world.nowAt += next.waitMs
  else if ('start' in next) {
    watchStart(watch, calls.length, nowAt)
    calls.push({ startedAt: nowAt, state: 'running' })
  } else {
    const call = calls[next.end]
    expect(watchEnd(watch, next.end)).toBe(call?.state === 'running')
    if (call?.state === 'running') call.state = 'ended'
  }
}

function sweep({ watch, calls, nowAt }: World): void {
  const due = calls.filter((call) => call.state === 'running' && nowAt - call.startedAt >= watch.slowMs)
  for (const call of due) call.state = 'slow'
  let found = 0
  while (takeSlow(watch, nowAt)) found += 1
  expect(found).toBe(due.length)
}

test('finds exactly the calls a list of all calls would, in any interleaving', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constant<Step>({ start: true }),
    fc.record({ end: fc.nat(400) }),
    fc.record({ waitMs: fc.nat(60) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const world: World = { watch: createSlowWatch(100), calls: [], nowAt: 0 }
      for (const next of steps) {
        apply(world, next)
        sweep(world)
      }
    }),
    { numRuns: 200 },
  )
})

test('its memory is bounded: beyond the most it watches, the oldest are let go', () => {
  const watch = createSlowWatch(100)
  for (let ticket = 0; ticket < SLOW_WATCH_MAX + 10; ticket += 1) watchStart(watch, ticket, 0)
  expect(watch.startedAt.length).toBe(SLOW_WATCH_MAX)
  expect(watchEnd(watch, 9)).toBe(false)
  expect(watchEnd(watch, 10)).toBe(true)
})
