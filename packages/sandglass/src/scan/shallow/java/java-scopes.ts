import { type Binding, bind, bindingOf, reaching, type Scopes, type ScopesDraft } from '../scopes.js'
import { around, childOf, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'

const FUNCTIONS: ReadonlySet<string> = new Set([
  'method_declaration',
  'constructor_declaration',
  'compact_constructor_declaration',
  'lambda_expression',
])
const TYPES: ReadonlySet<string> = new Set(['class_body', 'interface_body', 'enum_body', 'enum_body_declarations', 'record_declaration'])
const SCOPES: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  ...TYPES,
  'block',
  'constructor_body',
  'for_statement',
  'enhanced_for_statement',
  'try_with_resources_statement',
  'catch_clause',
  'switch_block_statement_group',
  'switch_rule',
  'program',
])

type Declare = (name: SyntaxNode | null | undefined, rest?: Partial<Binding>, scope?: SyntaxNode | null) => void

/** The variables of a Java file: fields by class, locals and parameters by block. */
export function javaScopes(tree: SyntaxTree): Scopes {
  const scopes: ScopesDraft = new Map()
  const declare: Declare = (name, rest = {}, scope = name ? around(name, SCOPES) : null) => {
    if (name && scope) bind(scopes, scope, name.text, bindingOf(name, rest))
  }
  for (const node of tree.nodes) DECLARATIONS[node.type]?.(node, declare)
  for (const node of tree.nodes) {
    const name = node.type === 'assignment_expression' ? assignedName(node) : null
    const scope = name && declaringScope(scopes, name)
    if (name && scope) declare(name, { value: childOf(node, 'right') }, scope)
  }
  return scopes
}

const DECLARATIONS: Readonly<Record<string, (node: SyntaxNode, declare: Declare) => void>> = {
  variable_declarator: (node, declare) =>
    declare(childOf(node, 'name'), { value: childOf(node, 'value'), type: childOf(node.parent, 'type') }),
  resource: (node, declare) => declare(childOf(node, 'name'), { value: childOf(node, 'value'), type: childOf(node, 'type') }),
  formal_parameter: readParameter,
  catch_formal_parameter: readParameter,
  enhanced_for_statement: (node, declare) => declare(childOf(node, 'name'), {}, node),
  instanceof_expression: (node, declare) => declare(childOf(node, 'name'), { type: childOf(node, 'right') }),
  type_pattern: (node, declare) => declare(node.children.at(-1)),
  lambda_expression: readLambda,
}

function readParameter(node: SyntaxNode, declare: Declare): void {
  declare(childOf(node, 'name'), { type: childOf(node, 'type') })
}

function readLambda(node: SyntaxNode, declare: Declare): void {
  const parameters = childOf(node, 'parameters')
  const names = parameters?.type === 'identifier' ? [parameters] : parameters?.type === 'inferred_parameters' ? parameters.children : []
  for (const name of names) declare(name, {}, node)
}

/** `x` of `x = …` and of `this.x = …`. */
function assignedName(assignment: SyntaxNode): SyntaxNode | null {
  const left = childOf(assignment, 'left')
  if (left?.type === 'identifier') return left
  return left?.type === 'field_access' && childOf(left, 'object')?.type === 'this' ? childOf(left, 'field') : null
}

/** True for the `x` of `this.x`. */
export function isOfThis(name: SyntaxNode): boolean {
  return name.parent?.type === 'field_access' && name.field === 'field' && childOf(name.parent, 'object')?.type === 'this'
}

function declaringScope(scopes: Scopes, name: SyntaxNode): SyntaxNode | null {
  return javaBindings(scopes, name).scope
}

/** What may have been bound last to the variable at `name`, and the scope that declares it; empty where the file declares none. */
export function javaBindings(
  scopes: Scopes,
  name: SyntaxNode,
): { readonly scope: SyntaxNode | null; readonly bindings: readonly Binding[] } {
  const isField = isOfThis(name)
  for (let scope = around(name, SCOPES); scope; scope = around(scope, SCOPES)) {
    const found = scopes.get(scope)?.get(name.text)
    if (!found || (isField && !TYPES.has(scope.type))) continue
    if (TYPES.has(scope.type)) return { scope, bindings: found }
    const bindings = reaching(found, name, { scope, scopes: SCOPES, functions: FUNCTIONS })
    if (bindings.length > 0) return { scope, bindings }
  }
  return { scope: null, bindings: [] }
}
