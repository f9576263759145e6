import type { Call, Operation } from '../model/chain.js'
import { advice, anyOf, changeWord } from '../model/change.js'
import type { Diagnostic, Factor, Related } from '../model/diagnostic.js'
import { factor, limitFactor, missingFactor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'

type Lost = 'ignored' | 'async'

function lostAt(call: Call): Lost | null {
  const { callee } = call
  const arrives = call.deadline.value === 'propagate' && callee?.service.deadline.value === 'propagate'
  if (!callee || arrives) return null
  if (call.async.value) return hasOwnEnd(call) ? null : 'async'
  const propagates = call.deadline.value === 'propagate'
  return propagates && callee.calls.length > 0 ? 'ignored' : null
}

/** A task that nobody waits for needs a limit of its own, on the call or in its handler; `unknown` may be one. */
function hasOwnEnd({ timeoutMs, attemptMs, silenceMs, callee }: Call): boolean {
  return [timeoutMs, attemptMs, silenceMs, callee?.limits?.requestMs].some((limit) => limit !== undefined && limit.value !== 'none')
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of view.perCall.filter(({ call }) => lostAt(call))) {
    const { callee } = visit.call
    const lost = lostAt(visit.call)
    if (callee && lost === 'async') yield asyncFinding(visit, callee)
    if (callee && lost === 'ignored') yield ignoredFinding(visit, callee)
  }
}

function ignoredFinding(visit: Visit, callee: Operation): Diagnostic {
  const { call } = visit
  const below = callee.calls.length
  return findingAt(visit, {
    rule: 'deadline-lost',
    severity: 'warning',
    message: `the budget stops at ${call.to.value}: ${callee.service.name} ignores it and makes ${below === 1 ? '1 call' : `${below} calls`} of its own with full limits`,
    why: 'Below it nobody knows how little time is left, or that the caller has given up: work goes on for nobody.',
    ...ignoredAt(call),
    related: callee.service.deadline.origin.kind === 'default' ? [{ spot: callee.spot, label: 'ignores deadlines' }] : [],
    values: { callsBelow: below },
    factors: deadlineFactors(call, callee),
    suggestion: anyOf([propagating(call)]),
  })
}

function asyncFinding(visit: Visit, callee: Operation): Diagnostic {
  const { call } = visit
  return findingAt(visit, {
    rule: 'deadline-lost',
    severity: 'warning',
    message: `the deadline ends at the queue: ${call.to.value} works on for ${call.from.id} without any limit`,
    why: 'Tasks that nobody waits for and nothing ends pile up until something breaks far from here.',
    spot: call.async.origin.spot,
    label: 'nobody waits',
    related: [{ spot: callee.spot, label: 'nothing ends it' }],
    values: { callsBelow: callee.calls.length },
    factors: [
      ...deadlineFactors(call, callee),
      factor('async', call.async, 'text'),
      ...(call.timeoutMs ? limitFactor('timeout', call.timeoutMs) : [missingFactor('timeout', call)]),
    ],
    suggestion: anyOf([advice(`give the task its own end: limits.request on ${call.to.value}, or a timeout on the call`)]),
  })
}

function deadlineFactors(call: Call, callee: Operation): Factor[] {
  return [
    factor(`${call.from.service.name} deadline`, call.deadline, 'text'),
    factor(`${callee.service.name} deadline`, callee.service.deadline, 'text'),
  ]
}

function ignoredAt(call: Call): Related {
  const deadline = call.callee?.service.deadline
  if (deadline?.origin.kind === 'declared') return { spot: deadline.origin.spot, label: 'ignores the budget' }
  return { spot: call.to.origin.spot, label: 'the budget ends here' }
}

function propagating({ callee }: Call): ReturnType<typeof changeWord> {
  const service = callee?.service
  if (service?.deadline.origin.kind === 'declared') return changeWord(`${service.name} deadline`, service.deadline, 'propagate')
  return advice(`let ${service?.name ?? 'the callee'} honour and forward the budget (deadline: propagate)`)
}

/** A budget is handed to a service that ignores it and calls on, or a queue takes a task that nothing ends. */
export const deadlineLost: Rule = { id: 'deadline-lost', severity: 'warning', summary: 'the budget stops here', check }
