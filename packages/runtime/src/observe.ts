import { type Channel, channel } from 'node:diagnostics_channel'
import type { ErrorCode, Outcome, Whose } from './core/outcome.js'
import type { Does } from './core/safety.js'
import type { DegradedCall } from './core/wire-degraded.js'
import { ConfigError } from './errors.js'

/** What observe-only mode would have refused, by the policy that would have. */
export type WouldHave = ErrorCode

/** One guarded call, published when it has ended and its work has stopped, or a second later where that does not. Instants are monotonic ms of this process. */
export interface CallRecord {
  readonly kind: 'call'
  readonly call: string
  readonly does: Does
  /** Number of the request it belongs to, 0 for none. */
  readonly request: number
  /** When that request entered, or the call itself outside of any. */
  readonly enteredAt: number
  readonly startedAt: number
  /** When it ended or was cancelled. */
  readonly endedAt: number
  /** What was left when it was called (ms), `Infinity` without a deadline. */
  readonly budgetInMs: number
  /** What its last attempt was given (ms); 0 when none started. */
  readonly handedDownMs: number
  readonly usedMs: number
  readonly reserveMs: number
  /** What became of the execution. */
  readonly execution: Outcome
  /** What the caller got: the answer, a fallback, an error, or nothing because it had gone. */
  readonly usage: 'used' | 'degraded' | 'failed' | 'nobody-waited'
  /** Whose limit ended it; undefined where none did. */
  readonly whose: Whose | undefined
  readonly code: ErrorCode | undefined
  readonly attempts: number
  readonly hedged: boolean
  /** Why no further attempt was made, in the words of core. */
  readonly stopped: string
  /** How long it waited for a slot (ms), all attempts together. */
  readonly queueMs: number
  /** How long the event loop was blocked meanwhile (ms): lost here, not at the callee. */
  readonly loopDelayMs: number
  readonly cancelled: boolean
  /** How long its work went on after the call had given it up (ms), 0 where it did not; undefined when it was still running as it was last looked at. */
  readonly wentOnMs: number | undefined
  readonly degraded: DegradedCall | undefined
  /** What observe-only mode let pass. */
  readonly wouldHave: readonly WouldHave[]
}

/** One request served, published when its answer was sent or given up. */
export interface RequestRecord {
  readonly kind: 'request'
  readonly operation: string
  readonly request: number
  readonly enteredAt: number
  readonly startedAt: number
  readonly endedAt: number
  /** When the answer was wholly sent; undefined where it never was. */
  readonly answeredAt: number | undefined
  readonly budgetInMs: number
  /** Where the budget came from: a header, the server's default, or a header that made no sense. */
  readonly budgetFrom: 'header' | 'default' | 'malformed'
  /** How much of it was lost on the way here (ms). */
  readonly transitMs: number
  readonly queueMs: number
  readonly loopDelayMs: number
  readonly usedMs: number
  readonly reserveMs: number
  readonly hop: number
  readonly inboundAttempt: number
  readonly outcome: 'answered' | 'expired' | 'caller-left' | 'refused' | 'failed'
  readonly status: number
  readonly whose: Whose | undefined
  readonly degraded: readonly DegradedCall[]
  readonly wouldHave: readonly WouldHave[]
}

/** Work that was detached from its request, published when it ended. */
export interface DetachedRecord {
  readonly kind: 'detached'
  readonly reason: string
  readonly request: number
  readonly startedAt: number
  readonly endedAt: number
  readonly budgetMs: number
  readonly outcome: 'succeeded' | 'failed' | 'expired'
}

/** A limits file that was read, or refused. */
export interface LimitsRecord {
  readonly kind: 'limits'
  readonly path: string
  readonly accepted: boolean
  /** What changed, or the one line that says why it was refused. */
  readonly message: string
}

/** Everything that is published. */
export type SandglassRecord = CallRecord | RequestRecord | DetachedRecord | LimitsRecord

/** The name of the one `diagnostics_channel` all records go to. */
export const RECORD_CHANNEL = 'sandglass:record'

const records: Channel = channel(RECORD_CHANNEL)

/** Whether anybody listens: no record is made up when nobody does. */
export function isObserved(): boolean {
  return records.hasSubscribers
}

/** Publishes a record. */
export function publish(record: SandglassRecord): void {
  if (records.hasSubscribers) records.publish(record)
}

const stops = new WeakSet<() => void>()

/**
 * Calls `listener` with every record from now on; returns what ends it. What the listener throws becomes a process warning and never reaches a call.
 * Throws `ConfigError` for what a sink returned: a sink observes by itself, and the first record would end it.
 */
export function observe(listener: (record: SandglassRecord) => void): () => void {
  if (typeof listener !== 'function') throw new ConfigError('observe: a listener is a function of a record')
  if (stops.has(listener as () => void))
    throw new ConfigError(
      'observe: this would end a sink; a sink observes by itself: promSink(promClient), not observe(promSink(promClient))',
    )
  const onMessage = (message: unknown): void => {
    try {
      listener(message as SandglassRecord)
    } catch (error) {
      // Node would make this an uncaught exception: a broken sink must not end the process.
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
  records.subscribe(onMessage)
  const stop = (): void => void records.unsubscribe(onMessage)
  stops.add(stop)
  return stop
}
