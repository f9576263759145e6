import type { Class, Node, Program } from 'oxc-parser'
import type { Source, Spot } from '../../model/sourced.js'
import { declare, declareClass, functionScope, functionScopeOf, keyName, takeApart } from './declare.js'
import { firstAbove } from './first-above.js'
import { isFunctionNode, lookUp, newScope, type Scope } from './scope.js'
import { walk } from './walk.js'

/** A call in the widest sense: what may wait. */
export type CallNode = Extract<Node, { type: 'CallExpression' | 'NewExpression' | 'TaggedTemplateExpression' }>

/** An assignment to a member: `client.defaults.timeout = 500`. */
export type MemberAssignment = Extract<Node, { type: 'AssignmentExpression' }>

/** What a module gives to others under a name. */
export type Export =
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'expression'; readonly node: Node }
  | { readonly kind: 'from'; readonly request: string; readonly name: string }

/** A file of source code with its names resolved as far as the file itself goes. */
export interface Module {
  readonly source: Source
  readonly program: Program
  readonly scope: Scope
  readonly scopes: ReadonlyMap<Node, Scope>
  readonly exports: ReadonlyMap<string, Export>
  /** Modules all of whose exports are passed on. */
  readonly exportsAll: readonly string[]
  readonly calls: readonly CallNode[]
  readonly memberAssignments: readonly MemberAssignment[]
  readonly classes: readonly Class[]
  /** What it imports, in any way, as written. */
  readonly requests: readonly string[]
}

interface Draft {
  readonly scopes: Map<Node, Scope>
  readonly exports: Map<string, Export>
  readonly exportsAll: string[]
  readonly calls: CallNode[]
  readonly memberAssignments: MemberAssignment[]
  readonly classes: Class[]
  readonly requests: string[]
  readonly assignments: { readonly name: string; readonly value: Node; readonly scope: Scope }[]
}

const PLAIN_ASSIGNMENTS: ReadonlySet<string> = new Set(['=', '??=', '||=', '&&='])

const BLOCKS: ReadonlySet<string> = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
  'TSModuleBlock',
])

/** Resolves the names of a parsed file. */
export function moduleOf(source: Source, program: Program): Module {
  const top = newScope(program, null, true)
  const draft: Draft = {
    scopes: new Map([[program as Node, top]]),
    exports: new Map(),
    exportsAll: [],
    calls: [],
    memberAssignments: [],
    classes: [],
    requests: [],
    assignments: [],
  }
  let scope = top
  const opened: Node[] = []
  walk(
    program,
    (node) => {
      const inner = openedBy(node, scope)
      const request = requestOf(node)
      if (request !== null) draft.requests.push(request)
      takeNode(node, scope, draft)
      if (inner) {
        draft.scopes.set(node, inner)
        opened.push(node)
        scope = inner
      }
      return !isTypeOnly(node)
    },
    (node) => {
      if (opened[opened.length - 1] !== node) return
      opened.pop()
      scope = scope.above ?? top
    },
  )
  for (const { name, value, scope: from } of draft.assignments) lookUp(name, from)?.assigned.push(value)
  const { exports, exportsAll, calls, memberAssignments, classes, scopes, requests } = draft
  return { source, program, scope: top, scopes, exports, exportsAll, calls, memberAssignments, classes, requests }
}

/** What a node imports; null where it imports nothing, or only types. */
function requestOf(node: Node): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.importKind === 'type' ? null : node.source.value
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.exportKind === 'type' ? null : (node.source?.value ?? null)
    case 'ImportExpression':
      return textOf(node.source)
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'require' ? textOf(node.arguments[0]) : null
    default:
      return null
  }
}

function textOf(node: Node | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

function isTypeOnly(node: Node): boolean {
  return (
    node.type === 'TSInterfaceDeclaration' ||
    node.type === 'TSTypeAliasDeclaration' ||
    node.type === 'TSDeclareFunction' ||
    ('declare' in node && node.declare === true)
  )
}

function openedBy(node: Node, scope: Scope): Scope | null {
  if (isFunctionNode(node)) return functionScopeOf(node, scope)
  if (BLOCKS.has(node.type)) return newScope(node, scope, node.type === 'TSModuleBlock')
  return null
}

function takeNode(node: Node, scope: Scope, draft: Draft): void {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
      draft.calls.push(node)
      break
    case 'VariableDeclaration':
      takeVariables(node, scope)
      break
    case 'FunctionDeclaration':
      if (node.id) declare(node.id.name, { kind: 'function', node: node as never }, functionScope(scope))
      break
    case 'ClassDeclaration':
    case 'ClassExpression':
      draft.classes.push(node)
      if (node.type === 'ClassDeclaration') declareClass(node, scope)
      break
    case 'ImportDeclaration':
      takeImports(node, scope)
      break
    case 'TSImportEqualsDeclaration':
      if (node.moduleReference.type === 'TSExternalModuleReference')
        declare(node.id.name, { kind: 'import', request: node.moduleReference.expression.value, name: '*', node }, scope)
      break
    case 'TSEnumDeclaration':
      declare(node.id.name, { kind: 'opaque', node }, scope)
      break
    case 'CatchClause':
      break
    case 'AssignmentExpression':
      takeAssignment(node, scope, draft)
      break
    case 'UpdateExpression':
      if (node.argument.type === 'Identifier') draft.assignments.push({ name: node.argument.name, value: node, scope })
      break
    case 'ExportNamedDeclaration':
      takeNamedExports(node, draft)
      break
    case 'ExportDefaultDeclaration':
      takeDefaultExport(node, draft)
      break
    case 'TSExportAssignment':
      draft.exports.set('=', { kind: 'expression', node: node.expression })
      break
    case 'ExportAllDeclaration':
      if (node.exported) draft.exports.set(moduleName(node.exported), { kind: 'from', request: node.source.value, name: '*' })
      else draft.exportsAll.push(node.source.value)
      break
    default:
      break // the rest declares nothing
  }
}

function takeVariables(node: Extract<Node, { type: 'VariableDeclaration' }>, scope: Scope): void {
  if (node.declare === true) {
    for (const { id } of node.declarations) takeApart(id as Node, (name) => declare(name, { kind: 'opaque', node }, scope))
    return
  }
  const home = node.kind === 'var' ? functionScope(scope) : scope
  const isLoop = node.parent?.type === 'ForOfStatement' || node.parent?.type === 'ForInStatement'
  for (const { id, init } of node.declarations) {
    takeApart(id as Node, (name, steps, fallback) => {
      const binding = isLoop ? ({ kind: 'opaque', node } as const) : ({ kind: 'value', node: init, steps, fallback } as const)
      declare(name, binding, home, node.kind === 'const')
    })
  }
}

function takeImports(node: Extract<Node, { type: 'ImportDeclaration' }>, scope: Scope): void {
  for (const specifier of node.specifiers) {
    const name =
      specifier.type === 'ImportSpecifier' ? moduleName(specifier.imported) : specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
    declare(specifier.local.name, { kind: 'import', request: node.source.value, name, node: specifier as Node }, scope)
  }
}

function moduleName(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return node.name ?? String(node.value)
}

function takeAssignment(node: MemberAssignment, scope: Scope, draft: Draft): void {
  const left = node.left as Node
  // `wait *= 2` gives no value that is written down; the assignment itself evaluates to that.
  const value = PLAIN_ASSIGNMENTS.has(node.operator) ? node.right : node
  if (left.type === 'Identifier') draft.assignments.push({ name: left.name, value, scope })
  if (left.type !== 'MemberExpression') return
  draft.memberAssignments.push(node)
  const name = left.computed ? null : keyName(left.property as Node, false)
  if (name === null) return
  const object = left.object as Node
  const isExports = object.type === 'Identifier' && object.name === 'exports' && !lookUp('exports', scope)
  if (isExports || isModuleExports(object, scope)) draft.exports.set(name, { kind: 'expression', node: node.right })
  else if (isModuleExports(left, scope)) draft.exports.set('=', { kind: 'expression', node: node.right })
}

function isModuleExports(node: Node, scope: Scope): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    !lookUp('module', scope) &&
    keyName(node.property as Node, node.computed) === 'exports'
  )
}

function takeNamedExports(node: Extract<Node, { type: 'ExportNamedDeclaration' }>, draft: Draft): void {
  for (const { local, exported } of node.specifiers) {
    const name = moduleName(local)
    draft.exports.set(moduleName(exported), node.source ? { kind: 'from', request: node.source.value, name } : { kind: 'local', name })
  }
  const { declaration } = node
  if (!declaration) return
  if (declaration.type === 'VariableDeclaration') {
    for (const { id } of declaration.declarations) takeApart(id as Node, (name) => draft.exports.set(name, { kind: 'local', name }))
  } else if ('id' in declaration && declaration.id && declaration.id.type === 'Identifier') {
    draft.exports.set(declaration.id.name, { kind: 'local', name: declaration.id.name })
  }
}

function takeDefaultExport(node: Extract<Node, { type: 'ExportDefaultDeclaration' }>, draft: Draft): void {
  const { declaration } = node
  const isNamed = (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id
  draft.exports.set('default', isNamed ? { kind: 'local', name: isNamed.name } : { kind: 'expression', node: declaration as Node })
}

const scopesAbove = new WeakMap<Node, Scope>()

/** The scope that a node stands in. */
export function scopeAt(node: Node, module: Module): Scope {
  return firstAbove(node, (here) => module.scopes.get(here) ?? null, scopesAbove) ?? module.scope
}

/** Where a node stands. */
export function spotOf(node: Node, module: Module): Spot {
  return { source: module.source, start: node.start, end: node.end }
}
