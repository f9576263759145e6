import type { Node } from 'oxc-parser'
import { calledName } from '../guards/called-name.js'
import type { Module } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { bare, parentOf, walk } from '../syntax/walk.js'
import type { Evaluator } from '../terms/evaluator.js'
import { isGlobal, type Term } from '../terms/term.js'

/** How many functions a call may lead through to the one that ends the process. */
const MAX_DEPTH = 3
/** What a function is called that ends a program. */
const ENDS = /^_*(shut[dD]own|exit|quit|end|stop|terminate|close|graceful)(?![a-z])/
/** The same of what nobody can look into. */
const ENDS_ALL = /^_*(shut[dD]own|exit|graceful(ly)?(Exit|Shut[dD]own))$/
/** Packages that end the process once all is tidied up. */
const EXITS = /^(@[\w-]+\/)?exit-hook$/

/** True for a place after which its function goes on to end the process, whatever else it does: `await shutdown(code)` in the same block, or one around it. */
export function exitsAfterwards(start: number, module: Module, evaluator: Evaluator): boolean {
  const call = module.calls.find((each) => each.start === start)
  for (let here: Node | null = call ?? null; here; here = parentOf(here)) {
    const above = parentOf(here)
    if (!above) return false
    // The function of a `new Promise` runs where that stands.
    if (isFunctionNode(here) && above.type !== 'NewExpression') return false
    const statements = above.type === 'BlockStatement' || above.type === 'Program' ? above.body : []
    const { end } = here
    if (statements.some((each) => each.start >= end && isExit(each, module, evaluator, 0))) return true
  }
  return false
}

/** A statement that calls what ends the process: that itself, or a function that is called after an end and leads to it. */
function isExit(statement: Node, module: Module, evaluator: Evaluator, depth: number): boolean {
  const called = statement.type === 'ExpressionStatement' ? bare(statement.expression) : null
  if (called?.type !== 'CallExpression') return false
  const callee = evaluator.termOf(called.callee, module)
  if (callee.kind !== 'function' && called.callee.type === 'Identifier' && ENDS_ALL.test(called.callee.name)) return true
  return (callee.kind !== 'function' || ENDS.test(calledName(called.callee) ?? '')) && exits(callee, evaluator, depth)
}

function exits(callee: Term, evaluator: Evaluator, depth: number): boolean {
  if (isGlobal(callee, 'process.exit')) return true
  if (callee.kind === 'external') return EXITS.test(callee.package) && callee.path.at(-1) === 'gracefulExit'
  if (callee.kind !== 'function' || depth >= MAX_DEPTH || !callee.node.body) return false
  const { module } = callee
  let found = false
  walk(callee.node.body as Node, (node) => {
    found ||= isExit(node, module, evaluator, depth + 1)
    return !found && !isFunctionNode(node)
  })
  return found
}
