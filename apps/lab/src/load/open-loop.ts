/** What drives an open loop: a clock, and a way to be called back. */
export interface LoopClock {
  readonly now: () => number
  /** Calls `fn` once, not before `at`. */
  readonly wake: (at: number, fn: () => void) => void
}

/** How late requests were really sent (ms). */
export interface LoopLag {
  readonly sent: number
  readonly mostMs: number
}

/**
 * Sends a request at each intended instant, however slow the answers to those before it are. `send` is given the intended instant:
 * latency counts from there, also when this process itself was late. Ends before the first arrival at or after `endAt`.
 */
export function runOpenLoop(
  clock: LoopClock,
  nextArrival: () => number,
  endAt: number,
  send: (intendedAt: number) => void,
): Promise<LoopLag> {
  return new Promise((resolve) => {
    let at = nextArrival()
    let sent = 0
    let mostMs = 0
    const step = (): void => {
      const nowAt = clock.now()
      while (at <= nowAt && at < endAt) {
        mostMs = Math.max(mostMs, nowAt - at)
        sent += 1
        send(at)
        at = nextArrival()
      }
      if (at >= endAt) resolve({ sent, mostMs })
      else clock.wake(at, step)
    }
    step()
  })
}
