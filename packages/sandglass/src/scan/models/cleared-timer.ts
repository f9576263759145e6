import type { Node } from 'oxc-parser'
import type { LimitState } from '../limits/limit-state.js'
import { isFunctionNode } from '../syntax/scope.js'
import { outermost, walk } from '../syntax/walk.js'
import { identityOf, isGlobal } from '../terms/term.js'
import type { Site } from './library-model.js'

const BODY = /^(json|text|buffer|arrayBuffer|blob|formData|bytes|getReader|pipe|pipeThrough)$/

/** Where a timer that aborts a call is cleared, and where the body is read that it ends no more; null where nothing reads it there. */
export interface ClearedTimer {
  readonly clear: Node
  readonly bodyAt: Node | null
}

/** A timer that aborts ends the whole call only where it still runs while the body is read; cleared at the headers it ends the wait for those. */
export function untilCleared(site: Site, limit: LimitState): LimitState {
  return limit.state === 'written' && clearedEarly(site, limit) ? { ...limit, kind: 'headers' } : limit
}

/** How a limit's timer is cleared before the body is read; null where it runs on, or the limit is no such timer. */
export function clearedEarly(site: Site, limit: LimitState): ClearedTimer | null {
  if (limit.state !== 'written' || limit.name !== 'setTimeout and abort') return null
  const around = functionAround(site.node)
  const clear = around && clearedAt(site, limit.origin.spot.start)
  if (!around || !clear || clear.start < around.start || clear.end > around.end) return null
  const bodyAt = site.at.module.calls.find((call) => call.end > site.node.end && call.end <= around.end && isBodyRead(call))
  if (bodyAt && (triedWith(clear, bodyAt) || bodyAt.end <= clear.start)) return null
  return { clear, bodyAt: bodyAt ?? null }
}

/** True where a function gives away what a call in it answers: `return await fetch(…)`, `return res`. */
export function isReturned(call: Node): boolean {
  const around = functionAround(call)
  const outer = outermost(call).parent?.type === 'AwaitExpression' ? outermost(outermost(call).parent as Node) : outermost(call)
  if (!around || outer.parent?.type === 'ReturnStatement') return around !== null
  const name = outer.parent?.type === 'VariableDeclarator' && outer.parent.id.type === 'Identifier' ? outer.parent.id.name : null
  let found = false
  walk(around, (node) => {
    found ||= node.type === 'ReturnStatement' && node.argument?.type === 'Identifier' && node.argument.name === name
    return !found
  })
  return found
}

function isBodyRead(call: Site['node']): boolean {
  const callee = call.type === 'CallExpression' ? call.callee : null
  return callee?.type === 'MemberExpression' && callee.property.type === 'Identifier' && BODY.test(callee.property.name)
}

function clearedAt({ at, evaluator }: Site, timerStart: number): Node | null {
  const found = at.module.calls.find((call) => {
    if (call.type !== 'CallExpression' || !isGlobal(evaluator.termOf(call.callee, at.module), 'clearTimeout')) return false
    const [first] = call.arguments
    const term = first && first.type !== 'SpreadElement' ? evaluator.termOf(first, at.module) : null
    return term?.kind === 'made' && term.at.node.start === timerStart && identityOf(term) !== null
  })
  return found ?? null
}

/** True where both stand in one `try`, the clearing in its `finally`. */
function triedWith(clear: Node, body: Node): boolean {
  for (let here = clear.parent, below: Node = clear; here; below = here, here = here.parent) {
    if (here.type === 'TryStatement' && here.finalizer === below) return body.start >= here.block.start && body.end <= here.block.end
  }
  return false
}

function functionAround(node: Node): Node | null {
  for (let here = node.parent; here; here = here.parent) if (isFunctionNode(here)) return here
  return null
}
