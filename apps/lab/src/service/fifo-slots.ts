/** Slots of a server that knows nothing of deadlines: first come, first served, as a thread pool with its queue. */
export interface FifoSlots {
  /** Calls `go` when a slot is free; false when the queue is full. */
  take(go: () => void): boolean
  give(): void
  readonly inUse: number
  readonly waiting: number
}

/** Makes slots; null is no limit. */
export function createFifoSlots(slots: number | null, queueLimit: number | null): FifoSlots {
  const [most, longest] = [slots ?? Infinity, queueLimit ?? Infinity]
  const queue: (() => void)[] = []
  let first = 0
  let inUse = 0
  const waiting = (): number => queue.length - first
  return {
    take(go) {
      if (inUse < most) {
        inUse += 1
        go()
        return true
      }
      if (waiting() >= longest) return false
      queue.push(go)
      return true
    },
    give() {
      const next = queue[first]
      if (next === undefined) {
        inUse -= 1
        return
      }
      first += 1
      if (first > 1024) {
        queue.splice(0, first)
        first = 0
      }
      next()
    },
    get inUse() {
      return inUse
    },
    get waiting() {
      return waiting()
    },
  }
}
