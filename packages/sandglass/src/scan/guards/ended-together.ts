import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { walk } from '../syntax/walk.js'
import { isGlobal } from '../terms/term.js'
import type { Reckoning } from './reckon.js'

/** True for a loop that looks at a clock or asks a signal: `while (Date.now() < end)`, `if (signal.aborted) break`. */
export function isEndedTogether(code: Node, { evaluator, module }: Reckoning): boolean {
  const asksClock = module.calls.some(
    (node) =>
      node.type === 'CallExpression' &&
      node.start >= code.start &&
      node.end <= code.end &&
      ['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint'].some((name) =>
        isGlobal(evaluator.termOf(node.callee, module), name),
      ),
  )
  return asksClock || asksSignal(code)
}

function asksSignal(code: Node): boolean {
  let found = false
  walk(code, (node) => {
    if (node.type === 'MemberExpression' && /^(aborted|throwIfAborted)$/.test(keyName(node.property as Node, node.computed) ?? ''))
      found = true
    return !found
  })
  return found
}
