import type { Binding, Scopes } from '../scopes.js'
import { around, childOf, isWithin, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'
import { further, known, once, type Seen, UNKNOWN, type Value } from '../value.js'
import { argumentsOf } from './python-arguments.js'
import { pythonBindings, pythonScopes } from './python-scopes.js'

/** A Python file whose names can be looked up. */
export interface PythonFile {
  readonly tree: SyntaxTree
  readonly scopes: Scopes
  /** The calls of each function of the file by its name, and of methods by `self.name`. */
  readonly callsOf: ReadonlyMap<string, readonly SyntaxNode[]>
  /** What is assigned to an attribute: `self.session` -> its assignments. */
  readonly assigned: ReadonlyMap<string, readonly SyntaxNode[]>
  /** Where each name and each `a.b` stands. */
  readonly mentions: ReadonlyMap<string, readonly SyntaxNode[]>
  readonly seen: Seen
}

const MAX_STEPS = 12
const MAX_VALUES = 20
const CLASS: ReadonlySet<string> = new Set(['class_definition'])
const SCOPE: ReadonlySet<string> = new Set(['class_definition', 'function_definition', 'lambda', 'module'])

/** The file with its names. */
export function pythonFile(tree: SyntaxTree): PythonFile {
  const callsOf = new Map<string, SyntaxNode[]>()
  const assigned = new Map<string, SyntaxNode[]>()
  const mentions = new Map<string, SyntaxNode[]>()
  for (const node of tree.nodes) {
    if (node.type === 'identifier' || (node.type === 'attribute' && node.text.length < 100)) push(mentions, node.text, node)
    const callee = node.type === 'call' ? childOf(node, 'function') : null
    if (callee?.type === 'identifier' || callee?.text.startsWith('self.')) push(callsOf, callee.text, node)
    const left = node.type === 'assignment' ? childOf(node, 'left') : null
    if (left?.type === 'attribute') push(assigned, left.text, node)
  }
  return { tree, scopes: pythonScopes(tree), callsOf, assigned, mentions, seen: new Map() }
}

function push(map: Map<string, SyntaxNode[]>, key: string, node: SyntaxNode): void {
  const list = map.get(key)
  if (list) list.push(node)
  else map.set(key, [node])
}

/** What an expression may be. */
export function pythonValues(file: PythonFile, node: SyntaxNode | null, steps = 0): readonly Value[] {
  if (!node || steps > MAX_STEPS) return UNKNOWN
  return once(file.seen, node, () => look(file, node, steps))
}

function look(file: PythonFile, node: SyntaxNode, steps: number): readonly Value[] {
  const inner = (each: SyntaxNode | null | undefined) => pythonValues(file, each ?? null, steps + 1)
  switch (node.type) {
    case 'none':
      return [{ kind: 'nothing' }]
    case 'identifier':
      return limited(pythonBindings(file.scopes, node).flatMap((binding) => valuesOfBinding(file, binding, steps)))
    case 'attribute':
      return valuesOfAttribute(file, node, steps)
    case 'call':
      return further(inner(childOf(node, 'function')), '()', node)
    case 'await':
    case 'parenthesized_expression':
      return inner(node.children[0])
    case 'conditional_expression':
      return limited([...inner(node.children[0]), ...inner(node.children[2])])
    default:
      return UNKNOWN
  }
}

function limited(values: readonly Value[]): readonly Value[] {
  return values.length === 0 || values.length > MAX_VALUES ? UNKNOWN : values
}

function valuesOfBinding(file: PythonFile, binding: Binding, steps: number): readonly Value[] {
  if (binding.path !== null) return [known(binding.path)]
  if (binding.value && binding.position === null) return pythonValues(file, binding.value, steps + 1)
  return valuesOfParameter(file, binding.node, steps)
}

/** A parameter of a function or method that this file calls by its name is what it is given there. */
function valuesOfParameter(file: PythonFile, name: SyntaxNode, steps: number): readonly Value[] {
  const item = name.parent?.type === 'typed_parameter' ? name.parent : name
  const list = item.parent
  const definition = list?.type === 'parameters' ? list.parent : null
  if (!list || definition?.type !== 'function_definition') return UNKNOWN
  const owner = classAround(definition)
  const position = list.children.indexOf(item) - (owner ? 1 : 0)
  const calls = callsTo(file, definition, owner)
  if (calls.length === 0 || calls.length > MAX_VALUES) return UNKNOWN
  return calls.flatMap((call) => {
    const { positional, keywords } = argumentsOf(call)
    const given = keywords.get(name.text) ?? positional[position] ?? null
    // A function that calls itself with its own parameter adds nothing to what the others give.
    const isItself = given?.type === 'identifier' && pythonBindings(file.scopes, given).some(({ node }) => node === name)
    return isItself ? [] : pythonValues(file, given, steps + 1)
  })
}

/** The class whose method a function is; null where it is none. */
function classAround(definition: SyntaxNode): SyntaxNode | null {
  const scope = around(definition, SCOPE)
  return scope?.type === 'class_definition' ? scope : null
}

function callsTo(file: PythonFile, definition: SyntaxNode, owner: SyntaxNode | null): readonly SyntaxNode[] {
  const name = childOf(definition, 'name')
  const all = file.callsOf.get(owner ? `self.${name?.text}` : (name?.text ?? '')) ?? []
  if (owner) return all.filter((call) => around(call, CLASS) === owner)
  return all.filter((call) => {
    const callee = childOf(call, 'function')
    return callee !== null && pythonBindings(file.scopes, callee).every(({ node }) => node === name)
  })
}

function valuesOfAttribute(file: PythonFile, node: SyntaxNode, steps: number): readonly Value[] {
  const object = childOf(node, 'object')
  const name = childOf(node, 'attribute')?.text ?? ''
  if (object?.type !== 'identifier' || !/^(self|cls)$/.test(object.text)) {
    return further(pythonValues(file, object, steps + 1), `.${name}`)
  }
  const owner = around(node, CLASS)
  if (!owner) return UNKNOWN
  const inClass = (file.scopes.get(owner)?.get(name) ?? []).flatMap((binding) => valuesOfBinding(file, binding, steps + 1))
  const inMethods = assignmentsOf(file, node.text, owner).flatMap((each) => pythonValues(file, childOf(each, 'right'), steps + 1))
  return limited([...inClass, ...inMethods])
}

function assignmentsOf(file: PythonFile, target: string, owner: SyntaxNode): readonly SyntaxNode[] {
  const all = file.assigned.get(target) ?? []
  return all.length > MAX_VALUES ? [] : all.filter((each) => around(each, CLASS) === owner)
}

/** The scope in which a variable or `self.x` means the same thing: its class, its function, or the file. */
export function homeOf(file: PythonFile, node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'attribute') return around(node, CLASS) ?? file.tree.nodes[0] ?? null
  for (let scope = node.parent; scope; scope = scope.parent) if (file.scopes.get(scope)?.has(node.text)) return scope
  return null
}

/** All places below `scope` that name the same variable or attribute. */
export function mentionsOf(file: PythonFile, node: SyntaxNode, scope: SyntaxNode): readonly SyntaxNode[] {
  return (file.mentions.get(node.text) ?? []).filter((each) => each.type === node.type && isWithin(each, scope))
}
