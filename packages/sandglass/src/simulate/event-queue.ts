/** What stands in for "no timer is set". */
export const NO_EVENT = -1

/**
 * Times are rounded to a nanosecond or so (2^-20 ms): sums of such times are exact for 99 days, so that what should happen at
 * one instant does, and an answer that takes exactly as long as its limit is in time.
 */
const GRID = 1_048_576

/** The instant at which an event scheduled for `at` happens: the nearest on the queue's grid; infinite stays infinite. */
export function onGrid(at: number): number {
  return Math.floor(at * GRID + 0.5) / GRID
}

/** Added to the order of what limits something, so that it comes after everything else of its instant. */
const LAST: number = 2 ** 51

/** What has been cancelled but not yet taken out. */
const CANCELLED = 0

/**
 * Events in the order of their time, those of one instant in the order they were scheduled: plain typed arrays, nothing
 * allocated per event. A *lane* takes timers that all have the same length: they come in order of time, so only the first
 * of them is in the heap and setting or cancelling one takes constant time.
 */
export interface EventQueue {
  /** The event that {@link nextEvent} took out. */
  at: number
  kind: number
  handle: number
  /** Timed and immediate events taken out so far. */
  taken: number
  heapAt: Float64Array
  heapId: Int32Array
  heapSize: number
  kinds: Uint8Array
  handles: Int32Array
  orders: Float64Array
  lanes: Int16Array
  freeIds: Int32Array
  freeCount: number
  nextOrder: number
  readonly laneRings: LaneRing[]
  immediateKinds: Uint8Array
  immediateHandles: Int32Array
  immediateHead: number
  immediateTail: number
}

/** The timers of one lane behind the first, which is in the heap. */
interface LaneRing {
  times: Float64Array
  ids: Int32Array
  head: number
  tail: number
  /** Time of the newest; nothing earlier may follow. */
  lastAt: number
  /** Whether the first one is in the heap. */
  isQueued: boolean
}

/** Makes an empty queue with `laneCount` lanes. */
export function createEventQueue(laneCount: number): EventQueue {
  const capacity = 256
  return {
    at: 0,
    kind: 0,
    handle: 0,
    taken: 0,
    heapAt: new Float64Array(capacity),
    heapId: new Int32Array(capacity),
    heapSize: 0,
    kinds: new Uint8Array(capacity),
    handles: new Int32Array(capacity),
    orders: new Float64Array(capacity),
    lanes: new Int16Array(capacity),
    freeIds: Int32Array.from({ length: capacity }, (_, i) => capacity - 1 - i),
    freeCount: capacity,
    nextOrder: 0,
    laneRings: Array.from({ length: laneCount }, () => ({
      times: new Float64Array(64),
      ids: new Int32Array(64),
      head: 0,
      tail: 0,
      lastAt: Number.NEGATIVE_INFINITY,
      isQueued: false,
    })),
    immediateKinds: new Uint8Array(256),
    immediateHandles: new Int32Array(256),
    immediateHead: 0,
    immediateTail: 0,
  }
}

/**
 * Schedules an event of `kind` (1 to 255) at `at`. The id is good for {@link cancelEvent} until the event has been taken out.
 */
export function scheduleEvent(queue: EventQueue, at: number, kind: number, handle: number): number {
  const id = takeId(queue, kind, handle, queue.nextOrder++)
  pushHeap(queue, onGrid(at), id)
  return id
}

/**
 * Schedules the end of somebody's patience at `at`: as {@link scheduleEvent}, but after everything else of that instant. In a
 * lane or (-1) without one; a time that does not fit its lane is taken all the same.
 */
export function scheduleLimit(queue: EventQueue, limitAt: number, kind: number, handle: number, lane: number = -1): number {
  const at = onGrid(limitAt)
  const id = takeId(queue, kind, handle, LAST + queue.nextOrder++)
  const ring = lane < 0 ? undefined : queue.laneRings[lane]!
  if (ring === undefined || at < ring.lastAt) pushHeap(queue, at, id)
  else {
    queue.lanes[id] = lane
    ring.lastAt = at
    if (ring.isQueued) appendRing(ring, at, id)
    else {
      ring.isQueued = true
      pushHeap(queue, at, id)
    }
  }
  return id
}

function takeId(queue: EventQueue, kind: number, handle: number, order: number): number {
  if (queue.freeCount === 0) growEvents(queue)
  const id = queue.freeIds[--queue.freeCount]!
  queue.kinds[id] = kind
  queue.handles[id] = handle
  queue.orders[id] = order
  queue.lanes[id] = -1
  return id
}

/** Takes an event back; one that has been taken out must not be cancelled. */
export function cancelEvent(queue: EventQueue, id: number): void {
  queue.kinds[id] = CANCELLED
}

/** Adds an event that happens now, after those already added and before any later instant. */
export function postEvent(queue: EventQueue, kind: number, handle: number): void {
  if (queue.immediateTail - queue.immediateHead === queue.immediateKinds.length) growImmediate(queue)
  const slot = queue.immediateTail++ & (queue.immediateKinds.length - 1)
  queue.immediateKinds[slot] = kind
  queue.immediateHandles[slot] = handle
}

/** Takes out the next event into `at`, `kind` and `handle`: false when there is none. */
export function nextEvent(queue: EventQueue): boolean {
  if (queue.immediateHead !== queue.immediateTail) {
    const slot = queue.immediateHead++ & (queue.immediateKinds.length - 1)
    queue.kind = queue.immediateKinds[slot]!
    queue.handle = queue.immediateHandles[slot]!
    queue.taken++
    return true
  }
  while (queue.heapSize > 0) {
    const id = queue.heapId[0]!
    const at = queue.heapAt[0]!
    const kind = queue.kinds[id]!
    const lane = queue.lanes[id]!
    queue.freeIds[queue.freeCount++] = id
    if (lane < 0 || !promoteLane(queue, queue.laneRings[lane]!)) dropTop(queue)
    if (kind === CANCELLED) continue
    queue.at = at
    queue.kind = kind
    queue.handle = queue.handles[id]!
    queue.taken++
    return true
  }
  return false
}

/** Puts the next timer of a lane in the place of its first, which is at the top of the heap. */
function promoteLane(queue: EventQueue, ring: LaneRing): boolean {
  const mask = ring.ids.length - 1
  while (ring.head !== ring.tail) {
    const slot = ring.head++ & mask
    const id = ring.ids[slot]!
    if (queue.kinds[id] !== CANCELLED) {
      siftDown(queue, ring.times[slot]!, id, queue.heapSize)
      return true
    }
    queue.freeIds[queue.freeCount++] = id
  }
  ring.isQueued = false
  return false
}

function dropTop(queue: EventQueue): void {
  const last = --queue.heapSize
  if (last > 0) siftDown(queue, queue.heapAt[last]!, queue.heapId[last]!, last)
}

function pushHeap(queue: EventQueue, at: number, id: number): void {
  if (queue.heapSize === queue.heapAt.length) growHeap(queue)
  const { heapAt, heapId, orders } = queue
  const order = orders[id]!
  let place = queue.heapSize++
  while (place > 0) {
    const parent = (place - 1) >> 1
    const parentAt = heapAt[parent]!
    if (at > parentAt || (at === parentAt && order > orders[heapId[parent]!]!)) break
    heapAt[place] = parentAt
    heapId[place] = heapId[parent]!
    place = parent
  }
  heapAt[place] = at
  heapId[place] = id
}

function siftDown(queue: EventQueue, at: number, id: number, size: number): void {
  const { heapAt, heapId, orders } = queue
  const order = orders[id]!
  const half = size >> 1
  let place = 0
  while (place < half) {
    let child = 2 * place + 1
    let childAt = heapAt[child]!
    const right = child + 1
    if (right < size) {
      const rightAt = heapAt[right]!
      if (rightAt < childAt || (rightAt === childAt && orders[heapId[right]!]! < orders[heapId[child]!]!)) {
        child = right
        childAt = rightAt
      }
    }
    if (at < childAt || (at === childAt && order < orders[heapId[child]!]!)) break
    heapAt[place] = childAt
    heapId[place] = heapId[child]!
    place = child
  }
  heapAt[place] = at
  heapId[place] = id
}

function appendRing(ring: LaneRing, at: number, id: number): void {
  const size = ring.ids.length
  if (ring.tail - ring.head === size) {
    const times = new Float64Array(size * 2)
    const ids = new Int32Array(size * 2)
    for (let i = 0; i < size; i++) {
      times[i] = ring.times[(ring.head + i) & (size - 1)]!
      ids[i] = ring.ids[(ring.head + i) & (size - 1)]!
    }
    ring.times = times
    ring.ids = ids
    ring.head = 0
    ring.tail = size
  }
  const slot = ring.tail++ & (ring.ids.length - 1)
  ring.times[slot] = at
  ring.ids[slot] = id
}

function growEvents(queue: EventQueue): void {
  const before = queue.kinds.length
  queue.kinds = widened(queue.kinds, new Uint8Array(before * 2))
  queue.handles = widened(queue.handles, new Int32Array(before * 2))
  queue.orders = widened(queue.orders, new Float64Array(before * 2))
  queue.lanes = widened(queue.lanes, new Int16Array(before * 2))
  queue.freeIds = new Int32Array(before * 2)
  for (let id = before * 2 - 1; id >= before; id--) queue.freeIds[queue.freeCount++] = id
}

function growHeap(queue: EventQueue): void {
  queue.heapAt = widened(queue.heapAt, new Float64Array(queue.heapAt.length * 2))
  queue.heapId = widened(queue.heapId, new Int32Array(queue.heapId.length * 2))
}

function growImmediate(queue: EventQueue): void {
  const size = queue.immediateKinds.length
  const kinds = new Uint8Array(size * 2)
  const handles = new Int32Array(size * 2)
  for (let i = 0; i < size; i++) {
    kinds[i] = queue.immediateKinds[(queue.immediateHead + i) & (size - 1)]!
    handles[i] = queue.immediateHandles[(queue.immediateHead + i) & (size - 1)]!
  }
  queue.immediateKinds = kinds
  queue.immediateHandles = handles
  queue.immediateHead = 0
  queue.immediateTail = size
}

function widened<T extends Float64Array | Int32Array | Int16Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}
