import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { walk } from '../syntax/walk.js'
import { isGlobal } from '../terms/term.js'
import type { Site } from './library-model.js'

/** True where a timer of the file calls a member of such a name: whether and when it ends this call nobody can tell. */
export function isEndedByTimer({ at: { module }, evaluator }: Site, names: RegExp): boolean {
  return module.calls.some((call) => {
    if (call.type !== 'CallExpression' || !isGlobal(evaluator.termOf(call.callee, module), 'setTimeout')) return false
    const [given] = call.arguments
    const callback = given && given.type !== 'SpreadElement' ? evaluator.termOf(given as Node, module) : null
    return callback?.kind === 'function' && callsMember(callback.node, names)
  })
}

function callsMember(within: Node, names: RegExp): boolean {
  let found = false
  walk(within, (node) => {
    const callee = node.type === 'CallExpression' ? node.callee : null
    const name = callee?.type === 'MemberExpression' ? keyName(callee.property as Node, callee.computed) : null
    found ||= name !== null && names.test(name)
    return !found
  })
  return found
}
