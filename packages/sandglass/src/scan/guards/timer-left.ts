import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type CallNode, type Module, scopeAt } from '../syntax/module.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { bare, outermost } from '../syntax/walk.js'

/** True where nothing can stop a timer: its handle is dropped, or kept where no `clearTimeout` and no `unref` is. */
export function isTimerLeft(node: CallNode, module: Module): boolean {
  const outer = outermost(node)
  const above = outer.parent
  switch (above?.type) {
    case 'ExpressionStatement':
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
      return true
    case 'VariableDeclarator':
      return above.id.type === 'Identifier' && !isStopped(lookUp(above.id.name, scopeAt(node, module)), module)
    case 'AssignmentExpression':
      return isLeftIn(above.left as Node, module)
    default:
      // Handed on or `unref`ed at once: somebody took care.
      return false
  }
}

function isLeftIn(left: Node, module: Module): boolean {
  if (left.type === 'Identifier') return !isStopped(lookUp(left.name, scopeAt(left, module)), module)
  if (left.type !== 'MemberExpression') return false
  const name = keyName(left.property as Node, left.computed)
  const isCleared = stopping(module).some((node) => {
    const target = bare(node)
    return target.type === 'MemberExpression' && keyName(target.property as Node, target.computed) === name
  })
  return name !== null && !isCleared
}

function isStopped(name: Declared | null, module: Module): boolean {
  if (!name) return true
  return stopping(module).some((node) => {
    const target = bare(node)
    return target.type === 'Identifier' && lookUp(target.name, scopeAt(target, module)) === name
  })
}

const known = new WeakMap<Module, readonly Node[]>()

/** What is given to `clearTimeout`, `unref` is called on, or is handed to anything else. */
function stopping(module: Module): readonly Node[] {
  const before = known.get(module)
  if (before) return before
  const found = module.calls.flatMap((node): Node[] => {
    if (node.type !== 'CallExpression') return []
    const callee = bare(node.callee)
    const isUnref = callee.type === 'MemberExpression' && keyName(callee.property as Node, callee.computed) === 'unref'
    return [...(node.arguments as Node[]), ...(isUnref ? [callee.object] : [])]
  })
  known.set(module, found)
  return found
}
