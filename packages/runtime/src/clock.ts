import { AsyncResource } from 'node:async_hooks'
import { createWheel, type Due, type Wheel } from './wheel.js'

/** Where time comes from; `@sandglass/runtime/testing` puts a manual one in place of the real one. */
export interface ClockSource {
  /** Monotonic milliseconds, with fractions. */
  now(): number
  /** Wall-clock milliseconds since 1970, for stamps that leave the process; never used in arithmetic about deadlines. */
  epoch(): number
  /** Monotonic milliseconds that all threads and processes of this machine agree on. */
  shared(): number
  /** A number in [0, 1) for jitter. */
  random(): number
  /** Calls `wake` once, not before `delayMs` (1 … 2^31-1) passed; `holdsProcess` says whether the process must stay alive for it. */
  start(delayMs: number, wake: () => void, holdsProcess: boolean): TimerHandle
  /** Calls `then` after the loop had one turn to read what already arrived. */
  yieldTurn(then: () => void): void
}

/** A timer that was started and may be stopped. */
export interface TimerHandle {
  stop(): void
  /** From now on the process stays alive for this timer. */
  hold(): void
}

/** The longest delay a Node timer takes; anything above it would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647
/** While a deadline is pending the wheel is looked at this often at least, which is also how event-loop delay is sampled. */
const HORIZON_MS = 48
/** The width of a wheel slot. */
const SLOT_MS = 4
/** Lateness up to this much is a timer's ordinary jitter and not the event loop's fault. */
const JITTER_MS = 4
/** A timer made inside a request would keep that request's stores alive until it fires: all timers are made in here. */
const outside = new AsyncResource('SandglassClock')

const realSource: ClockSource = {
  now: () => performance.now(),
  epoch: () => Date.now(),
  shared() {
    const [seconds, nanos] = process.hrtime()
    return seconds * 1000 + nanos / 1e6
  },
  random: () => Math.random(),
  start(delayMs, wake, holdsProcess) {
    const timer = outside.runInAsyncScope(setTimeout, undefined, wake, delayMs) as unknown as NodeJS.Timeout
    if (!holdsProcess) timer.unref()
    return { stop: () => clearTimeout(timer), hold: () => void timer.ref() }
  },
  yieldTurn: (then) => void setImmediate(then),
}

let source: ClockSource = realSource
let wheel: Wheel = createWheel(0)
/** Added to the numbers of entries, so that those of a source that was replaced mean nothing to the next one. */
let base = 0
let armed: TimerHandle | undefined
let armedAt = Infinity
let blockedTotalMs = 0
let lastDelayMs = 0
let lastTickAt = -Infinity
let watchesExit = false
let yielding = false
const due: number[] = []

/** Monotonic milliseconds, with fractions; the only clock deadlines are measured on. */
export function now(): number {
  return source.now()
}

/** Wall-clock milliseconds since 1970; may step, so never used to decide how much time is left. */
export function epochNow(): number {
  return source.epoch()
}

/** The instant a date in words names (ms since 1970), NaN where it names none; the clock is not asked. */
export function epochOf(date: string): number {
  return Date.parse(date)
}

/** A number in [0, 1), for jitter. */
export function random(): number {
  return source.random()
}

/** Monotonic milliseconds that all threads of a process (and, on one machine, its processes) agree on, unlike `now`. */
export function sharedNow(): number {
  return source.shared()
}

/** Milliseconds by which the event loop was late, in total; the difference of two readings is what a call lost to it. */
export function blockedMs(): number {
  return blockedTotalMs
}

/** How late the event loop was when it was last looked at (ms); 0 when that is longer ago than 200 ms. */
export function loopDelayMs(): number {
  return source.now() - lastTickAt > 200 ? 0 : lastDelayMs
}

/** Arms `target` for the instant `dueAt` on the coarse wheel (about 6 ms late at most on a free loop, never early) and returns the entry for `disarm`; `Infinity` arms nothing and returns -1. */
export function arm(dueAt: number, target: Due): number {
  if (dueAt === Infinity) return -1
  const entry = base + wheel.add(dueAt, target)
  const wakeAt = (Math.floor(dueAt / SLOT_MS) + 1) * SLOT_MS
  if (wakeAt < armedAt) schedule(wakeAt)
  return entry
}

/** Disarms an entry that has not fired; -1 does nothing. */
export function disarm(entry: number): void {
  if (entry >= base) wheel.remove(entry - base)
}

/** How many deadlines are armed right now. */
export function armedCount(): number {
  return wheel.size
}

/**
 * Calls `wake` once, `delayMs` from now and never early, and keeps the process alive for it: for waits that are part of the work, such as a back-off.
 * A negative delay counts as 0; one beyond 2^31-1 is waited in pieces; `Infinity` never wakes.
 */
export function after(delayMs: number, wake: () => void): TimerHandle {
  if (delayMs === Infinity) return { stop: () => undefined, hold: () => undefined }
  const wakeAt = source.now() + Math.max(0, delayMs)
  let handle: TimerHandle
  const step = (): void => {
    const leftMs = wakeAt - source.now()
    if (leftMs <= 0) return wake()
    handle = source.start(timerDelayMs(leftMs), step, true)
  }
  handle = source.start(timerDelayMs(delayMs), step, true)
  return { stop: () => handle.stop(), hold: () => handle.hold() }
}

/** One turn of the real event loop, whatever source of time is in place. For tests. */
export function realTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Puts another source of time in place and forgets everything that was armed; returns what puts the old one back. For tests. */
export function useClockSource(other: ClockSource): () => void {
  const before = source
  reset(other)
  return () => reset(before)
}

function reset(to: ClockSource): void {
  armed?.stop()
  armed = undefined
  armedAt = Infinity
  blockedTotalMs = 0
  lastDelayMs = 0
  lastTickAt = -Infinity
  yielding = false
  due.length = 0
  base += 10_000_000
  source = to
  wheel = createWheel(to.now(), SLOT_MS)
}

/** What a Node timer may be given: whole milliseconds, at least 1, at most 2^31-1. */
function timerDelayMs(delayMs: number): number {
  return Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(delayMs)))
}

function schedule(wakeAt: number): void {
  armed?.stop()
  const horizonAt = source.now() + HORIZON_MS
  armedAt = Math.min(wakeAt, horizonAt)
  armed = source.start(timerDelayMs(armedAt - source.now()), tick, false)
  if (!watchesExit) watchExit()
}

// Deadlines do not hold the process, but a call that is still pending when nothing else is left must settle all the same.
function watchExit(): void {
  watchesExit = true
  process.on('beforeExit', () => {
    if (wheel.size > 0) armed?.hold()
  })
}

function tick(): void {
  const nowAt = source.now()
  const lateMs = nowAt - armedAt
  lastDelayMs = Math.max(0, lateMs)
  lastTickAt = nowAt
  if (lateMs > JITTER_MS) blockedTotalMs += lateMs
  armed = undefined
  armedAt = Infinity
  const found = due.length
  wheel.turn(nowAt, due)
  // What already arrived waits in the poll phase: it is read before anybody is told that time is up.
  if (due.length > found && !yielding) {
    yielding = true
    source.yieldTurn(expire)
  }
  if (wheel.size > due.length) schedule(wheel.nextWakeAt(HORIZON_MS))
}

function expire(): void {
  yielding = false
  const nowAt = source.now()
  const entries = due.splice(0)
  for (const entry of entries) {
    // Meanwhile the entry may have been disarmed, and its number given to a later deadline.
    if (wheel.dueAt(entry) > nowAt) continue
    const target = wheel.target(entry)
    wheel.remove(entry)
    try {
      target?.onDue(nowAt)
    } catch (error) {
      // What one listener throws must not cost the others their deadline.
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
  if (wheel.size > 0 && armed === undefined) schedule(wheel.nextWakeAt(HORIZON_MS))
}
