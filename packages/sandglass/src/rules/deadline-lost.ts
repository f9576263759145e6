import type { Call } from '../model/chain.js'
import { advice, anyOf, changeWord } from '../model/change.js'
import type { Diagnostic, Related } from '../model/diagnostic.js'
import { factor, limitFactor, missingFactor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
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
  for (const visit of view.perCall) {
    const { call } = visit
    const { callee } = call
    const lost = lostAt(call)
    if (!lost || !callee) continue
    const isAsync = lost === 'async'
    const below = callee.calls.length
    yield findingAt(visit, {
      rule: 'deadline-lost',
      severity: 'warning',
      message: isAsync
        ? `the deadline ends at the queue: ${call.to.value} works on for ${call.from.id} without any limit`
        : `the budget stops at ${call.to.value}: ${callee.service.name} ignores it and makes ${below === 1 ? '1 call' : `${below} calls`} of its own with full limits`,
      why: isAsync
        ? 'Tasks that nobody waits for and nothing ends pile up until something breaks far from here.'
        : 'Below it nobody knows how little time is left, or that the caller has given up: work goes on for nobody.',
      ...placeOf(call, lost),
      related: isAsync || callee.service.deadline.origin.kind === 'default' ? [{ spot: callee.spot, label: 'ignores deadlines' }] : [],
      values: { callsBelow: below },
      factors: [
        factor(`${call.from.service.name} deadline`, call.deadline, 'text'),
        factor(`${callee.service.name} deadline`, callee.service.deadline, 'text'),
        ...(isAsync ? [factor('async', call.async, 'text'), ...(call.timeoutMs ? [] : [missingFactor('timeout', call)]), ...limitFactor('timeout', call.timeoutMs)] : []),
      ],
      suggestion: isAsync
        ? anyOf([advice(`give the task its own end: limits.request on ${call.to.value}, or a timeout on the call`)])
        : anyOf([propagating(call)]),
    })
  }
}

function placeOf(call: Call, lost: Lost): Related {
  const deadline = call.callee?.service.deadline
  if (lost === 'async') return { spot: call.async.origin.spot, label: 'nobody waits' }
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
