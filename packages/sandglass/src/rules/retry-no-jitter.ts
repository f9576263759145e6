import { formatDuration } from '@sandglass/runtime/core'
import type { Call } from '../model/chain.js'
import { advice, anyOf, changeWord } from '../model/change.js'
import type { Diagnostic, Factor, Suggestion } from '../model/diagnostic.js'
import { factor, missingFactor } from '../model/factors.js'
import { countText, isByItself, retriesOf } from '../model/retrying.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { Spot } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

type Together = 'at-once' | 'no-jitter'

function togetherOf({ backoff }: Call): Together | null {
  if (!backoff) return 'at-once'
  if (backoff.kind === 'list') return backoff.largestMs.value.every((ms) => ms === 0) ? 'at-once' : null
  const base = backoff.baseMs.value
  if (base === 'unknown' || backoff.maxMs?.value === 'unknown') return null
  if (base === 'none' || base === 0 || backoff.maxMs?.value === 0) return 'at-once'
  return backoff.jitter.value === 'none' ? 'no-jitter' : null
}

/** The time that is left of the total when every try uses its whole bound: what a back-off may take. */
function spareMs({ call, own }: Visit): number | null {
  const total = call.timeoutMs?.value
  if (typeof total !== 'number' || own.tries.state !== 'bounded' || total <= own.tries.ms) return null
  return total - own.tries.ms
}

function suggest(visit: Visit): Suggestion | null {
  const { backoff, attempts } = visit.call
  if (backoff?.kind === 'law' && backoff.jitter.value === 'none') return anyOf([changeWord('jitter', backoff.jitter, 'full')])
  const spare = spareMs(visit)
  if (spare === null || typeof attempts.value !== 'number')
    return anyOf([advice('add a back-off with jitter: full, short enough that all attempts still fit')])
  const baseMs = Math.floor(spare / (2 ** (attempts.value - 1) - 1))
  return baseMs < 1
    ? null
    : anyOf([
        advice(
          `add backoff: { base: up to ${formatDuration(baseMs)}, jitter: full }: ${formatDuration(spare)} of the timeout is left for it`,
        ),
      ])
}

function spotOf(call: Call): Spot {
  if (call.backoff?.kind === 'law')
    return call.backoff.jitter.origin.kind === 'declared' ? call.backoff.jitter.origin.spot : call.backoff.baseMs.origin.spot
  return call.backoff ? call.backoff.largestMs.origin.spot : call.attempts.origin.spot
}

function factorsOf(call: Call): Factor[] {
  const { backoff } = call
  const attempts = factor('attempts', call.attempts, 'count')
  if (!backoff) return [attempts, missingFactor('backoff', call)]
  if (backoff.kind === 'law') return [attempts, factor('backoff.base', backoff.baseMs, 'ms'), factor('jitter', backoff.jitter, 'text')]
  return [attempts, { name: 'backoff', value: backoff.largestMs.value.join(', '), unit: 'text', origin: backoff.largestMs.origin }]
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).retried) {
    if (isByItself(visit.call)) continue
    const { call } = visit
    const attempts = retriesOf(call)
    const together = attempts === null ? null : togetherOf(call)
    if (attempts === null || !together) continue
    yield findingAt(visit, {
      rule: 'retry-no-jitter',
      severity: 'warning',
      message:
        together === 'at-once'
          ? `retries of ${call.to.value} follow at once, without back-off`
          : `retries of ${call.to.value} all wait the same time, without jitter`,
      arithmetic: `${countText(attempts)} attempts, ${together === 'at-once' ? 'no wait between them' : 'every caller waits alike'}`,
      why: 'Callers that failed together come back together and knock over what was just recovering.',
      spot: spotOf(call),
      label: together === 'at-once' ? 'retries at once' : 'the same wait for everyone',
      values: { attempts: Number.isFinite(attempts) ? attempts : null },
      factors: factorsOf(call),
      suggestion: suggest(visit),
    })
  }
}

/** Retries with no back-off, or with one that is the same for everyone. */
export const retryNoJitter: Rule = {
  id: 'retry-no-jitter',
  severity: 'warning',
  summary: 'everyone comes back at the same time',
  check,
}
