import type { Node } from 'oxc-parser'
import type { LimitState } from '../limits/limit-state.js'
import { isFunctionNode } from '../syntax/scope.js'
import { identityOf, isGlobal } from '../terms/term.js'
import type { Site } from './library-model.js'

const BODY = /^(json|text|arrayBuffer|blob|formData|bytes|getReader|pipe|pipeThrough)$/

/** A timer that aborts ends the whole call only where it still runs while the body is read; cleared at the headers it ends the wait for those. */
export function untilCleared(site: Site, limit: LimitState): LimitState {
  if (limit.state !== 'written' || limit.name !== 'setTimeout and abort') return limit
  const around = functionAround(site.node)
  const clear = around && clearedAt(site, limit.origin.spot.start)
  if (!around || !clear || clear.start < around.start || clear.end > around.end) return limit
  const bodyAt = site.at.module.calls.find((call) => call.start >= site.node.start && call.end <= around.end && isBodyRead(call))
  const isWholeTry = bodyAt !== undefined && triedWith(clear, bodyAt)
  return isWholeTry || (bodyAt && bodyAt.end <= clear.start) ? limit : { ...limit, kind: 'headers' }
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
