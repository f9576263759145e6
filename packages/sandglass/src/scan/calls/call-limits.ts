import { longestDurationMs } from '@sandglass/runtime/core'
import type { Backoff, CallFields, LimitMs } from '../../model/chain.js'
import { declared, type Origin, type Sourced, type Spot } from '../../model/sourced.js'
import type { Guard, LimitGuard, RetryGuard } from '../guards/guard.js'
import { guarded, isShared } from '../guards/guarded.js'
import { holds, type Limit, type LimitState } from '../limits/limit-state.js'
import type { Judged } from '../limits/outcome.js'
import type { Attempts, Phase, Reading } from '../limits/reading.js'
import type { Site } from '../models/library-model.js'

/** What limits a call, as a chain file has it: each field with its origin. */
export interface CallLimits {
  readonly fields: Partial<Omit<CallFields, 'to'>>
  /** The limit that the server sets each statement, in ms. */
  readonly statementMs?: Sourced<LimitMs>
  /** What no field says, for a comment: what is waited for without a limit, how waits were divided. */
  readonly remarks: readonly string[]
}

type Fields = { -readonly [K in keyof CallFields]?: CallFields[K] }

interface Draft {
  readonly fields: Fields
  statementMs?: Sourced<LimitMs>
  readonly remarks: string[]
}

/** The limits of a call of a library: its own, then what stands around the call, from the inside out. */
export function limitsOfCall(
  { reading, own, guards }: { readonly reading: Reading; readonly own: Judged; readonly guards: readonly Guard[] },
  { spot, model, version }: Pick<Site, 'spot' | 'model' | 'version'>,
): CallLimits {
  const draft: Draft = { fields: {}, remarks: [] }
  takeOwn(reading, own, spot, draft)
  if (reading.attempts) takeAttempts(reading.attempts, { product: model.id, version }, draft)
  else if (reading.isAttemptsUnknown) draft.fields.attempts = declared('unknown', spot)
  let inner = own
  for (const guard of guards) {
    if (guard.kind === 'limit') takeLimit(guard, inner, draft)
    else takeRetry(guard, inner, draft)
    inner = guarded(inner, [guard])
  }
  return draft
}

function takeOwn({ overall, attempt, phases, attempts, isAttemptsUnknown }: Reading, own: Judged, spot: Spot, draft: Draft): void {
  const { fields } = draft
  const isRepeated = attempts !== null || isAttemptsUnknown === true || holds(attempt)
  if (holds(overall)) {
    fields.timeoutMs = sourced(overall)
    if (holds(attempt)) fields.attemptMs = sourced(attempt)
    return
  }
  if (own.outcome.state === 'unknown') fields.timeoutMs = declared('unknown', spot)
  if (holds(attempt)) fields.attemptMs = sourced(attempt)
  else takePhases(phases, draft)
  // Nothing else is waited for and nothing is repeated: the limit of the one attempt is that of the whole call.
  const isWhole = phases.every(({ limit }) => holds(limit) && limit.kind === 'total') && !isRepeated && !fields.timeoutMs
  if (isWhole && fields.attemptMs) {
    fields.timeoutMs = fields.attemptMs
    delete fields.attemptMs
  }
  if (own.outcome.state === 'unbounded') takeOpen([overall, attempt], own.open, draft)
}

function takePhases(phases: readonly Phase[], draft: Draft): void {
  const { fields } = draft
  const limits = phases.map(({ limit }) => limit).filter(holds)
  const of = (...kinds: readonly string[]) => limits.filter(({ kind }) => kinds.includes(kind))
  const whole = of('total', 'attempt')
  const queue = longest(of('queue'))
  const statement = longest(of('statement'))
  if (queue) fields.queue = { spot: queue.origin.spot, totalMs: queue }
  if (statement) draft.statementMs = statement
  if (statement && limits.length === of('queue', 'connect', 'statement').length) {
    draft.remarks.push('only the server ends the statement: one that hangs ends nothing')
    whole.push(...of('statement'))
  }
  // In a chain a limit of the whole attempt is all there is of it: what is waited for before it is added.
  if (whole.length > 0) fields.attemptMs = sum([...of('connect'), ...of('write'), ...of('headers', 'silence'), ...whole])
  else {
    put(fields, 'connectMs', longest(of('connect')))
    put(fields, 'writeMs', longest(of('write')))
    put(fields, 'silenceMs', longest(of('headers', 'silence')))
  }
}

/** What nothing ends: the chain must not make a limit of the parts that have one. */
function takeOpen(states: readonly (LimitState | null)[], open: readonly Phase[], { fields, remarks }: Draft): void {
  const rest = open.filter(({ kind }) => kind !== 'queue')
  const queue = open.find(({ kind }) => kind === 'queue')
  if (queue) fields.queue = { spot: spotOfNone(queue.limit), totalMs: declared('none', spotOfNone(queue.limit)) }
  if (rest.length === 0 && fields.attemptMs) return
  if (rest.length > 0) {
    delete fields.attemptMs
    delete fields.silenceMs
  }
  const off = [...states, ...rest.map(({ limit }) => limit)].find((state) => state?.state === 'none' && state.isOff)
  if (off?.state === 'none') fields.timeoutMs = declared('none', off.spot)
  const what = rest.map((phase) => phase.what)
  remarks.push(what.length > 0 ? `nothing limits ${listed(what)}` : 'nothing limits it')
}

function spotOfNone(limit: LimitState): Spot {
  if (limit.state === 'none') return limit.spot
  throw new TypeError('only a limit that is missing has such a place')
}

function takeAttempts(
  { count, waitMs, spot, isDefault, name }: Attempts,
  of: { readonly product: string; readonly version: string | null },
  draft: Draft,
): void {
  const origin: Origin = isDefault ? { kind: 'default', ...of, setting: name, spot } : { kind: 'declared', spot }
  draft.fields.attempts = { value: count ?? 'none', origin }
  if (draft.fields.queue?.totalMs) draft.fields.queue = { spot, perAttemptMs: draft.fields.queue.totalMs }
  if (count !== null) put(draft.fields, 'backoff', dividedWaits(waitMs[1], count - 1, origin, draft))
}

/** Only all waits together are known: in equal parts they come to the same. */
function dividedWaits(allMs: number, waits: number, origin: Origin, { remarks }: Draft): Backoff | undefined {
  if (waits < 1 || !(allMs > 0)) return undefined
  if (waits > 1) remarks.push(`${waits} waits of ${Math.round(allMs)} ms together, written in equal parts`)
  return { kind: 'list', largestMs: { value: [Math.ceil(allMs / waits)], origin } }
}

function takeLimit({ ms, spot, isDefault, name }: LimitGuard, inner: Judged, { fields, remarks }: Draft): void {
  const origin: Origin = isDefault ? { kind: 'default', product: name, version: null, spot } : { kind: 'declared', spot }
  const known = fields.timeoutMs?.value
  if (ms === null) {
    if (inner.outcome.state === 'unbounded') fields.timeoutMs = { value: 'unknown', origin }
    return
  }
  if (typeof known === 'number' && known <= ms) return
  fields.timeoutMs = { value: limited(ms), origin }
  remarks.splice(0, remarks.length, ...remarks.filter((remark) => !remark.startsWith('nothing limits')))
}

function takeRetry(guard: RetryGuard, inner: Judged, draft: Draft): void {
  const { fields } = draft
  const origin: Origin = guard.isDefault
    ? { kind: 'default', product: guard.name, version: null, spot: guard.spot }
    : { kind: 'declared', spot: guard.spot }
  const attempts = { value: guard.count ?? (guard.isEndless ? ('none' as const) : ('unknown' as const)), origin }
  const waits = guard.waits?.map(([, most]) => Math.ceil(most)) ?? []
  const backoff: Backoff | undefined =
    waits.some((ms) => ms > 0) && waits.length <= MAX_WAITS ? { kind: 'list', largestMs: { value: waits, origin } } : undefined
  if (isShared(inner, guard)) {
    if (!fields.attempts) takeTries(fields, attempts, backoff)
    return
  }
  // What was a whole call with tries of its own is one attempt of the loop around it.
  const isWhole = typeof fields.timeoutMs?.value === 'number' || fields.attempts !== undefined
  if (isWhole && inner.worstMs) {
    const [, worst] = inner.worstMs
    const limit = fields.timeoutMs ?? fields.attemptMs ?? fields.silenceMs
    fields.attemptMs = { value: limited(worst), origin: limit?.origin ?? origin }
    for (const key of ['timeoutMs', 'silenceMs', 'connectMs', 'writeMs', 'queue', 'backoff'] as const) delete fields[key]
  }
  takeTries(fields, attempts, backoff)
}

/** A chain file lists no more waits. */
const MAX_WAITS = 100

function takeTries(fields: Fields, attempts: NonNullable<Fields['attempts']>, backoff: Backoff | undefined): void {
  fields.attempts = attempts
  if (fields.queue?.totalMs) fields.queue = { spot: fields.queue.spot, perAttemptMs: fields.queue.totalMs }
  put(fields, 'backoff', backoff)
}

function put<K extends keyof Fields>(fields: Fields, key: K, value: Fields[K] | undefined): void {
  if (value !== undefined) fields[key] = value
}

function sourced({ ms, origin }: Limit): Sourced<LimitMs> {
  return { value: limited(ms), origin }
}

function limited(ms: number): number {
  return Math.min(Math.max(0, ms), longestDurationMs)
}

function longest(limits: readonly Limit[]): Sourced<LimitMs> | undefined {
  const most = limits.reduce<Limit | null>((a, b) => (a === null || b.ms > a.ms ? b : a), null)
  return most ? sourced(most) : undefined
}

function sum(limits: readonly Limit[]): Sourced<LimitMs> {
  const last = limits.at(-1)
  if (!last) throw new TypeError('a sum needs a limit')
  return { ...sourced(last), value: limited(limits.reduce((all, { ms }) => all + ms, 0)) }
}

function listed(words: readonly string[]): string {
  const unique = [...new Set(words)]
  return unique.length < 2 ? (unique[0] ?? '') : `${unique.slice(0, -1).join(', ')} and ${unique.at(-1)}`
}
