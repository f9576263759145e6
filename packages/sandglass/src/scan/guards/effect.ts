import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type Module, spotOf } from '../syntax/module.js'
import type { Evaluator } from '../terms/evaluator.js'
import { findProperty } from '../terms/property.js'
import type { Term } from '../terms/term.js'
import type { LimitGuard } from './guard.js'
import { numberOf } from './reckon.js'
import { outsideName } from './wrapping.js'

const TIMEOUT = /^effect(\/Effect)?:(Effect\.)?timeout(Fail|FailCause|Option|To|OrElse)?$/
const NAMED = /time(d)?[-_]?out|deadline/i
const UNITS_MS: Readonly<Record<string, number>> = { milli: 1, second: 1000, minute: 60_000, hour: 3_600_000 }

/** The limits of Effect around a call: `Effect.gen(function* () { … }).pipe(Effect.timeout('5 seconds'))`, and what is called after a timeout there. */
export function guardsOfEffect(call: Node, module: Module, evaluator: Evaluator): readonly LimitGuard[] {
  if (!module.requests.some((request) => /^(effect|@effect\/)/.test(request))) return []
  const guards: LimitGuard[] = []
  for (let here: Node = call, above = call.parent; above; here = above, above = above.parent) {
    if (above.type !== 'CallExpression') continue
    const isPiped = isPipe(above.callee, here) || (above.callee.type === 'Identifier' && above.callee.name === 'pipe')
    const parts = isPiped ? (above.arguments as Node[]).filter((part) => part !== here) : []
    const limits = parts.flatMap((part) => limitOf(part, module, evaluator))
    const own = above.callee === here ? [] : limitOf(above, module, evaluator)
    guards.push(...[...limits, ...own].map((ms) => guardOf(above, ms, here, module)))
  }
  return guards
}

/** `here.pipe(…)`. */
function isPipe(callee: Node, here: Node): boolean {
  return callee === here && callee.type === 'MemberExpression' && keyName(callee.property as Node, callee.computed) === 'pipe'
}

/** When an operator ends what it is put around, in a list; null in it where nobody can tell when. */
function limitOf(operator: Node, module: Module, evaluator: Evaluator): readonly (number | null)[] {
  if (operator.type !== 'CallExpression') return []
  const name = outsideName(evaluator.termOf(operator.callee, module)) ?? ''
  if (TIMEOUT.test(name)) {
    const given = operator.arguments.at(-1)
    return [given && given.type !== 'SpreadElement' ? durationOf(evaluator.termOf(given, module)) : null]
  }
  const { callee } = operator
  const called =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? keyName(callee.property as Node, callee.computed)
        : null
  return called !== null && NAMED.test(called) && called !== 'setTimeout' ? [null] : []
}

/** `500`, `'5 seconds'`, `Duration.seconds(5)`, `{ duration: … }`. */
function durationOf(term: Term): number | null {
  if (term.kind === 'object') {
    const { value, mayBeReplacedBy } = findProperty(term, 'duration')
    return value && mayBeReplacedBy.length === 0 ? durationOf(value) : null
  }
  if (term.kind === 'made') {
    const unit = /^effect(?:\/Duration)?:(?:Duration\.)?(milli|second|minute|hour)s$/.exec(outsideName(term.callee) ?? '')?.[1]
    const count = unit === undefined ? null : numberOf(term.args[0])
    return count === null ? null : count * (UNITS_MS[unit ?? ''] ?? 0)
  }
  if (term.kind === 'constant' && typeof term.value === 'string') {
    const [, count, unit = ''] = /^(\d+(?:\.\d+)?) (milli|second|minute|hour)s?$/.exec(term.value) ?? []
    return count === undefined ? null : Number(count) * (UNITS_MS[unit] ?? 0)
  }
  return numberOf(term)
}

function guardOf(node: Extract<Node, { type: 'CallExpression' }>, ms: number | null, work: Node, module: Module): LimitGuard {
  const spot = spotOf(node, module)
  return {
    kind: 'limit',
    name: 'timeout of Effect',
    ms,
    at: { node, module },
    spot,
    work: spotOf(work, module),
    cancels: true,
    isDefault: false,
    timerLeft: null,
  }
}
