import { type Does, mayRetry } from '@sandglass/runtime/core'
import type { Operation } from '../model/chain.js'
import { advice, anyOf, changeCount } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { countText, retriesOf } from '../model/retrying.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { withArticle } from '../model/with-article.js'
import { notableCalls } from './measure/notable-calls.js'

/** True where only failures are retried after which nothing was sent. */
function onlyBeforeSending({ call }: Visit): boolean {
  return call.retryOn?.value.every((cause) => cause === 'connect') ?? false
}

function isUnsafe(visit: Visit): boolean {
  const { call } = visit
  if (retriesOf(call) === null || !call.callee || onlyBeforeSending(visit)) return false
  return !mayRetry(call.callee.does.value, { idempotencyKey: call.idempotencyKey.value })
}

/** What a key makes safe to repeat. */
function keyHelps(does: Does): boolean {
  return mayRetry(does, { idempotencyKey: true })
}

const why: Readonly<Record<Does, string>> = {
  read: '',
  write: 'A try that timed out may have happened; doing it again writes a second time.',
  manual: 'People act on it; a repetition reaches them as a second order.',
  'external-effect': 'A third party may have acted already; without a key it honours, it acts again.',
  'idempotent-write': 'It is only the same write when it carries the same key.',
  compensation: 'A correction that runs twice without its key corrects too much.',
}

function sentence({ call }: Visit, does: Sourced<Does>): string {
  const often = `${call.to.value} is tried up to ${countText(retriesOf(call) ?? 1)} times`
  if (does.origin.kind === 'default') return `${often}, and nobody says that it may be repeated (it is taken for a write)`
  return `${often}, but it is ${withArticle(does.value)}${keyHelps(does.value) ? ' and carries no idempotency key' : ''}`
}

function suggest({ call }: Visit, does: Sourced<Does>): Suggestion | null {
  return anyOf([
    changeCount('attempts', call.attempts, 1),
    keyHelps(does.value) ? advice('send the same key with every try, have the callee honour it, and say idempotencyKey: true') : null,
    does.origin.kind === 'default' ? advice(`say what ${call.to.value} does (does: read, idempotent-write …)`) : null,
  ])
}

function finding(visit: Visit, callee: Operation): Diagnostic {
  const { call } = visit
  const { does } = callee
  const guessed = does.origin.kind === 'default'
  return findingAt(visit, {
    rule: 'retry-unsafe',
    severity: guessed ? 'warning' : 'error',
    message: sentence(visit, does),
    arithmetic: `${countText(retriesOf(call) ?? 1)} attempts, at most 1 is safe`,
    why: why[does.value],
    spot: call.attempts.origin.spot,
    label: 'may happen so often',
    related: [{ spot: guessed ? callee.spot : does.origin.spot, label: guessed ? 'does not say what it does' : 'what it does' }],
    values: { attempts: call.attempts.value === 'none' ? null : Number(call.attempts.value), does: does.value },
    factors: [
      factor('attempts', call.attempts, 'count'),
      factor(`${call.to.value} does`, does, 'text'),
      factor('idempotencyKey', call.idempotencyKey, 'text'),
    ],
    suggestion: suggest(visit, does),
  })
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).retried.filter(isUnsafe)) if (visit.call.callee) yield finding(visit, visit.call.callee)
}

/** Repeats what must not be repeated. */
export const retryUnsafe: Rule = {
  id: 'retry-unsafe',
  severity: 'error',
  summary: 'something is repeated that must not be repeated',
  check,
}
