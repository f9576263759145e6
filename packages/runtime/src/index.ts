export { call, type GuardedCall } from './call.js'
export { type Explanation, explain } from './call-error.js'
export type { Answer, CallContext, CallLimits, CallOptions, Degraded, ObserveOnly, ReadOptions, WriteOptions } from './call-options.js'
export { type Callee, type CalleeOptions, callee } from './callee.js'
export { bind, type Captured, capture, run } from './capture.js'
export { classifyError, type Verdict } from './classify.js'
export { currentDeadline, currentSignal, type DeadlineContext, type DeadlineOptions, remainingMs, withDeadline } from './deadline-api.js'
export { type DetachOptions, detach } from './detach.js'
export { ConfigError, isSandglassError, SandglassError } from './errors.js'
export {
  constant,
  type DeferFallback,
  defer,
  empty,
  type Fallback,
  type FallbackAnswer,
  type FallbackRequest,
  memoryStore,
  type SnapshotFallback,
  type SnapshotOptions,
  type SnapshotStore,
  snapshot,
  type ValueFallback,
} from './fallback.js'
export {
  createInbound,
  type Inbound,
  type InboundOptions,
  type InboundRequest,
  type Opened,
  type OpenRequest,
} from './inbound.js'
export { setInstanceName } from './instance.js'
export { type LimitsFile, type LimitsFileOptions, limitsFile } from './limits-file.js'
export type { CallLimitsJson, CompiledLimits, RetryOn, ServerLimitsJson } from './limits-format.js'
export type { LimitsView } from './limits-view.js'
export {
  type CallRecord,
  type DetachedRecord,
  type LimitsRecord,
  observe,
  RECORD_CHANNEL,
  type RequestRecord,
  type SandglassRecord,
} from './observe.js'
export { answerHeader, noteAnswer, noteExchange, type Outbound, type OutboundOptions, outbound } from './outbound.js'
export type { Refusal } from './refusal.js'
export type { ExchangePhase } from './scope.js'
export { type ServeOptions, type ServeRequest, type ServeResponse, serve } from './serve.js'
export { type Members, type Together, type TogetherResult, together } from './together.js'
