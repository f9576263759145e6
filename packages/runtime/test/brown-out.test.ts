import { expect, test } from 'vitest'
import { type Admission, admit, createAdmission, recordWork } from '../src/core/admission.js'
import { createWaitQueue, dequeueWaiter, enqueueWaiter, newWaiter, type WaitQueue } from '../src/core/queue-discipline.js'

interface BrownOut {
  good: number
  firstGoodAfterAt: number
  longestQueue: number
}

interface Work {
  readonly enqueuedAt: number
  readonly workMs: number
}

// 10 workers, first come first served, 80 requests a second evenly spaced, each wanted within 1 s. Work takes 300 ms for the
// first minute, then 100 ms. Nobody cancels. The tick is half a millisecond, so that every event falls on one.
function brownOut(admissionAt: (nowAt: number) => Admission): BrownOut {
  const queue = createWaitQueue()
  const result: BrownOut = { good: 0, firstGoodAfterAt: Infinity, longestQueue: 0 }
  const endings: Work[][] = Array.from({ length: 601 }, () => [])
  let busy = 0
  for (let tick = 0; tick <= 2 * 240_000; tick += 1) {
    const nowAt = tick / 2
    const admission = admissionAt(nowAt)
    const ending = endings[tick % 601]!.splice(0)
    for (const work of ending) finish(result, admission, work, nowAt)
    busy -= ending.length
    if (tick % 25 === 0) enqueueWaiter(queue, newWaiter(), nowAt)
    const started = startWork(queue, admission, 10 - busy, nowAt)
    busy += started.length
    for (const work of started) endings[(tick + 2 * work.workMs) % 601]!.push(work)
    result.longestQueue = Math.max(result.longestQueue, queue.size)
  }
  return result
}

function finish(result: BrownOut, admission: Admission, { enqueuedAt, workMs }: Work, nowAt: number): void {
  recordWork(admission, workMs, nowAt)
  if (nowAt - enqueuedAt > 1_000) return
  if (nowAt <= 60_000) result.good += 1
  else result.firstGoodAfterAt = Math.min(result.firstGoodAfterAt, nowAt)
}

function startWork(queue: WaitQueue, admission: Admission, free: number, nowAt: number): Work[] {
  const started: Work[] = []
  while (started.length < free) {
    const waiter = dequeueWaiter(queue, nowAt)
    if (waiter === null) break
    const { enqueuedAt } = waiter
    if (admit(admission, enqueuedAt + 1_000 - nowAt, nowAt) === 'admitted') started.push({ enqueuedAt, workMs: nowAt < 60_000 ? 300 : 100 })
  }
  return started
}

const within = (got: number, wanted: number, share: number): void => {
  expect(Math.abs(got - wanted)).toBeLessThanOrEqual(wanted * share)
}

test('serving everything: 50 good answers in a minute, and none until two minutes after the callee is well again', () => {
  const admission = createAdmission({ mode: 'none' })
  const result = brownOut(() => admission)
  within(result.good, 50, 0.03)
  within(result.firstGoodAfterAt, 196_600, 0.03)
  within(result.longestQueue, 2_800, 0.03)
})

test('dropping what has already expired looks like a fix and saves nothing while it lasts', () => {
  const admission = createAdmission({ mode: 'expired' })
  const result = brownOut(() => admission)
  within(result.good, 50, 0.03)
  within(result.firstGoodAfterAt, 60_600, 0.03)
  within(result.longestQueue, 95, 0.03)
})

test('dropping what cannot finish: 1 991 good answers, and no wait at all after it', () => {
  const [slow, quick] = [createAdmission({ floorMs: 300 }), createAdmission({ floorMs: 100 })]
  const result = brownOut((nowAt) => (nowAt < 60_000 ? slow : quick))
  within(result.good, 1_991, 0.03)
  within(result.firstGoodAfterAt, 60_000, 0.03)
  within(result.longestQueue, 71, 0.03)
})

test('the same without being told the floor: the recent median finds it', () => {
  const admission = createAdmission()
  const result = brownOut(() => admission)
  within(result.good, 1_991, 0.03)
  within(result.firstGoodAfterAt, 60_000, 0.03)
  within(result.longestQueue, 71, 0.03)
})

test('observing only changes no answer and counts what would have been dropped', () => {
  const admission = createAdmission({ floorMs: 300, observeOnly: true })
  const result = brownOut(() => admission)
  within(result.good, 50, 0.03)
  expect(admission.cannotFinish + admission.expired).toBeGreaterThan(1_000)
})
