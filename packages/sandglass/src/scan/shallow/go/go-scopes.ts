import { type Binding, bind, bindingOf, reaching, type Scopes, type ScopesDraft } from '../scopes.js'
import { around, childOf, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'

const FUNCTIONS: ReadonlySet<string> = new Set(['function_declaration', 'method_declaration', 'func_literal'])
const SCOPES: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  'source_file',
  'block',
  'if_statement',
  'for_statement',
  'expression_switch_statement',
  'type_switch_statement',
  'expression_case',
  'default_case',
  'type_case',
  'communication_case',
])

/** The names of a Go file: what each is declared as and set to in the file, its functions and its blocks. */
export function goScopes(tree: SyntaxTree): Scopes {
  const scopes: ScopesDraft = new Map()
  const declare: Declare = (name, rest = {}, scope = around(name, SCOPES)) => {
    if (scope && name.text !== '_') bind(scopes, scope, name.text, bindingOf(name, rest))
  }
  for (const node of tree.nodes) DECLARATIONS[node.type]?.(node, declare)
  for (const node of tree.nodes) {
    if (node.type !== 'assignment_statement') continue
    const isPlain = childOf(node, 'operator')?.type === '='
    eachPair(node, 'left', 'right', (name, rest) => {
      const scope = declaringScope(scopes, name)
      if (scope) declare(name, isPlain ? rest : {}, scope)
    })
  }
  return scopes
}

type Declare = (name: SyntaxNode, rest?: Partial<Binding>, scope?: SyntaxNode | null) => void

const DECLARATIONS: Readonly<Record<string, (node: SyntaxNode, declare: Declare) => void>> = {
  import_spec: readImport,
  short_var_declaration: (node, declare) => eachPair(node, 'left', 'right', declare),
  var_spec: readVariables,
  const_spec: readVariables,
  range_clause: (node, declare) => eachPair(node, 'left', null, declare),
  receive_statement: (node, declare) => eachPair(node, 'left', null, declare),
  type_switch_statement: (node, declare) => {
    for (const name of childOf(node, 'alias')?.children ?? []) declare(name, {}, node)
  },
  parameter_declaration: readParameters,
  variadic_parameter_declaration: readParameters,
  function_declaration: (node, declare) => {
    const name = childOf(node, 'name')
    if (name) declare(name, { value: node }, around(node, SCOPES))
  },
}

/** The names by which a package may be used: its own, or what its path ends with when the parts that are no name are left out. */
function readImport(node: SyntaxNode, declare: Declare): void {
  const literal = childOf(node, 'path')
  const path = literal?.text.slice(1, -1)
  const alias = childOf(node, 'name')
  if (!literal || !path || (alias && alias.type !== 'package_identifier')) return
  const last =
    path
      .replace(/\/v\d+$/, '')
      .replace(/\.v\d+$/, '')
      .split('/')
      .at(-1) ?? ''
  const names = alias ? [alias.text] : [last, last.replace(/^go-|-go$|\.go$/g, '')]
  for (const name of new Set(names)) declare({ ...literal, text: name }, { path }, literal.tree.nodes[0] ?? null)
}

function readVariables(node: SyntaxNode, declare: Declare): void {
  const type = childOf(node, 'type')
  const names = node.children.filter((child) => child.field === 'name')
  const values = childOf(node, 'value')?.children ?? []
  names.forEach((name, index) => {
    if (name.type === 'identifier') declare(name, { ...resultOf(values, names.length, index), type })
  })
}

function readParameters(node: SyntaxNode, declare: Declare): void {
  const type = node.type === 'parameter_declaration' ? childOf(node, 'type') : null
  for (const name of node.children) {
    if (name.field === 'name') declare(name, { type }, around(node, FUNCTIONS))
  }
}

function eachPair(node: SyntaxNode, left: string, right: string | null, declare: Declare): void {
  const names = childOf(node, left)?.children ?? []
  const values = (right === null ? null : childOf(node, right))?.children ?? []
  names.forEach((name, index) => {
    if (name.type === 'identifier') declare(name, resultOf(values, names.length, index))
  })
}

/** `a, b := f()` takes two results of one value; `a, b := 1, 2` a value each. */
function resultOf(values: readonly SyntaxNode[], names: number, index: number): Partial<Binding> {
  if (values.length === names) return { value: values[index] ?? null }
  return values.length === 1 ? { value: values[0] ?? null, position: index } : {}
}

function declaringScope(scopes: Scopes, name: SyntaxNode): SyntaxNode | null {
  for (let scope = around(name, SCOPES); scope; scope = around(scope, SCOPES)) {
    const found = scopes.get(scope)?.get(name.text)
    if (found && (scope.type === 'source_file' || found.some(({ node }) => node.end <= name.start))) return scope
  }
  return null
}

/** What may have been bound last to the name at `node`, and the scope that declares it; empty where the file does not declare it. */
export function goBindings(scopes: Scopes, node: SyntaxNode): { readonly scope: SyntaxNode | null; readonly bindings: readonly Binding[] } {
  for (let scope = around(node, SCOPES); scope; scope = around(scope, SCOPES)) {
    const found = scopes.get(scope)?.get(node.text)
    if (!found) continue
    if (scope.type === 'source_file') return { scope, bindings: found }
    const bindings = reaching(found, node, { scope, scopes: SCOPES, functions: FUNCTIONS })
    if (bindings.length > 0) return { scope, bindings }
  }
  return { scope: null, bindings: [] }
}
