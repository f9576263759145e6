/** What a wheel wakes: `due` is called at most once per arming. */
export interface Due {
  onDue(nowAt: number): void
}

/**
 * A hashed timing wheel over typed arrays: adding and removing cost a few nanoseconds, and nothing here knows a real timer.
 * An entry is known by its number; the number is free again once the entry was removed.
 */
export interface Wheel {
  /** How many entries are armed. */
  readonly size: number
  /** Arms `target` for the instant `dueAt` (ms) and returns the entry's number. */
  add(dueAt: number, target: Due): number
  /** Disarms an entry that is armed. */
  remove(entry: number): void
  /** The instant an armed entry was given, `Infinity` for one that is not armed. */
  dueAt(entry: number): number
  /** The target of an armed entry. */
  target(entry: number): Due | undefined
  /** Moves the hand to `nowAt` and appends every entry that is due to `into`; they stay armed until they are removed. */
  turn(nowAt: number, into: number[]): void
  /** The earliest instant, within `horizonMs` after the hand, at which a slot with entries has wholly passed; else the horizon's end. */
  nextWakeAt(horizonMs: number): number
}

const SLOTS = 1024
const MASK = SLOTS - 1
const NONE = -1

/** Builds an empty wheel with slots of `slotMs` (default 4 ms) whose hand stands at `startAt`. */
export function createWheel(startAt: number, slotMs = 4): Wheel {
  const heads = new Int32Array(SLOTS).fill(NONE)
  let capacity = 256
  let next = new Int32Array(capacity).fill(NONE)
  let previous = new Int32Array(capacity).fill(NONE)
  let instants = new Float64Array(capacity).fill(Infinity)
  const targets: (Due | undefined)[] = new Array<Due | undefined>(capacity).fill(undefined)
  let free = NONE
  let used = 0
  let size = 0
  let hand = Math.floor(startAt / slotMs)

  function grow(): void {
    const wider = capacity * 2
    const copy = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(wider).fill(NONE)
      to.set(from)
      return to
    }
    next = copy(next)
    previous = copy(previous)
    const later = new Float64Array(wider).fill(Infinity)
    later.set(instants)
    instants = later
    capacity = wider
  }

  function take(): number {
    if (free !== NONE) {
      const entry = free
      free = next[entry] as number
      return entry
    }
    if (used === capacity) grow()
    return used++
  }

  // An instant that already passed goes to the slot under the hand, or it would wait a whole revolution.
  function slotOf(dueAt: number): number {
    return Math.max(hand, Math.floor(dueAt / slotMs)) & MASK
  }

  function add(dueAt: number, target: Due): number {
    const entry = take()
    const slot = slotOf(dueAt)
    const head = heads[slot] as number
    next[entry] = head
    previous[entry] = -2 - slot
    if (head !== NONE) previous[head] = entry
    heads[slot] = entry
    instants[entry] = dueAt
    targets[entry] = target
    size++
    return entry
  }

  function remove(entry: number): void {
    if (targets[entry] === undefined) return
    const before = previous[entry] as number
    const after = next[entry] as number
    if (before >= 0) next[before] = after
    else heads[-2 - before] = after
    if (after !== NONE) previous[after] = before
    instants[entry] = Infinity
    targets[entry] = undefined
    next[entry] = free
    free = entry
    size--
  }

  function turn(nowAt: number, into: number[]): void {
    const target = Math.floor(nowAt / slotMs)
    // The slot under the hand is read again next time: it has not wholly passed.
    const from = Math.max(hand, target - MASK)
    for (let slot = from; slot <= target; slot++) {
      for (let entry = heads[slot & MASK] as number; entry !== NONE; entry = next[entry] as number) {
        if ((instants[entry] as number) <= nowAt) into.push(entry)
      }
    }
    hand = Math.max(hand, target)
  }

  function nextWakeAt(horizonMs: number): number {
    const last = hand + Math.ceil(horizonMs / slotMs)
    for (let slot = hand; slot < last; slot++) {
      if (heads[slot & MASK] !== NONE) return (slot + 1) * slotMs
    }
    return last * slotMs
  }

  return {
    get size() {
      return size
    },
    add,
    remove,
    dueAt: (entry) => instants[entry] ?? Infinity,
    target: (entry) => targets[entry],
    turn,
    nextWakeAt,
  }
}
