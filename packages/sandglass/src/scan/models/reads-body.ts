import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { lookUp } from '../syntax/scope.js'
import { outermost } from '../syntax/walk.js'

/** What of an answer came with its headers. */
const OF_HEADERS = /^(ok|status|statusText|headers|url|redirected|type)$/

/** False where all that is asked of an answer came with its headers, so that nobody waits for its body. */
export function readsBody(call: Node, module: Module): boolean {
  const value = outermost(call)
  if (!isAwaited(call, value)) return true
  const { parent: above } = value
  switch (above?.type) {
    case 'ExpressionStatement':
      return false
    case 'MemberExpression':
      return above.object !== value || !isOfHeaders(above)
    case 'VariableDeclarator':
      return above.init !== value || isBodyOf(above.id as Node, module)
    case 'AssignmentExpression':
      return above.right !== value || above.parent?.type !== 'ExpressionStatement' || isBodyOf(above.left as Node, module)
    default:
      return true
  }
}

function isAwaited(call: Node, value: Node): boolean {
  for (let here = call; here !== value && here.parent; here = here.parent) if (here.parent.type === 'AwaitExpression') return true
  return false
}

function isBodyOf(target: Node, module: Module): boolean {
  if (target.type === 'ObjectPattern')
    return !target.properties.every((part) => part.type === 'Property' && OF_HEADERS.test(keyName(part.key as Node, part.computed) ?? ''))
  const name = target.type === 'Identifier' ? lookUp(target.name, scopeAt(target, module)) : null
  if (!name) return true
  return referencesOf(name, module).some((use) => {
    const { parent } = use
    const isTarget = parent?.type === 'AssignmentExpression' && parent.left === use
    return !isTarget && !(parent?.type === 'MemberExpression' && parent.object === use && isOfHeaders(parent))
  })
}

function isOfHeaders(member: Extract<Node, { type: 'MemberExpression' }>): boolean {
  return OF_HEADERS.test(keyName(member.property as Node, member.computed) ?? '')
}
