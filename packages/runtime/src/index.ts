export { bind, capture, type Captured, run } from './capture.js'
export { call, type GuardedCall } from './call.js'
export { explain, type Explanation } from './call-error.js'
export type { Answer, CallContext, CallLimits, CallOptions, Degraded, ObserveOnly, ReadOptions, WriteOptions } from './call-options.js'
export { callee, type Callee, type CalleeOptions } from './callee.js'
export { classifyError, type Verdict } from './classify.js'
export { currentDeadline, currentSignal, type DeadlineContext, type DeadlineOptions, remainingMs, withDeadline } from './deadline-api.js'
export { detach, type DetachOptions } from './detach.js'
export { ConfigError, isSandglassError, SandglassError } from './errors.js'
export {
  constant,
  defer,
  type DeferFallback,
  empty,
  type Fallback,
  type FallbackAnswer,
  type FallbackRequest,
  memoryStore,
  snapshot,
  type SnapshotFallback,
  type SnapshotOptions,
  type SnapshotStore,
  type ValueFallback,
} from './fallback.js'
export { createInbound, type Inbound, type InboundOptions, type InboundRequest, type Opened, type OpenRequest, type Refusal } from './inbound.js'
export { setInstanceName } from './instance.js'
export { type LimitsFile, limitsFile, type LimitsFileOptions } from './limits-file.js'
export type { LimitsView } from './limits-view.js'
export type { CallLimitsJson, CompiledLimits, RetryOn, ServerLimitsJson } from './limits-format.js'
export {
  type CallRecord,
  type DetachedRecord,
  type LimitsRecord,
  observe,
  RECORD_CHANNEL,
  type RequestRecord,
  type SandglassRecord,
} from './observe.js'
export { answerHeader, noteAnswer, noteExchange, outbound, type Outbound, type OutboundOptions } from './outbound.js'
export type { ExchangePhase } from './scope.js'
export { serve, type ServeOptions, type ServeRequest, type ServeResponse } from './serve.js'
export { together, type Members, type Together, type TogetherResult } from './together.js'
