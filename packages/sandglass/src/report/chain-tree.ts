import { durationText } from '@sandglass/runtime/core'
import type { JoinedFile } from '../importers/join.js'
import { callFields } from '../model/call-fields.js'
import type { Backoff, Breaker, DeadSetting, Probe, QueueWait, ServerLimits } from '../model/chain.js'
import type { CallPart, Named, OperationPart, ServicePart, StepPart } from '../model/chain-file.js'
import { placeOf, type Sourced, type Spot } from '../model/sourced.js'
import { saysAt } from './says-at.js'

/** A value of a chain file to be written, with what stands beside it as a comment. */
export type Branch =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'map'; readonly entries: readonly Twig[] }
  | { readonly kind: 'list'; readonly items: readonly Twig[] }

/** An entry of a mapping, or an item of a list (its key is empty). */
export interface Twig {
  readonly key: string
  readonly value: Branch
  readonly comment?: string
  /** Comments of their own, above it. */
  readonly above?: readonly string[]
}

/** An imported chain as a tree of what a chain file writes; every value says where it comes from. */
export function chainTree(file: JoinedFile): { readonly journeys: Branch; readonly services: Branch } {
  const dead = new Map((file.deadSettings ?? []).map((each) => [each.spot, each]))
  const journeys = file.journeys.map(({ name, part }) => ({
    key: name,
    value: map([
      { key: 'promise', value: text('unknown'), comment: 'how long a user may wait for an answer or a clear failure' },
      { key: 'starts', value: text(part.starts?.value ?? '') },
    ]),
  }))
  return { journeys: map(journeys), services: map(file.services.map((service) => serviceTwig(service, { dead, remarks: file.remarks }))) }
}

interface Origins {
  readonly dead: ReadonlyMap<Spot, DeadSetting>
  readonly remarks: ReadonlyMap<CallPart, readonly string[]>
}

const text = (value: string | number): Branch => ({ kind: 'text', text: String(value) })
const map = (entries: readonly Twig[]): Branch => ({ kind: 'map', entries })

/** How a value was worked out, where several settings make it, and where it comes from. */
function originText(sourced: Sourced<unknown>, origins: Origins): string {
  const from = writtenText(sourced, origins)
  return sourced.worked === undefined ? from : `= ${sourced.worked}; ${from}`
}

/** Where a value comes from: the line that says so, or the product whose default it is. */
function writtenText({ origin }: Sourced<unknown>, { dead }: Origins): string {
  const { file, line } = placeOf(origin.spot)
  if (origin.kind === 'inferred') return `origin: ${origin.from}`
  if (origin.kind === 'default') {
    const dropped = dead.get(origin.spot)
    const because = dropped ? `; ${file}:${line}: ${dropped.because}, and is dropped` : ''
    return `origin: default of ${origin.product}${origin.version === null ? '' : ` ${origin.version}`}${origin.setting === undefined ? '' : ` (${origin.setting})`}${because}`
  }
  return `origin: ${file}:${line} ${saysAt(origin.spot.source, line)}`
}

function placeText(spot: Spot): string {
  const { file, line } = placeOf(spot)
  return `${file}:${line}`
}

/** A limit, count, share or word as the chain file writes it. */
function scalar(key: string, sourced: Sourced<unknown> | undefined, origins: Origins, isMs: boolean): readonly Twig[] {
  if (!sourced) return []
  const { value } = sourced
  const written = isMs && typeof value === 'number' ? durationText(value) : String(value)
  return [{ key, value: text(written), comment: originText(sourced, origins) }]
}

function serviceTwig({ name, spot, part }: Named<ServicePart>, origins: Origins): Twig {
  const { kind, instances, concurrency, keepAlive, pools, probe } = part.fields
  const idle = [...scalar('idle', keepAlive?.idleMs, origins, true), ...scalar('upstreamIdle', keepAlive?.upstreamIdleMs, origins, true)]
  const sizes = [...(pools ?? [])].flatMap(([pool, size]) => scalar(pool, size, origins, false))
  const operations = part.operations.map((operation) => operationTwig(operation, origins))
  return {
    key: name,
    comment: placeText(spot),
    value: map([
      ...(kind && kind.value !== 'service' ? [{ key: 'kind', value: text(kind.value) }] : []),
      ...scalar('instances', instances, origins, false),
      ...scalar('concurrency', concurrency, origins, false),
      ...(idle.length > 0 ? [{ key: 'keepAlive', value: map(idle) }] : []),
      ...(sizes.length > 0 ? [{ key: 'pools', value: map(sizes) }] : []),
      ...(probe ? [{ key: 'probe', value: map(probeTwigs(probe, origins)) }] : []),
      { key: 'operations', value: map(operations) },
    ]),
  }
}

function probeTwigs({ operation, timeoutMs, periodMs, failures }: Probe, origins: Origins): readonly Twig[] {
  return [
    ...scalar('operation', operation, origins, false),
    ...scalar('timeout', timeoutMs, origins, true),
    ...scalar('period', periodMs, origins, true),
    ...scalar('failures', failures, origins, false),
  ]
}

function operationTwig({ name, spot, part }: Named<OperationPart>, origins: Origins): Twig {
  const { does, limits } = part.fields
  const steps = part.steps.flatMap((step) => stepTwigs(step, origins))
  const bounds = limits ? limitTwigs(limits, origins) : []
  const entries: readonly Twig[] = [
    ...(does
      ? [
          {
            key: 'does',
            value: text(does.value),
            comment: `assumed: ${does.origin.kind === 'default' ? (does.origin.setting ?? '') : ''} (${placeText(does.origin.spot)})`,
          },
        ]
      : []),
    ...(bounds.length > 0 ? [{ key: 'limits', value: map(bounds) }] : []),
    ...(steps.length > 0 ? [{ key: 'calls', value: { kind: 'list' as const, items: steps } }] : []),
  ]
  return { key: name, comment: placeText(spot), value: map(entries) }
}

function limitTwigs({ requestMs, statementMs, lockMs, idleMs }: ServerLimits, origins: Origins): readonly Twig[] {
  return [
    ...scalar('request', requestMs, origins, true),
    ...scalar('statement', statementMs, origins, true),
    ...scalar('lock', lockMs, origins, true),
    ...scalar('idle', idleMs, origins, true),
  ]
}

function stepTwigs({ parallel, calls, spot }: StepPart, origins: Origins): readonly Twig[] {
  const items = calls.map((call) => callTwig(call, origins))
  if (!parallel) return items
  const group = map([{ key: 'parallel', value: { kind: 'list', items } }])
  const source = spot.source.isCode ? 'the code was not followed that far' : 'a config does not tell'
  return [{ key: '', value: group, above: [`One of these, or several: ${source}. Together assumes the least time.`] }]
}

/** Some calls as the items of a `calls` list; several are together in one group. */
export function callsBranch(calls: readonly CallPart[], file: JoinedFile): Branch {
  const [first] = calls
  const step = first && { spot: first.spot, parallel: calls.length > 1, calls }
  return { kind: 'list', items: step ? stepTwigs(step, { dead: new Map(), remarks: file.remarks }) : [] }
}

function callTwig(call: CallPart, origins: Origins): Twig {
  const { to } = call
  const entries: Twig[] = []
  for (const prop of Object.keys(callFields) as (keyof typeof callFields)[]) {
    if (prop === 'to') continue
    entries.push(...fieldTwigs(prop, call, origins))
  }
  const target: Twig = { key: 'to', value: text(to?.value ?? 'unknown'), ...(to ? { comment: originText(to, origins) } : {}) }
  return { key: '', value: map([target, ...entries]), above: origins.remarks.get(call) ?? [] }
}

function fieldTwigs(prop: keyof typeof callFields, call: CallPart, origins: Origins): readonly Twig[] {
  const { key } = callFields[prop]
  switch (prop) {
    case 'queue':
      return queueTwigs(call.queue, origins)
    case 'backoff':
      return backoffTwigs(call.backoff, origins)
    case 'breaker':
      return call.breaker ? [{ key, value: map(breakerTwigs(call.breaker, origins)) }] : []
    case 'retryOn':
      return call.retryOn ? [{ key, value: text(`[${call.retryOn.value.join(', ')}]`), comment: originText(call.retryOn, origins) }] : []
    case 'retryBudget':
    case 'fallback':
      return []
    default:
      return scalar(key, call[prop] as Sourced<unknown> | undefined, origins, prop.endsWith('Ms'))
  }
}

function queueTwigs(queue: QueueWait | undefined, origins: Origins): readonly Twig[] {
  if (!queue) return []
  if (!queue.perAttemptMs) return scalar('queue', queue.totalMs, origins, true)
  return [{ key: 'queue', value: map(scalar('perAttempt', queue.perAttemptMs, origins, true)) }]
}

function backoffTwigs(backoff: Backoff | undefined, origins: Origins): readonly Twig[] {
  if (!backoff) return []
  if (backoff.kind === 'list') {
    const { value } = backoff.largestMs
    return [{ key: 'backoff', value: text(`[${value.map(durationText).join(', ')}]`), comment: originText(backoff.largestMs, origins) }]
  }
  const entries = [
    ...scalar('base', backoff.baseMs, origins, true),
    ...scalar('max', backoff.maxMs, origins, true),
    ...(backoff.factor.value === 2 ? [] : scalar('factor', backoff.factor, origins, false)),
    ...(backoff.jitter.value === 'full' ? [] : scalar('jitter', backoff.jitter, origins, false)),
  ]
  return [{ key: 'backoff', value: map(entries) }]
}

function breakerTwigs(breaker: Breaker, origins: Origins): readonly Twig[] {
  const { window, failureRate, minCalls, consecutive, open, probes, slowMs, slowRate } = breaker
  const size = window && { ...window, value: 'calls' in window.value ? window.value.calls : durationText(window.value.ms) }
  const opens = open && { ...open, value: open.value.baseMs }
  return [
    ...scalar('window', size, origins, false),
    ...scalar('failureRate', failureRate, origins, false),
    ...scalar('minCalls', minCalls, origins, false),
    ...scalar('consecutive', consecutive, origins, false),
    ...scalar('open', opens, origins, true),
    ...scalar('probes', probes, origins, false),
    ...scalar('slow', slowMs, origins, true),
    ...scalar('slowRate', slowRate, origins, false),
  ]
}
