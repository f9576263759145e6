import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { Module } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'

/** What an expression takes out of a package, by the names on the way: `runWith`, `https`, `onCall` of `functions.runWith(…).https.onCall`. */
export interface OutOfPackage {
  readonly request: string
  readonly names: readonly string[]
}

/** What an expression at the top of a module takes out of a package that the module imports or requires; null for anything else. */
export function outOfPackage(expression: Node, { scope }: Module): OutOfPackage | null {
  const names: string[] = []
  let node = expression
  for (;;) {
    if (node.type === 'MemberExpression') {
      const name = keyName(node.property as Node, node.computed)
      if (name === null) return null
      names.unshift(name)
      node = node.object
    } else if (node.type === 'CallExpression' && requestOf(node) === null) node = node.callee
    else break
  }
  const required = requestOf(node)
  if (required !== null) return { request: required, names }
  const binding = node.type === 'Identifier' ? lookUp(node.name, scope)?.binding : undefined
  if (binding?.kind === 'import') {
    const isWhole = binding.name === '*' || binding.name === 'default'
    return { request: binding.request, names: isWhole ? names : [binding.name, ...names] }
  }
  if (binding?.kind !== 'value' || !binding.node) return null
  const request = requestOf(binding.node)
  const steps = binding.steps.flatMap((step) => ('name' in step ? [step.name] : []))
  return request === null || steps.length < binding.steps.length ? null : { request, names: [...steps, ...names] }
}

/** What `require('…')` asks for. */
function requestOf(node: Node): string | null {
  const isRequire = node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require'
  const first = isRequire ? node.arguments[0] : undefined
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null
}
