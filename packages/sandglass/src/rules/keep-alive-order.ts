import { formatDuration } from '@sandglass/runtime/core'
import type { Call, LimitMs, Operation } from '../model/chain.js'
import { advice, anyOf, limitText } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { limitFactor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

/** When a server closes an idle connection: what the operation says, else its service's keep-alive. */
function serverIdle(callee: Operation): Sourced<LimitMs> | undefined {
  return callee.limits?.idleMs ?? callee.service.keepAlive?.idleMs
}

/** The name of what says how long the caller keeps connections. */
function callerSetting({ keepAliveMs }: Call): string {
  return keepAliveMs ? 'keepAlive' : 'upstreamIdle'
}

function suggest(server: Sourced<LimitMs>, caller: Sourced<LimitMs>, call: Call): Suggestion | null {
  const callee = call.callee?.service.name ?? call.to.value
  const longer =
    server.fixed || caller.value === 'none'
      ? null
      : advice(`idle of ${callee} ${limitText(server.value)} -> more than ${limitText(caller.value)}`)
  const shorter = caller.fixed ? null : advice(`${callerSetting(call)} ${limitText(caller.value)} -> less than ${limitText(server.value)}`)
  return anyOf([longer, shorter])
}

function orderOf({ call }: Visit): { server: Sourced<LimitMs>; caller: Sourced<LimitMs>; serverMs: number } | null {
  const server = call.callee ? serverIdle(call.callee) : undefined
  const caller = call.keepAliveMs ?? call.from.service.keepAlive?.upstreamIdleMs
  if (!server || !caller || typeof server.value !== 'number' || caller.value === 'unknown') return null
  const callerMs = caller.value === 'none' ? Number.POSITIVE_INFINITY : caller.value
  return server.value <= callerMs ? { server, caller, serverMs: server.value } : null
}

function* check(view: View): Iterable<Diagnostic> {
  const reported = new Set<string>()
  for (const visit of notableCalls(view).keptAlive) {
    const { call } = visit
    const wrong = orderOf(visit)
    if (!wrong || !call.callee) continue
    const pair = `${call.from.service.name} ${call.callee.service.name}`
    if (reported.has(pair)) continue
    reported.add(pair)
    const { server, caller, serverMs } = wrong
    const callerText = typeof caller.value === 'number' ? formatDuration(caller.value) : 'for ever'
    const name = call.callee.service.name
    yield findingAt(visit, {
      rule: 'keep-alive-order',
      severity: 'error',
      message: `${name} closes idle connections after ${formatDuration(serverMs)}, but ${call.from.service.name} keeps and reuses them ${typeof caller.value === 'number' ? `for ${callerText}` : callerText}`,
      arithmetic: `${name} idle ${formatDuration(serverMs)} <= ${call.from.service.name} ${callerSetting(call)} ${callerText}`,
      why: 'The server closes first, so now and then a request is sent into a connection that is just being closed: random resets.',
      spot: server.origin.spot,
      label: `${name} closes after ${formatDuration(serverMs)}`,
      related: [
        {
          spot: caller.origin.spot,
          label: `${call.from.service.name} reuses ${typeof caller.value === 'number' ? `for ${callerText}` : callerText}`,
        },
      ],
      values: { idleMs: serverMs, upstreamIdleMs: typeof caller.value === 'number' ? caller.value : null },
      factors: [
        ...limitFactor(call.callee.limits?.idleMs ? `${call.callee.id} limits.idle` : `${name} keepAlive.idle`, server),
        ...limitFactor(`${call.from.service.name} ${call.keepAliveMs ? 'keepAlive' : 'keepAlive.upstreamIdle'}`, caller),
      ],
      suggestion: suggest(server, caller, call),
    })
  }
}

/** A server that closes idle connections before the proxy in front stops using them. */
export const keepAliveOrder: Rule = {
  id: 'keep-alive-order',
  severity: 'error',
  summary: 'the server closes idle connections first: random resets',
  check,
}
