import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type FunctionNode, isFunctionNode } from '../syntax/scope.js'
import { bare, outermost } from '../syntax/walk.js'

/** What calls the function that it is given once something has come, or failed. */
const LISTENS = /^(on|once|addListener|addEventListener|prependListener|then|catch)$/

/** True for a timer that only an event arms, `request.on('error', () => setTimeout(again, 500))`: it is not there before that, unless the work begins there, too. */
export function isAfterEvent(timer: Node, within: FunctionNode, work: Node | null): boolean {
  for (let here = timer.parent; here && here !== within; here = here.parent) {
    if (!isFunctionNode(here) || !isListener(here)) continue
    if (work === null || work.start < here.start || work.end > here.end) return true
  }
  return false
}

function isListener(of: FunctionNode): boolean {
  const given = outermost(of as Node)
  const call = given.parent
  if (call?.type !== 'CallExpression' || call.callee === given) return false
  const callee = bare(call.callee)
  return callee.type === 'MemberExpression' && LISTENS.test(keyName(callee.property as Node, callee.computed) ?? '')
}
