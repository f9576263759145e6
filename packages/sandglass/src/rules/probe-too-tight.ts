import { earliestBound, formatDuration } from '@sandglass/runtime/core'
import { boundMs, isLeaf, requestLimit } from '../model/arithmetic.js'
import type { Probe, Service } from '../model/chain.js'
import { advice, anyOf, type Change, changeLimit } from '../model/change.js'
import type { Diagnostic, Factor, Suggestion } from '../model/diagnostic.js'
import { boundFactors, factor, limitFactor } from '../model/factors.js'
import { probedOperation } from '../model/probed-operation.js'
import { type Finding, findingAt, findingIn, type Rule } from '../model/rule.js'
import type { Arrival, Visit } from '../model/situations.js'
import type { View } from '../model/view.js'

/** The longest call of the check: what hangs when a dependency is slow. */
function longestCall(view: View, arrival: Arrival): Visit | null {
  let longest: Visit | null = null
  for (const visit of view.visitsIn(arrival)) {
    const ms = visit.call.async.value ? null : boundMs(visit.bound)
    if (ms !== null && ms > (longest ? (boundMs(longest.bound) ?? 0) : -1)) longest = visit
  }
  return longest
}

/** When an instance is out after its dependency turned slow: (failures - 1) x period + timeout … failures x period + timeout. */
function outWindow(probe: Probe, timeoutMs: number): { fromMs: number; toMs: number } | null {
  const periodMs = probe.periodMs?.value
  const failures = probe.failures?.value
  if (typeof periodMs !== 'number' || failures === undefined) return null
  return { fromMs: (failures - 1) * periodMs + timeoutMs, toMs: failures * periodMs + timeoutMs }
}

/** "21 to 31 s", or with both units where they differ. */
function range(fromMs: number, toMs: number): string {
  const from = formatDuration(fromMs)
  const to = formatDuration(toMs)
  const unit = / (ms|s)$/.exec(to)
  return unit && from.endsWith(unit[0]) ? `${from.slice(0, -unit[0].length)} to ${to}` : `${from} to ${to}`
}

function whenOut(probe: Probe, timeoutMs: number): string {
  const out = outWindow(probe, timeoutMs)
  if (out) return `${range(out.fromMs, out.toMs)} after it starts`
  const missing = [
    probe.periodMs?.value === undefined || typeof probe.periodMs.value !== 'number' ? 'period' : null,
    probe.failures ? null : 'failures',
  ].filter((name) => name !== null)
  return `after some probes (how long that takes cannot be said: ${missing.join(' and ')} of the probe ${missing.length > 1 ? 'are' : 'is'} not written)`
}

function victims(service: Service): string {
  const instances = service.instances
  if (typeof instances.value !== 'number' || instances.origin.kind === 'default') return 'every instance'
  return `${instances.value} of ${instances.value} instances`
}

function shorterCheck(visit: Visit | null, probeMs: number, checkMs: number): Change | null {
  if (!visit) return null
  const own = boundMs(visit.bound) ?? 0
  const leftMs = probeMs - (checkMs - own)
  const margin =
    typeof visit.call.reserveMs.value === 'number'
      ? visit.call.reserveMs.value + (typeof visit.call.networkMs.value === 'number' ? visit.call.networkMs.value : 0)
      : 0
  if (leftMs <= 0) return null
  const change = margin > 0 ? changeLimit('timeout', visit.call.timeoutMs, leftMs - margin) : null
  return (
    change ?? (visit.call.timeoutMs?.fixed ? null : advice(`the call to ${visit.call.to.value} to less than ${formatDuration(leftMs)}`))
  )
}

function suggest(visit: Visit | null, probe: Probe, probeMs: number, checkMs: number): Suggestion | null {
  const longer = probe.timeoutMs?.fixed
    ? null
    : advice(`the probe's timeout ${formatDuration(probeMs)} -> more than ${formatDuration(checkMs)}`)
  return anyOf([shorterCheck(visit, probeMs, checkMs), longer, advice('leave what all instances share out of the check')])
}

function factorsOf(service: Service, probe: Probe, visit: Visit | null): Factor[] {
  return [
    ...limitFactor('probe.timeout', probe.timeoutMs),
    ...limitFactor('probe.period', probe.periodMs),
    ...(probe.failures ? [factor('probe.failures', probe.failures, 'count')] : []),
    factor('instances', service.instances, 'count'),
    ...(visit ? boundFactors(visit.call).map((part) => ({ ...part, name: `${visit.call.to.value} ${part.name}` })) : []),
  ]
}

function findingOf(view: View, service: Service, probe: Probe, arrival: Arrival, probeMs: number, checkMs: number): Diagnostic {
  const visit = longestCall(view, arrival)
  const slow = visit ? visit.call.to.value : 'a dependency'
  const out = outWindow(probe, probeMs)
  const { instances } = service
  const finding: Finding = {
    rule: 'probe-too-tight',
    severity: 'error',
    message: `the probe of ${service.name} waits ${formatDuration(probeMs)}, its check may take ${formatDuration(checkMs)}: a slow ${slow} takes out ${victims(service)} ${whenOut(probe, probeMs)}`,
    arithmetic: `check ${formatDuration(checkMs)} >= probe ${formatDuration(probeMs)}${out && probe.failures ? `; ${probe.failures.value - 1} to ${probe.failures.value} periods + ${formatDuration(probeMs)} = ${range(out.fromMs, out.toMs)}` : ''}`,
    why: 'Every instance asks the same dependency, so a slow one fails all probes at once and nothing is left to serve what would still work.',
    spot: (probe.timeoutMs ?? { origin: { spot: probe.spot } }).origin.spot,
    label: 'the probe waits so long',
    related: visit
      ? [
          {
            spot: (visit.call.timeoutMs ?? visit.call.attemptMs ?? visit.call.silenceMs ?? visit.call.to).origin.spot,
            label: 'the check may wait so long',
          },
        ]
      : [],
    values: {
      checkMs,
      probeTimeoutMs: probeMs,
      instances: typeof instances.value === 'number' ? instances.value : null,
      outFromMs: out?.fromMs ?? null,
      outToMs: out?.toMs ?? null,
    },
    factors: factorsOf(service, probe, visit),
    suggestion: suggest(visit, probe, probeMs, checkMs),
  }
  return visit ? findingAt(visit, finding) : findingIn(arrival, finding)
}

function* check(view: View): Iterable<Diagnostic> {
  for (const service of view.chain.services.values()) {
    const { probe } = service
    const probeMs = probe?.timeoutMs?.value
    const operation = probedOperation(service)
    if (!probe || typeof probeMs !== 'number' || !operation || isLeaf(operation)) continue
    const arrival = view.situations.arrivals.get(operation)?.[0]
    if (!arrival) continue
    const checkMs = boundMs(earliestBound(view.worst(arrival), requestLimit(operation)))
    if (checkMs !== null && checkMs >= probeMs) yield findingOf(view, service, probe, arrival, probeMs, checkMs)
  }
}

/** A health check that may take longer than its probe waits. */
export const probeTooTight: Rule = {
  id: 'probe-too-tight',
  severity: 'error',
  summary: 'a slow shared dependency takes every instance out',
  check,
}
