import { type Binding, bind, bindingOf, type Scopes, type ScopesDraft } from '../scopes.js'
import { around, below, childOf, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'

const SCOPES: ReadonlySet<string> = new Set([
  'module',
  'function_definition',
  'lambda',
  'class_definition',
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
])

/** The names of a Python file: what each is bound to in the file, its functions, classes and comprehensions. */
export function pythonScopes(tree: SyntaxTree): Scopes {
  const scopes: ScopesDraft = new Map()
  const elsewhere = outerNames(tree)
  const root = tree.nodes[0]
  const add: Add = (node, rest, scope = around(node, SCOPES)) => {
    const isOuter = scope && elsewhere.get(scope)?.has(node.text)
    const target = isOuter ? root : scope
    if (target) bind(scopes, target, node.text, bindingOf(node, rest))
  }
  for (const node of tree.nodes) READERS[node.type]?.(node, add)
  return scopes
}

type Add = (name: SyntaxNode, rest?: Partial<Binding>, scope?: SyntaxNode | null) => void

const READERS: Readonly<Record<string, (node: SyntaxNode, add: Add) => void>> = {
  import_statement: readImport,
  import_from_statement: readImportFrom,
  assignment: readAssignment,
  augmented_assignment: (node, add) => addOpaque(childOf(node, 'left'), add),
  named_expression: (node, add) => addTarget(childOf(node, 'name'), childOf(node, 'value'), null, add),
  for_statement: (node, add) => addOpaque(childOf(node, 'left'), add),
  for_in_clause: (node, add) => addOpaque(childOf(node, 'left'), add),
  as_pattern: readAs,
  case_pattern: (node, add) => addOpaque(node.children[0]?.type === 'dotted_name' ? node.children[0] : null, add),
  function_definition: readDefinition,
  class_definition: readDefinition,
  parameters: readParameters,
  lambda_parameters: readParameters,
}

/** The names that `global` and `nonlocal` lead out of a function. */
function outerNames(tree: SyntaxTree): ReadonlyMap<SyntaxNode, ReadonlySet<string>> {
  const found = new Map<SyntaxNode, Set<string>>()
  for (const node of tree.nodes) {
    if (node.type !== 'global_statement' && node.type !== 'nonlocal_statement') continue
    const scope = around(node, SCOPES)
    if (!scope) continue
    const names = found.get(scope) ?? new Set()
    found.set(scope, names)
    for (const { text } of node.children) names.add(text)
  }
  return found
}

function readImport(node: SyntaxNode, add: Add): void {
  for (const child of node.children) {
    const alias = childOf(child, 'alias')
    const path = childOf(child, 'name')?.text ?? child.text
    const first = child.children[0]
    if (alias) add(alias, { path })
    else if (first) add(first, { path: first.text })
  }
}

function readImportFrom(node: SyntaxNode, add: Add): void {
  const from = childOf(node, 'module_name')?.text ?? ''
  for (const child of node.children) {
    if (child.field !== 'name') continue
    const name = childOf(child, 'name') ?? child
    const shown = childOf(child, 'alias') ?? child.children[0]
    if (shown) add(shown, { path: `${from}.${name.text}` })
  }
}

function readAssignment(node: SyntaxNode, add: Add): void {
  let value = childOf(node, 'right')
  while (value?.type === 'assignment') value = childOf(value, 'right')
  if (value) addTarget(childOf(node, 'left'), value, childOf(node, 'type'), add)
}

function addTarget(target: SyntaxNode | null, value: SyntaxNode | null, type: SyntaxNode | null, add: Add): void {
  if (target?.type === 'identifier') return add(target, { value, type })
  const isList = target?.type === 'pattern_list' || target?.type === 'tuple_pattern'
  const pairs = isList && value?.type === 'expression_list' && value.children.length === target.children.length
  if (!pairs) return addOpaque(target, add)
  target.children.forEach((each, index) => {
    addTarget(each, value.children[index] ?? null, null, add)
  })
}

/** Everything a pattern binds; what it only mentions (`a.b = 1`, `a[i] = 1`) is no name. */
function addOpaque(target: SyntaxNode | null, add: Add): void {
  if (!target) return
  if (target.type === 'identifier') return add(target)
  if (/^(attribute|subscript|call)$/.test(target.type)) return
  for (const node of below(target)) {
    if (node.type === 'identifier' && !/^(attribute|subscript|call)$/.test(node.parent?.type ?? '')) add(node)
  }
}

function readAs(node: SyntaxNode, add: Add): void {
  const target = childOf(node, 'alias')?.children[0] ?? null
  if (node.parent?.type === 'with_item') addTarget(target, node.children[0] ?? null, null, add)
  else addOpaque(target, add)
}

function readDefinition(node: SyntaxNode, add: Add): void {
  const name = childOf(node, 'name')
  if (name) add(name, {}, around(node, SCOPES))
}

function readParameters(node: SyntaxNode, add: Add): void {
  for (const child of node.children) {
    const named = childOf(child, 'name') ?? (child.type === 'identifier' ? child : child.children[0])
    const name = named?.type === 'identifier' ? named : named?.children[0]
    if (name) add(name, { type: childOf(child, 'type') }, node.parent)
  }
}

/** The bindings of the name that stands at `node`; empty where this file binds none. A class's names are seen in its body only. */
export function pythonBindings(scopes: Scopes, node: SyntaxNode): readonly Binding[] {
  let isInner = false
  for (let scope = around(node, SCOPES); scope; scope = around(scope, SCOPES)) {
    const found = scope.type === 'class_definition' && isInner ? undefined : scopes.get(scope)?.get(node.text)
    if (found) return found
    isInner ||= scope.type !== 'class_definition'
  }
  return []
}
