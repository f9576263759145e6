import { formatDuration } from '@sandglass/runtime/core'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { limitFactor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { tailFactor, tailOf } from './measure/tail.js'

/** A timeout of a person's own choice that nobody explains: no `basis`, and not 1.5 to 2 x p99, which explains itself. */
function unexplainedMs({ call }: Visit): number | null {
  const { timeoutMs } = call
  if (!timeoutMs || typeof timeoutMs.value !== 'number' || timeoutMs.origin.kind !== 'declared' || timeoutMs.fixed) return null
  if (call.basis && call.basis.value.trim() !== '') return null
  const tail = tailOf(call.callee)
  const isFromTail = tail !== null && !exceeds(1.5 * tail.p99Ms, timeoutMs.value) && !exceeds(timeoutMs.value, 2 * tail.p99Ms)
  return isFromTail ? null : timeoutMs.value
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of view.perCall.filter((each) => unexplainedMs(each) !== null)) {
    const boundMs = unexplainedMs(visit)
    const { call } = visit
    if (boundMs === null || !call.timeoutMs) continue
    const tail = tailOf(call.callee)
    const usual = tail
      ? `, and it is not 1.5 to 2 times the p99 (${formatDuration(1.5 * tail.p99Ms)} to ${formatDuration(2 * tail.p99Ms)})`
      : ''
    yield findingAt(visit, {
      rule: 'no-basis',
      severity: 'info',
      message: `nobody wrote down why ${call.to.value} gets ${formatDuration(boundMs)}${usual}`,
      why: 'Who has to change it later cannot know what it was made for, and changes it by feeling.',
      spot: call.timeoutMs.origin.spot,
      label: 'why this value?',
      related: tail ? [{ spot: tail.law.origin.spot, label: 'how long answers take' }] : [],
      values: { boundMs, p99Ms: tail?.p99Ms ?? null },
      factors: [...limitFactor('timeout', call.timeoutMs), ...(tail && call.callee ? [tailFactor(call.callee, tail)] : [])],
      suggestion: anyOf([advice('add basis: in words where it comes from, or let "sandglass plan --write" derive it')]),
    })
  }
}

/** A timeout without a reason. */
export const noBasis: Rule = { id: 'no-basis', severity: 'info', summary: 'nobody wrote why this value', check }
