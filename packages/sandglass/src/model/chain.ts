import type { Bound } from '@sandglass/runtime/core'
import type { Sourced, Spot } from './sourced.js'

/** A limit in ms; `none` is unbounded on purpose, `unknown` could not be found out. Absent is a third thing. */
export type LimitMs = number | 'none' | 'unknown'

/** A number of slots, tries or calls; `none` is unlimited on purpose. */
export type Count = number | 'none' | 'unknown'

export type ServiceKind = 'client' | 'edge' | 'proxy' | 'service' | 'database' | 'cache' | 'queue' | 'third-party'
export type Does = 'read' | 'idempotent-write' | 'write' | 'external-effect' | 'manual' | 'compensation'
export type QueueOrder = 'fifo' | 'lifo' | 'codel'
export type Admission = 'none' | 'expired' | 'can-finish'
export type DeadlineUse = 'propagate' | 'ignore'
export type Cancel = 'reaches' | 'stops-here'
export type FallbackTier = 'snapshot' | 'default' | 'empty' | 'defer'
export type Jitter = 'full' | 'none'

/** A distribution of times in ms. */
export type Latency =
  | {
      readonly kind: 'percentiles'
      readonly p50Ms: number
      readonly p90Ms?: number
      readonly p99Ms: number
      readonly p999Ms?: number
      readonly maxMs?: number
    }
  | { readonly kind: 'histogram'; readonly file: string; readonly boundsMs: readonly number[]; readonly counts: readonly number[] }
  | { readonly kind: 'exponential'; readonly meanMs: number; readonly shiftMs: number }
  | { readonly kind: 'constant'; readonly valueMs: number }
  | { readonly kind: 'lognormal'; readonly p50Ms: number; readonly p99Ms: number }

/** Waits between attempts: a law, or the largest wait before each further attempt. */
export type Backoff =
  | {
      readonly kind: 'law'
      readonly baseMs: Sourced<LimitMs>
      readonly maxMs?: Sourced<LimitMs>
      readonly factor: Sourced<number>
      readonly jitter: Sourced<Jitter>
    }
  | { readonly kind: 'list'; readonly largestMs: Sourced<readonly number[]> }

/** What is retried: a word, or an HTTP status as text ("503"). */
export type RetryOn = string

/** A retry budget: `share` of a retry earned per success, at most `cap` held; or the runtime's default token bucket. */
export type RetryBudget = { readonly kind: 'default' } | { readonly kind: 'share'; readonly share: number; readonly cap: number | 'none' }

export interface Breaker {
  readonly spot: Spot
  /** A duration in ms or a number of calls. */
  readonly window?: Sourced<{ readonly ms: number } | { readonly calls: number }>
  readonly failureRate?: Sourced<number>
  readonly minCalls?: Sourced<number>
  readonly consecutive?: Sourced<number>
  readonly open?: Sourced<{ readonly baseMs: number; readonly maxMs: number }>
  readonly probes?: Sourced<number>
  readonly slowMs?: Sourced<LimitMs>
  readonly slowRate?: Sourced<number>
}

export interface Fallback {
  readonly tier: Sourced<FallbackTier>
  readonly maxAgeMs?: Sourced<LimitMs>
}

/** The wait for a slot or connection: in total over all attempts, or anew in each. */
export interface QueueWait {
  readonly spot: Spot
  readonly totalMs?: Sourced<LimitMs>
  readonly perAttemptMs?: Sourced<LimitMs>
}

/** The limits of a call as they stand in the file; absent where nothing is written. */
export interface CallFields {
  readonly to: Sourced<string>
  readonly timeoutMs?: Sourced<LimitMs>
  readonly attemptMs?: Sourced<LimitMs>
  readonly attempts?: Sourced<Count>
  readonly connectMs?: Sourced<LimitMs>
  readonly writeMs?: Sourced<LimitMs>
  readonly silenceMs?: Sourced<LimitMs>
  /** An idle connection to the callee is kept this long; else the caller's `keepAlive.upstreamIdleMs` holds. */
  readonly keepAliveMs?: Sourced<LimitMs>
  readonly queue?: QueueWait
  readonly backoff?: Backoff
  readonly retryOn?: Sourced<readonly RetryOn[]>
  readonly retryStartWithinMs?: Sourced<LimitMs>
  readonly retryBudget?: Sourced<RetryBudget>
  readonly breaker?: Breaker
  readonly bulkhead?: Sourced<Count>
  readonly pool?: Sourced<string>
  readonly fallback?: readonly Fallback[]
  readonly hedgeAfterMs?: Sourced<LimitMs>
  readonly optional?: Sourced<boolean>
  readonly share?: Sourced<number>
  readonly async?: Sourced<boolean>
  readonly deadline?: Sourced<DeadlineUse>
  readonly cancel?: Sourced<Cancel>
  readonly idempotencyKey?: Sourced<boolean>
  readonly reserveMs?: Sourced<LimitMs>
  readonly floorMs?: Sourced<LimitMs>
  readonly networkMs?: Sourced<LimitMs>
  readonly basis?: Sourced<string>
}

/** The bounds of a call by its own limits, nothing handed down: one attempt, all tries, the whole call. */
export interface OwnBounds {
  readonly attempt: Bound
  /** What a callee that hangs once it is connected gets of one attempt: its silence alone, where phases are all there is. */
  readonly held: Bound
  readonly tries: Bound
  readonly total: Bound
}

/** An edge of the chain, with everything that is absent in the file filled in from defaults that say so. */
export interface Call extends CallFields {
  /** Its number in the chain: stable for one reading. */
  readonly index: number
  readonly spot: Spot
  readonly from: Operation
  /** Null where `to` names nothing. */
  readonly callee: Operation | null
  readonly attempts: Sourced<Count>
  readonly optional: Sourced<boolean>
  readonly share: Sourced<number>
  readonly async: Sourced<boolean>
  readonly deadline: Sourced<DeadlineUse>
  readonly cancel: Sourced<Cancel>
  readonly idempotencyKey: Sourced<boolean>
  readonly reserveMs: Sourced<LimitMs>
  readonly floorMs: Sourced<LimitMs>
  readonly networkMs: Sourced<LimitMs>
  /** What `ownBounds` keeps here; a changed copy of a call is not the one it is `of`. */
  readonly derived?: { readonly of: Call; readonly own: OwnBounds } | undefined
}

/** One step of an operation: a call, or calls made together. */
export type Step =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'parallel'; readonly calls: readonly Call[]; readonly spot: Spot }

/** The limits a server sets itself. */
export interface ServerLimits {
  readonly spot: Spot
  readonly requestMs?: Sourced<LimitMs>
  readonly statementMs?: Sourced<LimitMs>
  readonly lockMs?: Sourced<LimitMs>
  readonly idleMs?: Sourced<LimitMs>
}

export interface Operation {
  /** `service.operation`. */
  readonly id: string
  readonly name: string
  readonly service: Service
  readonly spot: Spot
  readonly does: Sourced<Does>
  readonly stream?: { readonly spot: Spot; readonly heartbeatMs?: Sourced<LimitMs> }
  /** Own time, calls excluded. */
  readonly work?: Sourced<Latency>
  /** A leaf's whole time. */
  readonly latency?: Sourced<Latency>
  readonly limits?: ServerLimits
  readonly floorMs?: Sourced<LimitMs>
  /** Share that fails at once. */
  readonly errors?: Sourced<number>
  /** Share that never answers. */
  readonly hangs?: Sourced<number>
  readonly steps: readonly Step[]
  /** All calls of the steps, in order. */
  readonly calls: readonly Call[]
}

export interface ServiceQueue {
  readonly spot: Spot
  readonly limit?: Sourced<Count>
  readonly timeoutMs?: Sourced<LimitMs>
  readonly order?: Sourced<QueueOrder>
}

export interface Probe {
  readonly spot: Spot
  readonly operation?: Sourced<string>
  readonly timeoutMs?: Sourced<LimitMs>
  readonly periodMs?: Sourced<LimitMs>
  readonly failures?: Sourced<number>
}

export interface Service {
  readonly name: string
  readonly spot: Spot
  readonly kind: Sourced<ServiceKind>
  /** Slots of one instance; absent is unlimited. */
  readonly concurrency?: Sourced<Count>
  readonly instances: Sourced<Count>
  readonly queue?: ServiceQueue
  readonly admission: Sourced<Admission>
  readonly deadline: Sourced<DeadlineUse>
  readonly chainStop: Sourced<boolean>
  readonly keepAlive?: { readonly spot: Spot; readonly idleMs?: Sourced<LimitMs>; readonly upstreamIdleMs?: Sourced<LimitMs> }
  readonly pools: ReadonlyMap<string, Sourced<Count>>
  readonly probe?: Probe
  readonly operations: ReadonlyMap<string, Operation>
}

export interface Journey {
  readonly name: string
  readonly spot: Spot
  /** `none` for a stream. */
  readonly promiseMs?: Sourced<LimitMs>
  readonly starts: Sourced<string>
  /** Null where `starts` names nothing. */
  readonly start: Operation | null
  readonly ratePerS?: Sourced<number | 'unknown'>
}

export type SeveritySetting = 'error' | 'warning' | 'info' | 'off'

/** The file's `check:` section. */
export interface CheckSettings {
  readonly severities: ReadonlyMap<string, Sourced<SeveritySetting>>
  /** Limits of rules by name, e.g. `amplification`. */
  readonly limits: ReadonlyMap<string, Sourced<number>>
  /** Severities for findings whose path matches a pattern (`order.*`, `gateway.* > order.create`). */
  readonly paths: readonly { readonly pattern: string; readonly severities: ReadonlyMap<string, Sourced<SeveritySetting>> }[]
}

export interface RateStep {
  readonly atMs: number
  readonly ratePerS: number
}

export interface Fault {
  readonly spot: Spot
  readonly on: Sourced<string>
  readonly atMs: Sourced<number>
  /** Absent: until the end of the run. */
  readonly forMs?: Sourced<number>
  /** `x20` multiplies, `+2s` adds. */
  readonly latency?: Sourced<{ readonly times: number } | { readonly addMs: number }>
  /** Speed of every slot, as a factor. */
  readonly capacity?: Sourced<number>
  readonly slots?: Sourced<number>
  readonly errors?: Sourced<number>
  readonly hang?: Sourced<number>
  readonly down?: Sourced<boolean>
}

export interface Scenario {
  readonly name: string
  readonly spot: Spot
  readonly load: ReadonlyMap<string, Sourced<readonly RateStep[]>>
  readonly arrivals: Sourced<'poisson' | 'constant'>
  readonly durationMs: Sourced<number>
  readonly warmupMs: Sourced<number>
  readonly faults: readonly Fault[]
}

export interface Defaults {
  readonly networkMs?: Sourced<LimitMs>
  readonly reserveMs?: Sourced<LimitMs>
  readonly floorMs?: Sourced<LimitMs>
}

/** Something an importer read that has no effect in its product, and what holds instead. */
export interface DeadSetting {
  /** Its key in the file, e.g. `proxy-read-timeout`. */
  readonly setting: string
  /** As it is written. */
  readonly written: string
  readonly spot: Spot
  /** Why it has no effect: `"120s" is not a whole number of seconds`. */
  readonly because: string
  /** What holds: `60 s, the default of ingress-nginx`. */
  readonly effective: string
}

/** A whole chain: what every command works on. */
export interface Chain {
  readonly journeys: readonly Journey[]
  readonly services: ReadonlyMap<string, Service>
  /** By `service.operation`. */
  readonly operations: ReadonlyMap<string, Operation>
  /** All calls; `calls[i].index === i`. */
  readonly calls: readonly Call[]
  readonly defaults: Defaults
  readonly check: CheckSettings
  readonly scenarios: readonly Scenario[]
  /** What importers found without effect; absent in chains that were not imported. */
  readonly deadSettings?: readonly DeadSetting[]
}
