import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { lookUp } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'

const MAY_HAVE = /\bWebSocketPair\b|\bHTMLRewriter\b|\bcaches\s*\.\s*default\b|\.\s*webSocket\b|\baddEventListener\(\s*['"]fetch['"]/
/** What asks first whether it has them runs without them, too. */
const ASKS = /\btypeof\s+(WebSocketPair|HTMLRewriter|caches)\b/
/** Classes that Cloudflare gives to all files, and nothing else does. */
const CLASSES: ReadonlySet<string> = new Set(['WebSocketPair', 'HTMLRewriter'])

/** True for a module that uses what only a Worker of Cloudflare has: `new WebSocketPair()`, `(await fetch(url)).webSocket`, `addEventListener('fetch', …)`. */
export function hasNamesOfWorkers(module: Module): boolean {
  const { text } = module.source
  if (!MAY_HAVE.test(text) || ASKS.test(text)) return false
  let found = false
  walk(module.program, (node) => {
    found ||= isOfWorkers(node, module)
    return !found
  })
  return found
}

function isOfWorkers(node: Node, module: Module): boolean {
  switch (node.type) {
    case 'NewExpression':
      return isGlobal(node.callee, module) && CLASSES.has(node.callee.name)
    case 'CallExpression':
      return isGlobal(node.callee, module) && node.callee.name === 'addEventListener' && isText(node.arguments[0] as Node, 'fetch')
    case 'MemberExpression': {
      if (node.computed || node.property.type !== 'Identifier') return false
      const { name } = node.property
      if (name === 'default') return isGlobal(node.object, module) && node.object.name === 'caches'
      return name === 'webSocket' && isFetched(node.object, module)
    }
    default:
      return false
  }
}

/** What a `fetch` gave, be it under a name. */
function isFetched(node: Node, module: Module): boolean {
  const value = bare(node)
  if (value.type === 'CallExpression') return isGlobal(value.callee, module) && value.callee.name === 'fetch'
  const binding = value.type === 'Identifier' ? lookUp(value.name, scopeAt(value, module))?.binding : undefined
  return binding?.kind === 'value' && binding.node !== null && bare(binding.node) !== value && isFetched(binding.node, module)
}

function isGlobal(node: Node, module: Module): node is Extract<Node, { type: 'Identifier' }> {
  return node.type === 'Identifier' && !lookUp(node.name, scopeAt(node, module))
}

function isText(node: Node | undefined, text: string): boolean {
  return node?.type === 'Literal' && node.value === text
}
