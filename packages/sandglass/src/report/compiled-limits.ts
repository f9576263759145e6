import type { Backoff, Breaker, Call, Chain, LimitMs, Operation, RetryBudget, Service } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import type { Sourced } from '../model/sourced.js'

/** A service's part of a chain as the runtime reads it, and what could not be carried over. */
export interface Compiled {
  /** `CompiledLimits` of `@sandglass/runtime`. */
  readonly limits: Readonly<Record<string, unknown>>
  readonly notes: readonly Note[]
}

type Json = Readonly<Record<string, unknown>>

/** Compiles what a chain says about one service: its own limits, and those of the calls it makes. */
export function compiledLimits(chain: Chain, service: Service): Compiled {
  const notes: Note[] = []
  return {
    limits: { schemaVersion: 1, service: service.name, server: serverOf(chain, service, notes), calls: callsOf(service, notes) },
    notes,
  }
}

/** Only what has a value; the runtime has defaults of its own. */
function given(parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

/** A limit that is a number; `none` is no limit, and `unknown` is left to the code, with a note. */
function numberOf(limit: Sourced<LimitMs | number> | undefined, what: string, notes: Note[]): number | undefined {
  if (limit?.value === 'unknown') notes.push({ message: `${what} is unknown here, so that the code decides`, spot: limit.origin.spot })
  return typeof limit?.value === 'number' ? limit.value : undefined
}

/** A value that somebody wrote, here or in the chain's defaults. */
function written<T>(sourced: Sourced<T>): T | undefined {
  return sourced.origin.kind === 'default' ? undefined : sourced.value
}

function serverOf(chain: Chain, service: Service, notes: Note[]): Json {
  const { queue } = service
  return given({
    budgetMs: sharedBudget(service),
    reserveMs: numberOf(chain.defaults.reserveMs, 'defaults.reserve', notes),
    admission: written(service.admission),
    concurrency: numberOf(service.concurrency, `${service.name} concurrency`, notes),
    queue:
      queue &&
      given({
        limit: numberOf(queue.limit, `${service.name} queue limit`, notes),
        timeoutMs: numberOf(queue.timeoutMs, `${service.name} queue timeout`, notes),
        order: queue.order?.value,
      }),
    chainStop: service.chainStop.value,
    operations: Object.fromEntries([...service.operations.values()].map((operation) => [operation.name, operationOf(operation, notes)])),
  })
}

/** The request limit of all operations, where it is one: the budget of a request that brings none. */
function sharedBudget(service: Service): number | undefined {
  const limits = new Set([...service.operations.values()].map((operation) => operation.limits?.requestMs?.value))
  const [only] = limits
  return limits.size === 1 && typeof only === 'number' ? only : undefined
}

function operationOf(operation: Operation, notes: Note[]): Json {
  return given({
    does: operation.does.value,
    floorMs: numberOf(operation.floorMs, `${operation.id} floor`, notes),
    budgetMs: numberOf(operation.limits?.requestMs, `${operation.id} limits.request`, notes),
  })
}

/** By the name of the callee; by `operation>callee` where two operations call the same with different limits. */
function callsOf(service: Service, notes: Note[]): Json {
  const byCallee = new Map<string, { readonly from: Operation; readonly limits: Json }[]>()
  for (const operation of service.operations.values()) {
    for (const call of operation.calls) {
      if (!call.callee) notes.push({ message: `${call.to.value} names nothing, so that its call is left out`, spot: call.to.origin.spot })
      else
        byCallee.set(call.to.value, [...(byCallee.get(call.to.value) ?? []), { from: operation, limits: callOf(call, call.callee, notes) }])
    }
  }
  const calls: Record<string, unknown> = {}
  for (const [callee, uses] of byCallee) {
    const isOne = new Set(uses.map(({ limits }) => JSON.stringify(limits))).size === 1
    for (const { from, limits } of uses) calls[isOne ? callee : `${from.name}>${callee}`] = limits
  }
  return calls
}

function callOf(call: Call, callee: Operation, notes: Note[]): Json {
  const name = `${call.from.id} > ${call.to.value}`
  notes.push(...phaseNotes(call, name))
  return given({
    does: callee.does.value,
    timeoutMs: call.timeoutMs?.value === 'none' ? 'none' : numberOf(call.timeoutMs, `${name} timeout`, notes),
    attemptMs: numberOf(call.attemptMs, `${name} attempt`, notes),
    attempts: attemptsOf(call, name, notes),
    backoff: call.backoff && backoffOf(call.backoff, name, notes),
    retryOn: call.retryOn?.value.map((word) => (/^\d+$/.test(word) && word !== '429' ? Number(word) : word)),
    retryStartWithinMs: numberOf(call.retryStartWithinMs, `${name} retryStartWithin`, notes),
    retryBudget: call.retryBudget && retryBudgetOf(call.retryBudget.value),
    reserveMs: call.reserveMs.origin.kind === 'default' ? undefined : numberOf(call.reserveMs, `${name} reserve`, notes),
    floorMs: call.floorMs.origin.kind === 'default' ? undefined : numberOf(call.floorMs, `${name} floor`, notes),
    idempotencyKey: written(call.idempotencyKey),
    breaker: call.breaker && breakerOf(call.breaker, name, notes),
    bulkhead: bulkheadOf(call, name, notes),
    hedge: call.hedgeAfterMs && given({ afterMs: numberOf(call.hedgeAfterMs, `${name} hedge.after`, notes) }),
    fallback: call.fallback?.map(({ tier, maxAgeMs }) =>
      given({ tier: tier.value, maxAgeMs: numberOf(maxAgeMs, `${name} fallback.maxAge`, notes) }),
    ),
  })
}

/** Phases are limits of the client library below; the runtime bounds a whole try. */
function phaseNotes(call: Call, name: string): Note[] {
  const phases = Object.entries({ connect: call.connectMs, write: call.writeMs, silence: call.silenceMs })
  const noted = phases.filter(([, limit]) => limit !== undefined).map(([phase]) => phase)
  if (noted.length > 0)
    return [{ message: `${name}: ${noted.join(', ')} are set in the client library; they are not carried over`, spot: call.spot }]
  return call.pool
    ? [{ message: `${name}: pool ${call.pool.value} is the client library's; it is not carried over`, spot: call.pool.origin.spot }]
    : []
}

function attemptsOf(call: Call, name: string, notes: Note[]): number | undefined {
  const { value, origin } = call.attempts
  if (typeof value !== 'number') notes.push({ message: `${name}: attempts ${value} cannot be run; the code decides`, spot: origin.spot })
  return typeof value === 'number' && origin.kind !== 'default' ? value : undefined
}

function backoffOf(backoff: Backoff, name: string, notes: Note[]): Json {
  if (backoff.kind === 'list') return { waitsMs: backoff.largestMs.value }
  return given({
    baseMs: numberOf(backoff.baseMs, `${name} backoff.base`, notes),
    maxMs: numberOf(backoff.maxMs, `${name} backoff.max`, notes),
    factor: written(backoff.factor),
    jitter: backoff.jitter.value,
  })
}

function retryBudgetOf(budget: RetryBudget): Json {
  return budget.kind === 'default' ? {} : { share: budget.share, cap: budget.cap }
}

function breakerOf(breaker: Breaker, name: string, notes: Note[]): Json {
  const { window, open } = breaker
  return given({
    windowMs: window && 'ms' in window.value ? window.value.ms : undefined,
    windowCalls: window && 'calls' in window.value ? window.value.calls : undefined,
    failureRate: breaker.failureRate?.value,
    minCalls: breaker.minCalls?.value,
    consecutive: breaker.consecutive?.value,
    openMs: open && (open.value.baseMs === open.value.maxMs ? open.value.baseMs : { baseMs: open.value.baseMs, maxMs: open.value.maxMs }),
    probes: breaker.probes?.value,
    slowMs: numberOf(breaker.slowMs, `${name} breaker.slow`, notes),
    slowRate: breaker.slowRate?.value,
  })
}

function bulkheadOf(call: Call, name: string, notes: Note[]): Json | undefined {
  const slots = numberOf(call.bulkhead as Sourced<LimitMs> | undefined, `${name} bulkhead`, notes)
  if (slots === undefined) return undefined
  const timeoutMs = numberOf(call.queue?.totalMs ?? call.queue?.perAttemptMs, `${name} queue`, notes)
  return given({ slots, queue: timeoutMs === undefined ? undefined : { timeoutMs } })
}
