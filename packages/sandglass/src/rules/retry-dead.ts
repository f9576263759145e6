import { formatDuration } from '@sandglass/runtime/core'
import { boundMs, retriesTimeouts } from '../model/arithmetic.js'
import { advice, anyOf, type Change } from '../model/change.js'
import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { boundFactors } from '../model/factors.js'
import { countText, isOwnReconnecting, retriesOf } from '../model/retrying.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

/** Why a slow answer of a call is never retried. */
type Dead = 'only-timeouts' | 'attempt-is-total' | 'not-retried-on-timeout' | 'no-attempt-bound'

function deadOf({ call, own, bound }: Visit): Dead | null {
  if (retriesOf(call) === null || bound.state !== 'bounded' || own.attempt.state === 'unknown') return null
  const repeats = retriesTimeouts(call)
  if (own.attempt.state === 'bounded') {
    if (repeats) return null
    const total = call.timeoutMs?.value
    return total === undefined || total === 'none' ? 'attempt-is-total' : 'not-retried-on-timeout'
  }
  if (!repeats) return 'not-retried-on-timeout'
  return call.retryOn?.value.every((cause) => cause === 'timeout') ? 'only-timeouts' : 'no-attempt-bound'
}

const severityOf: Readonly<Record<Dead, Severity>> = {
  'only-timeouts': 'warning',
  'attempt-is-total': 'warning',
  'not-retried-on-timeout': 'info',
  'no-attempt-bound': 'info',
}

function sentence(dead: Dead, visit: Visit): string {
  const { call } = visit
  const to = call.to.value
  const boundText = formatDuration(boundMs(visit.bound) ?? 0)
  const times = countText(retriesOf(call) ?? 1)
  const on = call.retryOn?.value.join(', ')
  switch (dead) {
    case 'only-timeouts':
      return `the retries of ${to} can never happen: only timeouts are retried, and a slow first attempt uses the whole ${boundText}`
    case 'attempt-is-total':
      return `the attempt limit of ${to} acts as the timeout of the whole call: a slow answer ends after ${boundText} with 0 retries, because retryOn (${on}) does not include timeout`
    case 'not-retried-on-timeout':
      return `slow answers of ${to} are not retried: of ${times} attempts 1 is made and ends after ${boundText}, because retryOn (${on}) does not include timeout`
    case 'no-attempt-bound':
      return `slow answers of ${to} are not retried: the first of ${times} attempts may use the whole ${boundText}; only fast failures are retried`
  }
}

function changeOf(dead: Dead, visit: Visit): Change {
  const { call } = visit
  const attempts = retriesOf(call) ?? 1
  const totalMs = boundMs(visit.bound) ?? 0
  if (dead === 'only-timeouts' || dead === 'no-attempt-bound') {
    if (!Number.isFinite(attempts)) return advice('give each attempt a bound of its own, or set attempts 1')
    return advice(
      `add attempt: ${formatDuration(Math.floor(totalMs / attempts))} (${formatDuration(totalMs)} / ${attempts}, less any back-off), or set attempts ${attempts} -> 1`,
    )
  }
  return advice('add timeout to retryOn if a slow answer is to be tried again, and give the call a total for all attempts')
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).retried) {
    if (isOwnReconnecting(visit.call)) continue
    const dead = deadOf(visit)
    if (!dead) continue
    const { call } = visit
    const spot = (dead === 'no-attempt-bound' ? call.attempts : (call.retryOn ?? call.attempts)).origin.spot
    yield findingAt(visit, {
      rule: 'retry-dead',
      severity: severityOf[dead],
      message: sentence(dead, visit),
      arithmetic: `a slow answer: 1 attempt, 0 retries, ${formatDuration(boundMs(visit.bound) ?? 0)}`,
      why: 'What is configured looks like protection against slow answers, and is none.',
      spot,
      label: dead === 'no-attempt-bound' ? 'no attempt has a bound of its own' : 'what is retried',
      related: call.attemptMs
        ? [{ spot: call.attemptMs.origin.spot, label: 'ends the call' }]
        : call.timeoutMs
          ? [{ spot: call.timeoutMs.origin.spot, label: 'the first attempt may use all of it' }]
          : [],
      values: { attempts: Number.isFinite(retriesOf(call)) ? retriesOf(call) : null, retriesOnSlow: 0, boundMs: boundMs(visit.bound) },
      factors: [
        ...boundFactors(call),
        ...(call.retryOn
          ? [{ name: 'retryOn', value: call.retryOn.value.join(', '), unit: 'text' as const, origin: call.retryOn.origin }]
          : []),
      ],
      suggestion: anyOf([changeOf(dead, visit)]),
    })
  }
}

/** Retries that are configured and cannot happen when the callee is slow. */
export const retryDead: Rule = {
  id: 'retry-dead',
  severity: 'warning',
  summary: 'retries are configured that can never happen',
  check,
}
