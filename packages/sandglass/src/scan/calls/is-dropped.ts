import type { Node } from 'oxc-parser'
import type { SeenCall } from '../scan-view.js'
import { keyName } from '../syntax/declare.js'
import { bare, outermost } from '../syntax/walk.js'
import { functionAround } from '../terms/evaluator.js'
import { isLetGo } from './is-let-go.js'
import { isUncaught } from './is-uncaught.js'

/** True for a call of which nobody waits for the end: by what its text says, or because a listener drops its promise. */
export function isDropped({ site, reading }: Pick<SeenCall, 'site' | 'reading'>): boolean {
  if (isLetGo(site.node)) return true
  // Only where a signal could end it a promise is sure to be all that tells its end.
  return /AbortSignal/.test(reading.remedy) && isUncaught(site) && isInListener(site.node)
}

/** `socket.on('close', () => { fetch(url) })`: it cannot wait, and what calls it does not. */
function isInListener(node: Node): boolean {
  const of = functionAround(node)
  const call = of && outermost(of as Node).parent
  if (!of || of.async || call?.type !== 'CallExpression' || call.callee === of || of.body?.type !== 'BlockStatement') return false
  const callee = bare(call.callee)
  return callee.type === 'MemberExpression' && LISTENS.test(keyName(callee.property as Node, callee.computed) ?? '')
}

const LISTENS = /^(on|once|addListener|addEventListener|prependListener)$/
