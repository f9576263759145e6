import { mayRetry } from '@sandglass/runtime/core'
import { advice, anyOf, changeCount } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { countText, retriesOf } from '../model/retrying.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'

/** True where only failures are retried after which nothing was sent. */
function onlyBeforeSending({ call }: Visit): boolean {
  return call.retryOn?.value.every((cause) => cause === 'connect') ?? false
}

function isUnsafe(visit: Visit): boolean {
  const { call } = visit
  if (retriesOf(call) === null || !call.callee || onlyBeforeSending(visit)) return false
  return !mayRetry(call.callee.does.value, { idempotencyKey: call.idempotencyKey.value })
}

const why: Readonly<Record<string, string>> = {
  'write': 'A try that timed out may have happened; doing it again writes a second time.',
  'manual': 'People act on it; a repetition reaches them as a second order.',
  'external-effect': 'A third party may have acted already; without a key it honours, it acts again.',
  'idempotent-write': 'It is only the same write when it carries the same key.',
  'compensation': 'A correction that runs twice without its key corrects too much.',
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of view.perCall) {
    const { call } = visit
    if (!isUnsafe(visit) || !call.callee) continue
    const { does } = call.callee
    const guessed = does.origin.kind === 'default'
    const keyHelps = does.value !== 'write' && does.value !== 'manual'
    const times = countText(retriesOf(call) ?? 1)
    yield findingAt(visit, {
      rule: 'retry-unsafe',
      severity: guessed ? 'warning' : 'error',
      message: guessed
        ? `${call.to.value} is tried up to ${times} times, and nobody says that it may be repeated (it is taken for a write)`
        : `${call.to.value} is tried up to ${times} times, but it is ${article(does.value)} ${does.value}${keyHelps ? ' and carries no idempotency key' : ''}`,
      arithmetic: `${times} attempts, at most 1 is safe`,
      why: why[does.value] ?? '',
      spot: call.attempts.origin.spot,
      label: 'may happen so often',
      related: [{ spot: guessed ? call.callee.spot : does.origin.spot, label: guessed ? 'does not say what it does' : 'what it does' }],
      values: { attempts: call.attempts.value === 'none' ? null : Number(call.attempts.value), does: does.value },
      factors: [factor('attempts', call.attempts, 'count'), factor(`${call.to.value} does`, does, 'text'), factor('idempotencyKey', call.idempotencyKey, 'text')],
      suggestion: anyOf([
        changeCount('attempts', call.attempts, 1),
        keyHelps ? advice('send the same key with every try, have the callee honour it, and say idempotencyKey: true') : null,
        guessed ? advice(`say what ${call.to.value} does (does: read, idempotent-write …)`) : null,
      ]),
    })
  }
}

function article(does: string): string {
  return /^[aeiou]/.test(does) ? 'an' : 'a'
}

/** Repeats what must not be repeated. */
export const retryUnsafe: Rule = {
  id: 'retry-unsafe',
  severity: 'error',
  summary: 'something is repeated that must not be repeated',
  check,
}
