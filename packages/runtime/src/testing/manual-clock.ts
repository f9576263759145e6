import { armedCount, type ClockSource, realTurn, useClockSource } from '../clock.js'

/** Time that stands still until a test moves it. */
export interface ManualClock {
  /** The present instant (monotonic ms). */
  readonly now: number
  /** Deadlines that are armed. */
  readonly armed: number
  /** Moves time on by `ms` in as many steps as there are timers on the way, and lets what is due happen at its instant. */
  advance(ms: number): Promise<void>
  /** Lets happen what needs no time. */
  settle(): Promise<void>
  /** Blocks the event loop: `ms` pass at once, and no timer fires before they have. */
  block(ms: number): void
  /** Steps the wall clock, and only it. */
  stepWallClock(ms: number): void
  /** Puts the real clock back and forgets what was armed. */
  restore(): void
}

/** What a manual clock starts with. */
export interface ManualClockOptions {
  /** First instant of the monotonic clock (ms); default 1 000 000. */
  readonly startAt?: number
  /** First instant of the wall clock (ms since 1970); default 2026-01-01. */
  readonly epochAt?: number
  /** Numbers in [0, 1) for jitter; default always 0.5. */
  readonly random?: () => number
}

interface Pending {
  readonly dueAt: number
  readonly wake: () => void
}

/** Puts a manual clock in place of the real one for the whole package. Call `restore` when the test is over. */
export function useManualClock({
  startAt = 1_000_000,
  epochAt = 1_767_225_600_000,
  random = () => 0.5,
}: ManualClockOptions = {}): ManualClock {
  let at = startAt
  let wallOffsetMs = epochAt - startAt
  let timers: Pending[] = []
  let turns: (() => void)[] = []

  const source: ClockSource = {
    now: () => at,
    epoch: () => at + wallOffsetMs,
    shared: () => at,
    random,
    start(delayMs, wake) {
      const pending = { dueAt: at + delayMs, wake }
      timers.push(pending)
      return { stop: () => void (timers = timers.filter((one) => one !== pending)), hold: () => undefined }
    },
    yieldTurn: (then) => void turns.push(then),
  }
  const restore = useClockSource(source)

  async function settle(): Promise<void> {
    do {
      await realTurn()
      for (const then of turns.splice(0)) then()
      await realTurn()
    } while (turns.length > 0)
  }

  async function advance(ms: number): Promise<void> {
    const untilAt = at + ms
    for (;;) {
      await settle()
      const next = timers.reduce<Pending | undefined>(
        (first, one) => (first === undefined || one.dueAt < first.dueAt ? one : first),
        undefined,
      )
      if (next === undefined || next.dueAt > untilAt) break
      timers = timers.filter((one) => one !== next)
      at = Math.max(at, next.dueAt)
      next.wake()
    }
    at = untilAt
    await settle()
  }

  return {
    get now() {
      return at
    },
    get armed() {
      return armedCount()
    },
    advance,
    settle,
    block: (ms) => void (at += ms),
    stepWallClock: (ms) => void (wallOffsetMs += ms),
    restore: () => {
      turns = []
      timers = []
      restore()
    },
  }
}
