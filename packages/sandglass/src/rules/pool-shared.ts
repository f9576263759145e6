import { formatDuration, slotsHeld } from '@sandglass/runtime/core'
import type { Call, Service } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import { slotsOf } from '../model/slots.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

function isRequired(call: Call): boolean {
  return !call.optional.value && !call.async.value
}

/** The required calls of a service by the slots they draw on (its concurrency, or a pool's name). */
function requiredBySlots(service: Service): ReadonlyMap<string, readonly Call[]> {
  const required = new Map<string, Call[]>()
  for (const operation of service.operations.values()) {
    for (const call of operation.calls) {
      const key = keyOf(call)
      if (key === null || !isRequired(call)) continue
      const list = required.get(key)
      if (list) list.push(call)
      else required.set(key, [call])
    }
  }
  return required
}

/** Which slots a call shares with others; null where they are its own, or where nothing limits them. */
function keyOf(call: Call): string | null {
  const slots = slotsOf(call)
  if (!slots || slots.kind === 'bulkhead' || typeof slots.size.value !== 'number') return null
  return slots.kind === 'pool' ? `pool ${call.pool?.value ?? ''}` : 'concurrency'
}

/** Slots that the call needs when its callee is as slow as its p99. */
function neededSlots(view: View, visit: Visit): number | null {
  const { call } = visit
  const rate = view.flow.callRatePerS(call)
  const instances = call.from.service.instances.value
  if (!rate || typeof instances !== 'number') return null
  const held = slotsHeld(rate / instances, view.typicalCallMs(call, visit.bound))
  return held > 0 ? Math.ceil(held) : null
}

function suggest(view: View, visit: Visit): Suggestion | null {
  const needed = neededSlots(view, visit)
  if (needed === null) return anyOf([advice('give the call a bulkhead, or a pool of its own')])
  const lasts = formatDuration(view.typicalCallMs(visit.call, visit.bound))
  return anyOf([advice(`add bulkhead: ${needed} (what it needs at its rate when an answer takes ${lasts})`)])
}

function* check(view: View): Iterable<Diagnostic> {
  const known = new Map<Service, ReadonlyMap<string, readonly Call[]>>()
  for (const visit of notableCalls(view).expendable) {
    const { call } = visit
    const { service } = call.from
    const key = keyOf(call)
    if (key === null) continue
    let required = known.get(service)
    if (!required) known.set(service, (required = requiredBySlots(service)))
    const starved = required.get(key)?.find((other) => other !== call)
    if (starved) yield finding(view, visit, starved)
  }
}

function finding(view: View, visit: Visit, starved: Call): Diagnostic {
  const { call } = visit
  const slots = slotsOf(call)
  const kind = call.optional.value ? 'optional' : 'third-party'
  const whose =
    slots?.kind === 'pool' ? `pool ${call.pool?.value ?? ''} of ${call.from.service.name}` : `slots of ${call.from.service.name}`
  return findingAt(visit, {
    rule: 'pool-shared',
    severity: 'warning',
    message: `a slow ${kind} call to ${call.to.value} can take the ${whose} that the required call to ${starved.to.value} needs`,
    why: 'Slots are shared by all calls of a service; what matters least can starve what matters most unless it has slots of its own.',
    spot: call.to.origin.spot,
    label: `${kind}, no slots of its own`,
    related: [{ spot: starved.to.origin.spot, label: 'required' }, ...(slots ? [{ spot: slots.size.origin.spot, label: 'shared' }] : [])],
    values: { slots: typeof slots?.size.value === 'number' ? slots.size.value : null },
    factors: [
      ...(slots ? [factor(slots.kind, slots.size, 'count')] : []),
      ...(call.optional.value ? [factor('optional', call.optional, 'text')] : []),
      ...(call.callee && !call.optional.value ? [factor(`${call.callee.service.name} kind`, call.callee.service.kind, 'text')] : []),
    ],
    suggestion: suggest(view, visit),
  })
}

/** An optional or third-party call that shares its slots with required ones. */
export const poolShared: Rule = {
  id: 'pool-shared',
  severity: 'warning',
  summary: 'a slow optional call can starve the required one',
  check,
}
