import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from './module.js'
import { type Declared, lookUp } from './scope.js'
import { walk } from './walk.js'

type Identifier = Extract<Node, { type: 'Identifier' }>

const known = new WeakMap<Module, ReadonlyMap<Declared, readonly Node[]>>()

/** The places of a module where a name is used; its declaration is none of them, an assignment to it is. */
export function referencesOf(declared: Declared, module: Module): readonly Node[] {
  const before = known.get(module)
  const index = before ?? indexOf(module)
  if (!before) known.set(module, index)
  return index.get(declared) ?? []
}

function indexOf(module: Module): ReadonlyMap<Declared, readonly Node[]> {
  const index = new Map<Declared, Node[]>()
  walk(module.program, (node) => {
    if (node.type !== 'Identifier' || isOnlyAName(node)) return true
    const declared = lookUp(node.name, scopeAt(node, module))
    if (!declared) return true
    const list = index.get(declared) ?? []
    list.push(node)
    index.set(declared, list)
    return true
  })
  return index
}

/** True for what names a member, a key, a declaration or a label, and uses nothing. */
function isOnlyAName(node: Identifier): boolean {
  const above = node.parent
  switch (above?.type) {
    case 'MemberExpression':
      return above.property === node && !above.computed
    case 'Property':
      return (above.key === node && !above.computed) || isPattern(above.parent)
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return above.key === node && !above.computed
    case 'VariableDeclarator':
      return above.id === node
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return above.body !== node
    case 'AssignmentPattern':
      return above.left === node
    default:
      return NAMES.has(above?.type ?? '')
  }
}

function isPattern(node: Node | null | undefined): boolean {
  return node?.type === 'ObjectPattern'
}

const NAMES: ReadonlySet<string> = new Set([
  'ClassDeclaration',
  'ClassExpression',
  'ImportSpecifier',
  'ImportDefaultSpecifier',
  'ImportNamespaceSpecifier',
  'LabeledStatement',
  'BreakStatement',
  'ContinueStatement',
  'ArrayPattern',
  'RestElement',
  'CatchClause',
])
