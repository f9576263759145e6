/** How much is remembered about senders, to tell lost time from clock offset. */
export interface TransitOptions {
  /** How far back the quickest transit is looked for, in ms; default 60 000. After a clock step it takes this long to forget. */
  readonly windowMs?: number
  /** Senders remembered; the one unheard of for longest goes first. Default 256. */
  readonly mostSenders?: number
}

/** The quickest transits by sender; made by `createTransit`, changed only by `lostInTransitMs`. */
export interface Transit {
  readonly bucketMs: number
  readonly mostSenders: number
  readonly senders: Map<string, Sender>
}

interface Sender {
  /** The bucket last written, a whole number of bucketMs. */
  bucket: number
  /** The smallest (received - sent) of each bucket, used as a ring; Infinity where nothing was heard. */
  readonly quickestMs: Float64Array
}

const buckets = 6

/** An empty memory of transits. Throws RangeError for a window or a number of senders that is not above 0. */
export function createTransit({ windowMs = 60_000, mostSenders = 256 }: TransitOptions = {}): Transit {
  if (!(windowMs > 0 && windowMs < Number.POSITIVE_INFINITY)) throw new RangeError(`windowMs must be above 0 and finite, not ${windowMs}`)
  if (!(Number.isInteger(mostSenders) && mostSenders >= 1))
    throw new RangeError(`mostSenders must be a whole number of 1 or more, not ${mostSenders}`)
  return { bucketMs: windowMs / buckets, mostSenders, senders: new Map() }
}

/**
 * The time in ms a request lost on its way, without synchronised clocks: how far (receivedAt - sentAt) lies above the smallest of its sender's window.
 *
 * That smallest is clock offset plus quickest transit; whatever the offset is, it cancels. `receivedAt` is on the local monotonic clock,
 * `sentAt` on the sender's wall clock. 0 … windowMs: more is taken for a clock step, which starts the sender anew. 0 too for an
 * unknown sender and for a `sentAt` that is no finite number.
 */
export function lostInTransitMs(transit: Transit, from: string, sentAt: number, receivedAt: number): number {
  const offsetMs = receivedAt - sentAt
  if (!Number.isFinite(offsetMs)) return 0
  const sender = senderOf(transit, from)
  turnTo(sender, Math.floor(receivedAt / transit.bucketMs))
  const slot = slotOf(sender.bucket)
  sender.quickestMs[slot] = Math.min(sender.quickestMs[slot] ?? Number.POSITIVE_INFINITY, offsetMs)
  const lostMs = offsetMs - quickestOf(sender)
  if (lostMs <= transit.bucketMs * buckets) return lostMs
  // Nobody queues for longer than the window: a clock was stepped, and what was learnt before is worth nothing.
  sender.quickestMs.fill(Number.POSITIVE_INFINITY)
  sender.quickestMs[slot] = offsetMs
  return 0
}

/** A named budget less what was lost on the way, in ms: at most down to 0, never more than it was. */
export function correctedBudgetMs(namedMs: number, lostMs: number): number {
  return Math.max(0, namedMs - Math.max(0, lostMs))
}

function senderOf(transit: Transit, from: string): Sender {
  const known = transit.senders.get(from)
  const sender = known ?? { bucket: Number.NEGATIVE_INFINITY, quickestMs: new Float64Array(buckets).fill(Number.POSITIVE_INFINITY) }
  // A Map keeps insertion order: taken out and put back, the first key is the one unheard of for longest.
  if (known !== undefined) transit.senders.delete(from)
  transit.senders.set(from, sender)
  if (transit.senders.size > transit.mostSenders) {
    for (const oldest of transit.senders.keys()) {
      transit.senders.delete(oldest)
      break
    }
  }
  return sender
}

function quickestOf(sender: Sender): number {
  let quickest = Number.POSITIVE_INFINITY
  for (let slot = 0; slot < buckets; slot += 1) quickest = Math.min(quickest, sender.quickestMs[slot] ?? quickest)
  return quickest
}

function turnTo(sender: Sender, bucket: number): void {
  if (bucket <= sender.bucket) return
  const passed = Math.min(bucket - sender.bucket, buckets)
  for (let back = 0; back < passed; back += 1) sender.quickestMs[slotOf(bucket - back)] = Number.POSITIVE_INFINITY
  sender.bucket = bucket
}

function slotOf(bucket: number): number {
  return ((bucket % buckets) + buckets) % buckets
}
