import { formatDuration } from '@sandglass/runtime/core'
import type { Call, LimitMs, Operation } from '../model/chain.js'
import { advice, anyOf, changeLimit } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { limitFactor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { notableCalls } from './measure/notable-calls.js'

interface Limit {
  readonly name: string
  readonly limit: Sourced<LimitMs> | undefined
}

/** What ends a stream after a fixed time, however alive it is: the earliest one counts. */
function totalOf(call: Call, callee: Operation): (Limit & { ms: number; limit: Sourced<LimitMs> }) | null {
  return earliest([
    { name: 'timeout', limit: call.timeoutMs },
    { name: 'attempt', limit: call.attemptMs },
    { name: `${callee.id} limits.request`, limit: callee.limits?.requestMs },
  ])
}

/** What ends a stream that is silent for so long. */
function idleOf(call: Call, callee: Operation): (Limit & { ms: number; limit: Sourced<LimitMs> }) | null {
  return earliest([
    { name: 'silence', limit: call.silenceMs },
    { name: `${callee.id} limits.idle`, limit: callee.limits?.idleMs },
  ])
}

function earliest(limits: readonly Limit[]): (Limit & { ms: number; limit: Sourced<LimitMs> }) | null {
  let first: (Limit & { ms: number; limit: Sourced<LimitMs> }) | null = null
  for (const { name, limit } of limits) {
    if (typeof limit?.value === 'number' && (!first || limit.value < first.ms)) first = { name, limit, ms: limit.value }
  }
  return first
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).streams) {
    const { call } = visit
    const { callee } = call
    if (!callee?.stream || call.async.value) continue
    const total = totalOf(call, callee)
    if (total) yield totalFinding(visit, callee, total)
    const idle = idleOf(call, callee)
    const heartbeat = callee.stream.heartbeatMs
    if (idle && typeof heartbeat?.value === 'number' && exceeds(heartbeat.value, idle.ms))
      yield idleFinding(visit, { ...idle, heartbeat, heartbeatMs: heartbeat.value })
  }
}

function totalFinding(
  visit: Visit,
  callee: Operation,
  { name, limit, ms }: { name: string; limit: Sourced<LimitMs>; ms: number },
): Diagnostic {
  const { call } = visit
  const heartbeat = callee.stream?.heartbeatMs
  const instead =
    typeof heartbeat?.value === 'number'
      ? `silence: longer than the heartbeat of ${formatDuration(heartbeat.value)}`
      : 'silence: longer than its heartbeat'
  return findingAt(visit, {
    rule: 'stream-limit',
    severity: 'warning',
    message: `${call.to.value} is a stream, and ${name} cuts it off after ${formatDuration(ms)} however alive it is`,
    why: 'A stream has no end to wait for: a limit on the whole of it breaks healthy ones at a fixed age.',
    spot: limit.origin.spot,
    label: 'a total limit',
    related: [{ spot: callee.stream?.spot ?? callee.spot, label: 'a stream' }],
    values: { boundMs: ms, heartbeatMs: typeof heartbeat?.value === 'number' ? heartbeat.value : null },
    factors: [...limitFactor(name, limit), ...limitFactor('heartbeat', heartbeat)],
    suggestion: limit.fixed
      ? anyOf([advice('let the client of the stream reconnect and go on where it was')])
      : anyOf([advice(`instead of ${name} limit the silence (${instead})`)]),
  })
}

interface IdleLimit {
  readonly name: string
  readonly limit: Sourced<LimitMs>
  readonly ms: number
  readonly heartbeat: Sourced<LimitMs>
  readonly heartbeatMs: number
}

function idleFinding(visit: Visit, { name, limit, ms, heartbeat, heartbeatMs }: IdleLimit): Diagnostic {
  const { call } = visit
  const shorter = changeLimit('heartbeat', heartbeat, ms / 2)
  return findingAt(visit, {
    rule: 'stream-limit',
    severity: 'warning',
    message: `${call.to.value} shows life every ${formatDuration(heartbeatMs)}, but ${name} cuts it off after ${formatDuration(ms)} of silence`,
    arithmetic: `${formatDuration(ms)} < ${formatDuration(heartbeatMs)}`,
    why: 'A quiet stream is taken for a dead one between two heartbeats.',
    spot: limit.origin.spot,
    label: 'the longest silence',
    related: [{ spot: heartbeat.origin.spot, label: 'the heartbeat' }],
    values: { boundMs: ms, heartbeatMs },
    factors: [...limitFactor(name, limit), ...limitFactor('heartbeat', heartbeat)],
    suggestion: limit.fixed
      ? anyOf([shorter && { ...shorter, text: `${shorter.text} (two in each ${formatDuration(ms)})` }])
      : anyOf([
          {
            ...(changeLimit(name, limit, heartbeatMs * 2) ?? advice(`a longer ${name}`)),
            text: `${name} ${formatDuration(ms)} -> ${formatDuration(heartbeatMs * 2)} (two heartbeats), or a heartbeat shorter than ${formatDuration(ms)}`,
          },
        ]),
  })
}

/** A stream has a total limit, or is cut off between two heartbeats. */
export const streamLimit: Rule = {
  id: 'stream-limit',
  severity: 'warning',
  summary: 'a total limit on a stream, or a silence limit shorter than its heartbeat',
  check,
}
