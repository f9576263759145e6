import type { Node } from 'oxc-parser'
import type { FunctionUses } from '../guards/function-uses.js'
import { keyName } from '../syntax/declare.js'
import type { Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { functionAround } from '../terms/evaluator.js'

/** What calls a function it is given at once, or when the promise it belongs to settles. */
const AT_ONCE = /^(map|flatMap|forEach|filter|reduce|some|every|find|then|catch|finally)$/

/** True for code that runs when its module is loaded, and never again: what is at the top, and functions that only such code calls. */
export function runsOnce(of: FunctionNode | null, module: Module, uses: FunctionUses, depth = 0): boolean {
  if (of === null) return true
  if (depth > 6) return false
  const here = (node: Node, there: Module) => runsOnce(functionAround(node), there, uses, depth + 1)
  const above = of.parent
  const isCalledInPlace = (above?.type === 'CallExpression' || above?.type === 'ParenthesizedExpression') && isCallee(of)
  if (isCalledInPlace) return here(of, module)
  if (isExported(of, module)) return false
  const handed = uses.handedOver(of)
  const callers = uses.callersOf(of)
  if (handed.length + callers.length === 0) return false
  return (
    handed.every(({ node, module: there }) => isCalledAtOnce(node) && here(node, there)) &&
    callers.every((caller) => here(caller.node, caller.module))
  )
}

/** `items.map(f)`, `promise.then(f)`, `new Promise(f)`. */
function isCalledAtOnce(node: Node): boolean {
  if (node.type === 'NewExpression') return node.callee.type === 'Identifier' && node.callee.name === 'Promise'
  const callee = node.type === 'CallExpression' ? node.callee : null
  return callee?.type === 'MemberExpression' && AT_ONCE.test(keyName(callee.property as Node, callee.computed) ?? '')
}

function isCallee(of: FunctionNode): boolean {
  const outer = of.parent?.type === 'ParenthesizedExpression' ? of.parent : of
  const call = outer.parent
  return call?.type === 'CallExpression' && call.callee === outer
}

function isExported(of: FunctionNode, module: Module): boolean {
  const names = of.id
    ? [of.id.name]
    : of.parent?.type === 'VariableDeclarator' && of.parent.id.type === 'Identifier'
      ? [of.parent.id.name]
      : []
  return [...module.exports.values()].some(
    (each) => (each.kind === 'local' && names.includes(each.name)) || (each.kind === 'expression' && each.node === of),
  )
}
