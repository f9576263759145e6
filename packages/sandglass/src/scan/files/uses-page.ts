import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import { isGivenToPage } from './given-to-page.js'

const PAGE =
  /\b(window|document|localStorage|sessionStorage|navigator|chrome|self|indexedDB|location)\s*(\?\.|[.[])|[=(,]\s*(window|self)\b/
const PAGE_NAMES: ReadonlySet<string> = new Set([
  'window',
  'document',
  'localStorage',
  'sessionStorage',
  'navigator',
  'chrome',
  'self',
  'indexedDB',
  'location',
])

/** `document.title`, where `document` is no name of the module's own, as every other program has one; `(function (w) { … })(window)`. */
export function usesPage(module: Module): boolean {
  if (!PAGE.test(module.source.text)) return false
  let found = false
  walk(module.program, (node) => {
    found ||= pageNamesIn(node).some((name) => isGlobalName(name, node, module))
    return !found && !isGivenToPage(node)
  })
  return found
}

/** `declare const self: SharedWorkerGlobalScope` only says of what kind the global one is. */
function isGlobalName(name: string, node: Node, module: Module): boolean {
  const binding = lookUp(name, scopeAt(node, module))?.binding
  return !binding || (binding.kind === 'opaque' && 'declare' in binding.node && binding.node.declare === true)
}

function pageNamesIn(node: Node): readonly string[] {
  if (node.type === 'MemberExpression')
    return node.object.type === 'Identifier' && PAGE_NAMES.has(node.object.name) ? [node.object.name] : []
  const isWindow = (each: Node | null) => each?.type === 'Identifier' && each.name === 'window'
  if (node.type === 'CallExpression') return node.arguments.some(isWindow) ? ['window'] : []
  if (node.type !== 'VariableDeclarator' || !node.init) return []
  const init = bare(node.init)
  if (init.type !== 'Identifier') return []
  return init.name === 'self' || (init.name === 'window' && node.id.type === 'ObjectPattern') ? [init.name] : []
}
