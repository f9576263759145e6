import type { ManualClock } from '../src/testing/manual-clock.js'

/** How and when a promise settled. */
export interface Outcome<T> {
  readonly value?: T
  readonly error?: unknown
  readonly atMs: number
}

/** Lets time pass, 20 s at most, until a promise settles, and says when and how. */
export async function settleBy<T>(clock: ManualClock, promise: Promise<T>): Promise<Outcome<T>> {
  const startedAt = clock.now
  let settled: Outcome<T> | undefined
  promise.then(
    (value) => void (settled = { value, atMs: clock.now - startedAt }),
    (error: unknown) => void (settled = { error, atMs: clock.now - startedAt }),
  )
  await clock.settle()
  for (let n = 0; n < 20_000 && settled === undefined; n++) await clock.advance(1)
  if (settled === undefined) throw new Error('the promise did not settle within 20 s')
  return settled
}
