import type { Node } from 'oxc-parser'
import { longestTimerMs } from '../limits/longest-timer.js'
import { settingOf } from '../limits/settings.js'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import { secondsText } from '../seconds-text.js'
import { keyName } from '../syntax/declare.js'
import { type CallNode, type Module, spotOf } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import { isGlobal } from '../terms/term.js'

/** `AbortSignal.timeout` refuses what is more, Node 20 and 24 measured. */
const MOST_SIGNAL_MS = 2 ** 32 - 1

/** A setting that is taken for a limit of the call and limits something else: the models of the libraries find it, here are the timers that end at once. */
export const mistakenLimit: ScanRule = {
  id: 'mistaken-limit',
  severity: 'warning',
  summary: 'a setting that limits something else than it seems to',
  *check({ modules, evaluator }) {
    for (const module of modules) {
      for (const node of module.calls) {
        const limit = node.type === 'CallExpression' ? tooLong(node, module, evaluator) : null
        if (limit) yield scanFinding(findingOf(limit, node, module))
      }
    }
  },
}

interface TooLong {
  readonly name: 'AbortSignal.timeout' | 'setTimeout'
  readonly ms: number
}

/** A limit of which the number, as it is written, is more than a timer holds. */
function tooLong(node: Extract<CallNode, { type: 'CallExpression' }>, module: Module, evaluator: Evaluator): TooLong | null {
  const callee = evaluator.termOf(node.callee, module)
  const name = isGlobal(callee, 'AbortSignal.timeout') ? 'AbortSignal.timeout' : isGlobal(callee, 'setTimeout') ? 'setTimeout' : null
  const given = node.arguments[name === 'setTimeout' ? 1 : 0]
  if (name === null || !given || given.type === 'SpreadElement') return null
  const setting = settingOf(evaluator.termOf(given, module))
  if (setting.state !== 'given' || typeof setting.value !== 'number' || setting.value <= longestTimerMs) return null
  return name === 'setTimeout' && !ends(node) ? null : { name, ms: setting.value }
}

/** What a timer does as a limit: it aborts a controller, cancels a token, or rejects the promise that it is set in. */
function ends({ arguments: [given] }: Extract<CallNode, { type: 'CallExpression' }>): boolean {
  const callback = given && bare(given as Node)
  if (!callback) return false
  const rejecting = rejectingName(callback)
  const isEnding = (callee: Node) =>
    callee.type === 'Identifier'
      ? callee.name === rejecting
      : callee.type === 'MemberExpression' && /^(abort|cancel)$/.test(keyName(callee.property as Node, callee.computed) ?? '')
  if (!isFunctionNode(callback)) return isEnding(callback)
  let found = false
  walk(callback.body ?? callback, (each) => {
    if (each.type === 'CallExpression' && isEnding(bare(each.callee))) found = true
    return !found
  })
  return found
}

/** What rejects the promise around, `new Promise((resolve, reject) => …)`. */
function rejectingName(callback: Node): string | null {
  for (let around = functionAround(callback); around; around = functionAround(around)) {
    const [, reject] = around.params
    if (around.parent?.type === 'NewExpression' && reject?.type === 'Identifier') return reject.name
  }
  return null
}

function findingOf({ name, ms }: TooLong, node: CallNode, module: Module): ScanFinding {
  const isRefused = name === 'AbortSignal.timeout' && (ms > MOST_SIGNAL_MS || !Number.isInteger(ms))
  const effect = isRefused ? 'it throws a RangeError' : 'it ends at once'
  const written = Number.isFinite(ms) ? secondsText(ms) : 'Infinity'
  return {
    rule: 'mistaken-limit',
    severity: 'warning',
    message: `${name} of ${written} is more than a timer can hold: ${effect}`,
    why: `A timer counts to ${longestTimerMs} ms, a little less than 25 days; Node sets one that is longer to 1 ms.`,
    spot: spotOf(node, module),
    label: effect,
    values: { ms },
    suggestion: { text: `at most ${longestTimerMs}, or no limit where none is meant`, edits: [] },
  }
}
