import type { Caller } from '../scan-view.js'
import type { FunctionNode } from '../syntax/scope.js'
import type { Evaluator } from '../terms/evaluator.js'
import { substitute } from '../terms/substitute.js'
import type { Term } from '../terms/term.js'
import type { CallersOf } from './callers.js'

/** What is called on something that a function gets, and may be a library's: whoever writes no types says no more. */
const METHODS =
  /^(fetch|request|get|post|put|patch|delete|head|query|execute|raw|send|sendMail|call|publish|aggregate|findOne|insertOne|updateOne)$/
/** A function with more callers than this is a helper of everybody, no wrapper of a client. */
const MAX_CALLERS = 20

/** A call of a member of something that a caller hands in: `requestor.request(url)`, once for each caller with what that gives. */
export function handedIn(
  callee: Term,
  args: readonly Term[],
  callersOf: CallersOf,
  evaluator: Evaluator,
): readonly { readonly callee: Term; readonly args: readonly Term[]; readonly caller: Caller }[] {
  const of = owner(callee)
  const callers = of ? callersOf(of) : []
  if (!of || callers.length > MAX_CALLERS) return []
  return callers.map((caller) => {
    const frame = { of, args: caller.args, self: caller.self }
    return { callee: substitute(callee, frame, evaluator), args: args.map((term) => substitute(term, frame, evaluator)), caller }
  })
}

function owner(callee: Term): FunctionNode | null {
  if (callee.kind !== 'member' || !METHODS.test(callee.name) || callee.object.kind !== 'parameter') return null
  const { of, isRest, declaredAs } = callee.object
  return isRest || declaredAs ? null : of
}
