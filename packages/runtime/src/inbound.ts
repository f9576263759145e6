import { loopDelayMs, now } from './clock.js'
import { type KeptContext, keepContext, runIn } from './context.js'
import {
  type Admission,
  type AdmissionMode,
  type AdmissionOptions,
  admit,
  createAdmission,
  neededMs,
  recordWork,
} from './core/admission.js'
import { budgetOf } from './core/deadline.js'
import { createLoadShed, type LoadShed, type LoadShedOptions, shouldShed } from './core/load-shed.js'
import type { ErrorCode, Whose } from './core/outcome.js'
import { newWaiter, type QueueOptions } from './core/queue-discipline.js'
import { reserveMs } from './core/reserve.js'
import { correctedBudgetMs, createTransit, lostInTransitMs, type Transit } from './core/transit.js'
import { formatDegraded } from './core/wire-degraded.js'
import { type IncomingBudget, type IncomingHeaders, incomingBudget, type Trust } from './core/wire-in.js'
import { metaHeader, parseRequestMeta, type RequestMeta } from './core/wire-meta.js'
import type { DeadlineContext } from './deadline-api.js'
import { ConfigError, isSandglassError } from './errors.js'
import { checkInbound } from './inbound-check.js'
import type { LimitsFile } from './limits-file.js'
import type { LimitsView } from './limits-view.js'
import { isObserved, publish, type RequestRecord } from './observe.js'
import { type Refusal, refusalWith } from './refusal.js'
import type { RequestFacts } from './request-facts.js'
import { type Ending, Scope } from './scope.js'
import { linkOf } from './signal-link.js'
import { createSlots, giveBack, queueForSlot, type Slots, type SlotWaiter, stopWaiting, takeSlot } from './slots.js'

/** How a server treats the requests that come in. */
export interface InboundOptions {
  /** Budget of a request whose caller names none (ms). `Infinity`: no deadline, on purpose. */
  readonly budgetMs: number
  /** No request is given more (ms); default `budgetMs`. */
  readonly maxBudgetMs?: number
  /** What a caller's budget may do: `none` ignores it, `shorten` lets it only shorten `budgetMs`, `full` follows it up to `maxBudgetMs`. Default `full` where `maxBudgetMs` is given, else `shorten`. */
  readonly trust?: Trust
  /** What this hop keeps of the budget (ms); default max(5 ms, 5 %). */
  readonly reserveMs?: number
  /** What is refused when its turn comes; default `expired`. `can-finish` refuses what has less left than its `floorMs` or its own recent median. */
  readonly admission?: AdmissionMode | AdmissionOptions
  /** Requests worked on at once; default no limit. */
  readonly concurrency?: number
  /** How requests beyond `concurrency` wait. */
  readonly queue?: QueueOptions
  /** Refuses requests while waiting or the event loop shows standing overload; default: does not. */
  readonly shed?: LoadShedOptions
  /** Counts what admission (then `can-finish`), `concurrency` and shedding would refuse or keep waiting, and refuses nothing but what has expired; default false. How they are first switched on. */
  readonly observe?: boolean
  /** Ends all requests when it aborts, such as a shutdown. */
  readonly signal?: AbortSignal
  /** A limits file whose `server` part goes before these options. */
  readonly limits?: LimitsFile
}

/** A request as any framework gives it. */
export interface InboundRequest {
  /** Name for errors, records and admission: a route, never a raw path, so that there are only so many. */
  readonly operation: string
  /** By lower-case name. */
  readonly headers: IncomingHeaders
  /** When its first byte was seen (monotonic ms, `performance.now()`); default now. */
  readonly arrivedAt?: number
}

export type { Refusal } from './refusal.js'

/** A request that is being worked on. */
export interface OpenRequest {
  readonly context: DeadlineContext
  /** Runs `fn` in the request's scope. */
  run<T>(fn: () => T): T
  /** Calls `listener` once when the time is up before an answer was sent: answer with what it is given. */
  onExpired(listener: (refusal: Refusal) => void): void
  /** The value of `request-degraded`, empty for none. To be set when the head of the answer is written. */
  degraded(): string
  /** How to answer an error of this package; undefined for any other. */
  refusalOf(error: unknown): Refusal | undefined
  /** The answer was wholly sent. Call this or `left`, once; more is ignored. */
  answered(status: number): void
  /** The caller went away: ends the work. */
  left(): void
}

/** What became of a request. */
export type Opened = { readonly state: 'open'; readonly request: OpenRequest } | { readonly state: 'refused'; readonly refusal: Refusal }

/** A server's side of the deadline, for any framework. */
export interface Inbound {
  /** Opens a request and calls `then` once, at once or when its turn has come. Call what it returns when the caller goes away before that. Never throws. */
  open(request: InboundRequest, then: (opened: Opened) => void): () => void
}

/** More operations than this share one admission: names come from outside. */
const MOST_OPERATIONS = 256

let requests = 0

interface Server {
  readonly options: InboundOptions
  readonly limits: LimitsView | undefined
  readonly trust: Trust
  readonly maxBudgetMs: number
  readonly transit: Transit
  readonly slots: Slots | null
  readonly shed: LoadShed | null
  readonly admissions: Map<string, Admission>
}

/** Prepares a server's side. Throws TypeError or RangeError for options that make no sense. */
export function createInbound(options: InboundOptions): Inbound {
  checkInbound(options)
  let server = prepare(options, undefined)
  options.limits?.register((next) => {
    const changed = prepare(options, next)
    return () => {
      server = changed
    }
  })
  // A function of the program names it, and may have none to give.
  const named = (request: InboundRequest): InboundRequest =>
    typeof request.operation === 'string' && request.operation !== '' ? request : { ...request, operation: 'request' }
  return { open: (request, then) => openRequest(server, named(request), then) }
}

function prepare(given: InboundOptions, limits: LimitsView | undefined): Server {
  const options: InboundOptions = { ...given, ...limits?.server() }
  const budgetMs = budgetOf(options.budgetMs)
  const maxBudgetMs = budgetOf(options.maxBudgetMs ?? budgetMs)
  if (options.reserveMs !== undefined && !(options.reserveMs >= 0 && options.reserveMs < Infinity))
    throw new ConfigError(`reserveMs must be 0 ms or more and finite, not ${options.reserveMs}`)
  const { concurrency, queue, shed, observe } = options
  createAdmission(admissionOptions(options))
  return {
    options: { ...options, budgetMs },
    limits,
    trust: options.trust ?? (options.maxBudgetMs === undefined ? 'shorten' : 'full'),
    maxBudgetMs,
    transit: createTransit(),
    slots: concurrency === undefined ? null : createSlots({ slots: concurrency, ...(queue !== undefined && { queue }) }),
    shed: shed === undefined && observe !== true ? null : createLoadShed({ ...shed, ...(observe === true && { observeOnly: true }) }),
    admissions: new Map(),
  }
}

function admissionOptions({ admission, observe }: InboundOptions): AdmissionOptions {
  const asked: AdmissionOptions =
    typeof admission === 'object'
      ? admission
      : admission === undefined
        ? { mode: observe === true ? 'can-finish' : 'expired' }
        : { mode: admission }
  return observe === true ? { ...asked, observeOnly: true } : asked
}

function admissionOf(server: Server, operation: string): Admission {
  const known = server.admissions.get(operation)
  if (known !== undefined) return known
  const name = server.admissions.size < MOST_OPERATIONS ? operation : ''
  const admission =
    server.admissions.get(name) ?? createAdmission({ ...admissionOptions(server.options), ...server.limits?.operation(operation) })
  server.admissions.set(name, admission)
  return admission
}

/** One request on its way through a server. */
interface Inside {
  readonly server: Server
  readonly request: InboundRequest
  readonly budget: IncomingBudget
  readonly budgetMs: number
  readonly transitMs: number
  readonly enteredAt: number
  readonly facts: RequestFacts
  readonly scope: Scope
  readonly admission: Admission
  startedAt: number
  queueMs: number
  holdsSlot: boolean
  over: boolean
  wouldHave: ErrorCode[]
  onExpired: ((refusal: Refusal) => void) | undefined
  /** Takes it out of the queue and, with a code, refuses it; only while it waits there. */
  stopWaiting: ((code: ErrorCode | undefined) => void) | undefined
  /** The context it came in with, where something of it may come later. */
  readonly here: KeptContext | undefined
}

function openRequest(server: Server, request: InboundRequest, then: (opened: Opened) => void): () => void {
  const inside = enter(server, request)
  const nowAt = now()
  if (inside.scope.endsAt <= nowAt) {
    inside.scope.onDue(nowAt)
    refuse(inside, 'DEADLINE_EXCEEDED', then)
  } else if (inside.scope.ending !== undefined) refuse(inside, 'ADMISSION_REFUSED', then)
  else waitForTurn(inside, nowAt, then)
  return () => leave(inside)
}

function enter(server: Server, request: InboundRequest): Inside {
  const { options, trust, maxBudgetMs, transit } = server
  const enteredAt = Math.min(request.arrivedAt ?? Infinity, now())
  const ownMs = server.limits?.operationBudgetMs(request.operation)
  const capMs = options.maxBudgetMs ?? ownMs ?? maxBudgetMs
  const budget = incomingBudget(request.headers, { budgetMs: ownMs ?? options.budgetMs, maxBudgetMs: capMs, trust })
  const meta = trust === 'none' ? {} : parseRequestMeta(request.headers[metaHeader])
  const transitMs = lostMs(transit, meta, enteredAt)
  const budgetMs =
    budget.named === undefined || transitMs === 0
      ? budget.budgetMs
      : Math.min(budget.budgetMs, correctedBudgetMs(budget.named.budgetMs, transitMs))
  requests += 1
  const facts: RequestFacts = {
    request: requests,
    enteredAt,
    hop: meta.hop ?? 0,
    inboundAttempt: meta.attempt ?? 1,
    reserveMs: options.reserveMs,
    degraded: [],
  }
  const inside: Inside = {
    server,
    request,
    budget,
    budgetMs,
    transitMs,
    enteredAt,
    facts,
    scope: new Scope(
      undefined,
      request.operation,
      enteredAt,
      enteredAt + budgetMs,
      { onScopeEnd: (_, ending) => ended(inside, ending) },
      facts,
    ),
    admission: admissionOf(server, request.operation),
    startedAt: enteredAt,
    queueMs: 0,
    holdsSlot: false,
    over: false,
    wouldHave: [],
    onExpired: undefined,
    stopWaiting: undefined,
    here: server.slots !== null || isObserved() ? keepContext() : undefined,
  }
  if (options.signal !== undefined) inside.scope.follow(linkOf(options.signal))
  return inside
}

function lostMs(transit: Transit, meta: RequestMeta, receivedAt: number): number {
  return meta.sentAt === undefined || meta.from === undefined ? 0 : lostInTransitMs(transit, meta.from, meta.sentAt, receivedAt)
}

function waitForTurn(inside: Inside, nowAt: number, then: (opened: Opened) => void): void {
  const { slots } = inside.server
  if (slots === null || takeSlot(slots, nowAt)) {
    inside.holdsSlot = slots !== null
    return begin(inside, nowAt, then)
  }
  if (inside.server.options.observe === true) {
    inside.wouldHave.push('ADMISSION_REFUSED')
    return begin(inside, nowAt, then)
  }
  const waiter: SlotWaiter = {
    ...newWaiter(),
    onSlot(atAt) {
      inside.holdsSlot = true
      inside.stopWaiting = undefined
      inside.queueMs = atAt - nowAt
      // Whoever gave the slot back is another request: this one goes on in its own context.
      if (inside.here === undefined) begin(inside, atAt, then)
      else inside.here.runInAsyncScope(begin, undefined, inside, atAt, then)
    },
    onRefused(atAt) {
      inside.queueMs = atAt - nowAt
      refuse(inside, inside.scope.isOpen ? 'ADMISSION_REFUSED' : 'DEADLINE_EXCEEDED', then)
    },
  }
  // Who still waits when its own time is up has a timer already: its deadline.
  if (!queueForSlot(slots, waiter, nowAt, inside.scope.endsAt)) return refuse(inside, 'ADMISSION_REFUSED', then)
  inside.stopWaiting = (code) => {
    stopWaiting(slots, waiter, now())
    inside.queueMs = now() - nowAt
    if (code !== undefined) refuse(inside, code, then)
  }
}

function begin(inside: Inside, nowAt: number, then: (opened: Opened) => void): void {
  const { server, scope, admission } = inside
  inside.startedAt = nowAt
  const before = admission.cannotFinish
  const shedBefore = server.shed?.shed ?? 0
  const isShed = server.shed !== null && shouldShed(server.shed, inside.queueMs, loopDelayMs(), nowAt)
  const verdict = admit(admission, scope.remainingAt(nowAt), nowAt)
  if ((server.shed?.shed ?? 0) > shedBefore || admission.cannotFinish > before) inside.wouldHave.push('ADMISSION_REFUSED')
  if (isShed || verdict === 'cannot-finish') return refuse(inside, 'ADMISSION_REFUSED', then)
  if (verdict === 'expired') return refuse(inside, 'DEADLINE_EXCEEDED', then)
  then({ state: 'open', request: openOf(inside) })
}

function openOf(inside: Inside): OpenRequest {
  const { scope, facts } = inside
  return {
    context: scope,
    run: (fn) => runIn(scope, fn),
    onExpired(listener) {
      if (scope.ending?.kind === 'expired') listener(refusalWith('DEADLINE_EXCEEDED', undefined))
      else inside.onExpired = listener
    },
    degraded: () => (facts.degraded.length === 0 ? '' : formatDegraded(facts.degraded)),
    refusalOf: (error) => (isSandglassError(error) ? refusalWith(error.code, error.retryAfterMs) : undefined),
    answered: (status) =>
      settle(inside, inside.scope.ending?.kind === 'expired' ? 'expired' : status >= 500 ? 'failed' : 'answered', status),
    left: () => leave(inside),
  }
}

function refuse(inside: Inside, code: ErrorCode, then: (opened: Opened) => void): void {
  if (inside.over) return
  const neededForMs = neededMs(inside.admission, now())
  const refusal = refusalWith(code, code === 'ADMISSION_REFUSED' ? Math.max(1000, neededForMs) : undefined)
  settle(inside, code === 'DEADLINE_EXCEEDED' ? 'expired' : 'refused', refusal.status)
  then({ state: 'refused', refusal })
}

function ended(inside: Inside, ending: Ending): void {
  const expired = ending.kind === 'expired'
  if (inside.stopWaiting !== undefined) inside.stopWaiting(expired ? 'DEADLINE_EXCEEDED' : 'ADMISSION_REFUSED')
  else if (expired) inside.onExpired?.(refusalWith('DEADLINE_EXCEEDED', undefined))
}

function leave(inside: Inside): void {
  if (inside.over) return
  inside.onExpired = undefined
  inside.stopWaiting?.(undefined)
  inside.stopWaiting = undefined
  inside.scope.cancel('caller')
  settle(inside, inside.scope.ending?.kind === 'expired' ? 'expired' : 'caller-left', 499)
}

function settle(inside: Inside, outcome: RequestRecord['outcome'], status: number): void {
  if (inside.over) return
  inside.over = true
  const nowAt = now()
  const { server, scope, admission } = inside
  scope.close()
  if (inside.holdsSlot && server.slots !== null) giveBack(server.slots, nowAt)
  if (outcome === 'answered' && inside.startedAt > 0) recordWork(admission, nowAt - inside.startedAt, nowAt)
  if (isObserved()) {
    const record = recordOf(inside, outcome, status, nowAt)
    if (inside.here === undefined) publish(record)
    else inside.here.runInAsyncScope(publish, undefined, record)
  }
  inside.here?.emitDestroy()
}

function recordOf(inside: Inside, outcome: RequestRecord['outcome'], status: number, nowAt: number): RequestRecord {
  const { budget, scope, facts, request } = inside
  const whose: Whose | undefined =
    outcome === 'expired'
      ? budget.named === undefined
        ? 'own'
        : 'inherited'
      : outcome === 'caller-left'
        ? 'caller'
        : outcome === 'refused'
          ? 'own'
          : undefined
  return {
    kind: 'request',
    operation: request.operation,
    request: facts.request,
    enteredAt: inside.enteredAt,
    startedAt: inside.startedAt,
    endedAt: nowAt,
    answeredAt: outcome === 'caller-left' ? undefined : nowAt,
    budgetInMs: inside.budgetMs,
    budgetFrom: budget.faults.length > 0 ? 'malformed' : budget.named === undefined ? 'default' : 'header',
    transitMs: inside.transitMs,
    queueMs: inside.queueMs,
    loopDelayMs: scope.ending?.loopDelayMs ?? 0,
    usedMs: nowAt - inside.enteredAt,
    reserveMs: reserveMs(inside.budgetMs, facts.reserveMs),
    hop: facts.hop,
    inboundAttempt: facts.inboundAttempt,
    outcome,
    status,
    whose,
    degraded: facts.degraded,
    wouldHave: outcome === 'refused' ? [] : inside.wouldHave,
  }
}
