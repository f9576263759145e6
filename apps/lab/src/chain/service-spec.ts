import type { Backoff, Call, Chain, Latency, LimitMs, Operation, Service, Sourced } from 'sandglass'
import type { Protection } from '../arms/arm.js'

/** A call as a service process needs it. Times in ms, shares 0 to 1. */
export interface CallSpec {
  /** `service.operation`. */
  readonly to: string
  readonly does: Operation['does']['value']
  readonly share: number
  readonly isOptional: boolean
  /** All tries together; null for no limit. */
  readonly timeoutMs: number | null
  readonly attemptMs: number | null
  readonly attempts: number
  readonly backoffBaseMs: number
  readonly backoffMaxMs: number
  readonly idempotencyKey: boolean
  readonly breaker: { readonly openMs: number; readonly failureRate: number; readonly consecutive: number } | null
  readonly tiers: readonly ('snapshot' | 'default' | 'empty' | 'defer')[]
  readonly maxAgeMs: number
}

/** An operation as a service process needs it. */
export interface OperationSpec {
  readonly name: string
  readonly id: string
  readonly work: Latency | null
  readonly errorShare: number
  readonly hangShare: number
  /** The server ends the work itself after so long (ms); null for never. */
  readonly statementMs: number | null
  readonly steps: readonly (readonly CallSpec[])[]
}

/** A service as its process needs it. */
export interface ServiceSpec {
  readonly name: string
  readonly kind: Service['kind']['value']
  readonly protection: Protection
  /** Whether it honours a budget and stops when its caller leaves. */
  readonly honoursDeadline: boolean
  /** Requests worked on at once; null for no limit. */
  readonly slots: number | null
  readonly queueLimit: number | null
  readonly promiseMs: number
  readonly operations: readonly OperationSpec[]
}

/** What the processes of an arm are made from: all services but the client, callees first. */
export function serviceSpecs(chain: Chain, protection: Protection): readonly ServiceSpec[] {
  const promiseMs = finite(chain.journeys[0]?.promiseMs) ?? 30_000
  const specs = [...chain.services.values()]
    .filter(({ kind }) => kind.value !== 'client')
    .map((service) => specOf(service, protection, promiseMs))
  return calleesFirst(specs)
}

/** The call with which the client enters the chain. */
export function clientCall(chain: Chain): CallSpec {
  const call = chain.journeys[0]?.start?.calls[0]
  if (!call) throw new Error('the first journey makes no call')
  return callSpec(call)
}

function specOf(service: Service, protection: Protection, promiseMs: number): ServiceSpec {
  return {
    name: service.name,
    kind: service.kind.value,
    protection,
    honoursDeadline: protection === 'sandglass' && service.deadline.value === 'propagate',
    slots: typeof service.concurrency?.value === 'number' ? service.concurrency.value : null,
    queueLimit: typeof service.queue?.limit?.value === 'number' ? service.queue.limit.value : null,
    promiseMs,
    operations: [...service.operations.values()].map(operationSpec),
  }
}

function operationSpec(operation: Operation): OperationSpec {
  const isLeaf = operation.calls.length === 0
  return {
    name: operation.name,
    id: operation.id,
    work: (isLeaf ? operation.latency : undefined)?.value ?? operation.work?.value ?? null,
    errorShare: operation.errors?.value ?? 0,
    hangShare: operation.hangs?.value ?? 0,
    statementMs: finite(operation.limits?.statementMs),
    steps: operation.steps.map((step) => (step.kind === 'call' ? [callSpec(step.call)] : step.calls.map(callSpec))),
  }
}

function callSpec(call: Call): CallSpec {
  const { breaker, fallback = [] } = call
  return {
    to: call.to.value,
    does: call.callee?.does.value ?? 'write',
    share: call.share.value,
    isOptional: call.optional.value,
    timeoutMs: finite(call.timeoutMs),
    attemptMs: finite(call.attemptMs),
    attempts: typeof call.attempts.value === 'number' ? call.attempts.value : 1,
    ...backoffSpec(call.backoff),
    idempotencyKey: call.idempotencyKey.value,
    breaker: breaker
      ? {
          openMs: breaker.open?.value.baseMs ?? 1000,
          failureRate: breaker.failureRate?.value ?? 0.5,
          consecutive: breaker.consecutive?.value ?? 5,
        }
      : null,
    tiers: fallback.map(({ tier }) => tier.value),
    maxAgeMs: fallback.map(({ maxAgeMs }) => finite(maxAgeMs)).find((ms) => ms !== null) ?? 600_000,
  }
}

function backoffSpec(backoff: Backoff | undefined): Pick<CallSpec, 'backoffBaseMs' | 'backoffMaxMs'> {
  if (backoff?.kind !== 'law') return { backoffBaseMs: 0, backoffMaxMs: 0 }
  return { backoffBaseMs: finite(backoff.baseMs) ?? 0, backoffMaxMs: finite(backoff.maxMs) ?? 30_000 }
}

function finite(limit: Sourced<LimitMs> | undefined): number | null {
  return typeof limit?.value === 'number' ? limit.value : null
}

function calleesFirst(specs: readonly ServiceSpec[]): readonly ServiceSpec[] {
  const ordered = new Set<ServiceSpec>()
  const visit = (spec: ServiceSpec, above: ReadonlySet<string>): void => {
    if (ordered.has(spec) || above.has(spec.name)) return
    const callees = new Set(spec.operations.flatMap(({ steps }) => steps.flat().map(({ to }) => to.split('.')[0])))
    for (const callee of specs) if (callees.has(callee.name)) visit(callee, new Set([...above, spec.name]))
    ordered.add(spec)
  }
  for (const spec of specs) visit(spec, new Set())
  return [...ordered]
}
