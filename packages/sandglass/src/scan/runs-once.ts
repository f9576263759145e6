import type { FunctionUses } from './guards/function-uses.js'
import type { Module } from './syntax/module.js'
import type { FunctionNode } from './syntax/scope.js'
import { functionAround } from './terms/evaluator.js'

/** True for code that runs when its module is loaded, and never again: what is at the top, and functions that only such code calls. */
export function runsOnce(of: FunctionNode | null, module: Module, uses: FunctionUses, depth = 0): boolean {
  if (of === null) return true
  if (depth > 4) return false
  const above = of.parent
  const isCalledInPlace = (above?.type === 'CallExpression' || above?.type === 'ParenthesizedExpression') && isCallee(of)
  if (isCalledInPlace) return runsOnce(functionAround(of), module, uses, depth + 1)
  if (isExported(of, module) || uses.handedOver(of).length > 0) return false
  const callers = uses.callersOf(of)
  return callers.length > 0 && callers.every((caller) => runsOnce(functionAround(caller.node), caller.module, uses, depth + 1))
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
