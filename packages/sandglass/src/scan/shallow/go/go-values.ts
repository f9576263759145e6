import type { Binding, Scopes } from '../scopes.js'
import { around, below, childOf, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'
import { further, known, once, type Seen, UNKNOWN, type Value } from '../value.js'
import { goBindings, goScopes } from './go-scopes.js'

/** A Go file whose names can be looked up. */
export interface GoFile {
  readonly path: string
  readonly tree: SyntaxTree
  readonly scopes: Scopes
  /** The fields of each struct type of the file with their types. */
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, SyntaxNode>>
  /** What is assigned to a field of that name: the two sides. */
  readonly assigned: ReadonlyMap<string, readonly Assigned[]>
  /** What is written out of a type of the file: `API{…}`. */
  readonly literals: ReadonlyMap<string, readonly SyntaxNode[]>
  /** Where each name stands. */
  readonly mentions: ReadonlyMap<string, readonly SyntaxNode[]>
  readonly seen: Seen
}

/** `target.field = value`. */
export interface Assigned {
  readonly target: SyntaxNode
  readonly value: SyntaxNode | null
}

const MAX_STEPS = 12
const MAX_VALUES = 20
const MAX_SETS = 100
const FUNCTION: ReadonlySet<string> = new Set(['function_declaration', 'method_declaration', 'func_literal'])

/** The file with its names. */
export function goFile(tree: SyntaxTree, path: string): GoFile {
  const structs = new Map<string, Map<string, SyntaxNode>>()
  const assigned = new Map<string, Assigned[]>()
  const literals = new Map<string, SyntaxNode[]>()
  const mentions = new Map<string, SyntaxNode[]>()
  for (const node of tree.nodes) {
    if (node.type.endsWith('identifier')) push(mentions, node.text, node)
    else if (node.type === 'type_spec') addStruct(structs, node)
    else if (node.type === 'composite_literal') push(literals, childOf(node, 'type')?.text ?? '', node)
    else if (node.type === 'assignment_statement') addAssigned(assigned, node)
  }
  return { path, tree, scopes: goScopes(tree), structs, assigned, literals, mentions, seen: new Map() }
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}

function addStruct(structs: Map<string, Map<string, SyntaxNode>>, node: SyntaxNode): void {
  const type = childOf(node, 'type')
  const fields = type?.type === 'struct_type' ? (type.children[0]?.children ?? []) : []
  const types = new Map<string, SyntaxNode>()
  for (const field of fields) {
    const of = childOf(field, 'type')
    const names = field.children.filter((child) => child.field === 'name')
    if (of && names.length === 0) types.set(embeddedName(of), of)
    for (const name of names) if (of) types.set(name.text, of)
  }
  structs.set(childOf(node, 'name')?.text ?? '', types)
}

/** `DB` of the embedded `*sql.DB`. */
function embeddedName(type: SyntaxNode): string {
  return type.text.replace(/^\*/, '').split('.').at(-1) ?? ''
}

function addAssigned(assigned: Map<string, Assigned[]>, node: SyntaxNode): void {
  const targets = childOf(node, 'left')?.children ?? []
  const values = childOf(node, 'right')?.children ?? []
  targets.forEach((target, index) => {
    if (target.type !== 'selector_expression') return
    const value = values.length === targets.length || index === 0 ? (values[index] ?? null) : null
    push(assigned, childOf(target, 'field')?.text ?? '', { target, value })
  })
}

/** What an expression may be; `position` is which of its results is meant. */
export function goValues(file: GoFile, node: SyntaxNode | null, steps = 0, position = 0): readonly Value[] {
  if (!node || steps > MAX_STEPS) return UNKNOWN
  // Only a call has further results, and those are of interest for functions of the file alone.
  return position > 0 ? look(file, node, steps, position) : once(file.seen, node, () => look(file, node, steps, 0))
}

function look(file: GoFile, node: SyntaxNode, steps: number, position: number): readonly Value[] {
  const inner = (each: SyntaxNode | null | undefined) => goValues(file, each ?? null, steps + 1)
  switch (node.type) {
    case 'nil':
      return [{ kind: 'nothing' }]
    case 'identifier':
      return limited(valuesOfBindings(file, goBindings(file.scopes, node).bindings, steps))
    case 'selector_expression':
      return valuesOfSelector(file, node, steps)
    case 'call_expression':
      return valuesOfCall(file, node, steps, position)
    case 'composite_literal':
      return typeValues(file, childOf(node, 'type'), '{}', [node])
    case 'unary_expression':
      return /^[&*]$/.test(childOf(node, 'operator')?.type ?? '') ? inner(childOf(node, 'operand')) : UNKNOWN
    case 'parenthesized_expression':
    case 'literal_element':
      return inner(node.children[0])
    default:
      return UNKNOWN
  }
}

function limited(values: readonly Value[]): readonly Value[] {
  return values.length === 0 || values.length > MAX_VALUES ? UNKNOWN : values
}

/** A declaration without a value says only the type; where the file also sets it, that says more. */
function valuesOfBindings(file: GoFile, bindings: readonly Binding[], steps: number): readonly Value[] {
  const isSet = bindings.some(({ value }) => value !== null)
  const telling = bindings.filter(({ node, value }) => !isSet || value !== null || node.parent?.type !== 'var_spec')
  return telling.flatMap((binding) => valuesOfBinding(file, binding, steps))
}

function valuesOfBinding(file: GoFile, { node, path, value, position, type }: Binding, steps: number): readonly Value[] {
  if (path !== null) return [known(path)]
  if (value?.type === 'function_declaration') return [known(`#${node.text}`, [value])]
  if (value) return goValues(file, value, steps + 1, position ?? 0)
  const isZero = node.parent?.type === 'var_spec' && type?.type === 'qualified_type'
  return isZero && node.parent ? typeValues(file, type, '{}', [node.parent]) : typeValues(file, type, '{?}', [])
}

/** A thing of a type: `net/http.Client{}` where it is written out, `{?}` where nobody here knows how it was made; `#T` is a type of the file. */
function typeValues(file: GoFile, type: SyntaxNode | null, suffix: '{}' | '{?}', makers: readonly SyntaxNode[]): readonly Value[] {
  if (type?.type === 'pointer_type') return typeValues(file, type.children[0] ?? null, suffix, makers)
  if (type?.type === 'type_identifier') return file.structs.has(type.text) ? [known(`#${type.text}${suffix}`, makers)] : UNKNOWN
  if (type?.type !== 'qualified_type') return UNKNOWN
  const name = childOf(type, 'package')
  const { bindings } = name ? goBindings(file.scopes, name) : { bindings: [] }
  const path = bindings.length === 1 ? bindings[0]?.path : null
  return path ? [known(`${path}.${childOf(type, 'name')?.text ?? ''}${suffix}`, makers)] : UNKNOWN
}

function valuesOfSelector(file: GoFile, node: SyntaxNode, steps: number): readonly Value[] {
  const field = childOf(node, 'field')?.text ?? ''
  const operands = goValues(file, childOf(node, 'operand'), steps + 1)
  return limited(
    operands.flatMap((value) => {
      const struct = value.kind === 'known' ? /^#(\w+)\{\??\}$/.exec(value.path)?.[1] : undefined
      const fields = struct === undefined ? undefined : file.structs.get(struct)
      if (struct !== undefined && fields?.has(field)) return valuesOfField(file, struct, field, steps)
      return fields ? promoted(file, fields, field) : further([value], `.${field}`)
    }),
  )
}

/** A member of what a struct embeds; of two that embed something nobody here knows which has it. */
function promoted(file: GoFile, fields: ReadonlyMap<string, SyntaxNode>, member: string): readonly Value[] {
  const embedded = [...fields].filter(([name, type]) => type.parent?.children.length === 1 && name === embeddedName(type))
  const [only] = embedded
  return only && embedded.length === 1 ? further(typeValues(file, only[1], '{?}', []), `.${member}`) : UNKNOWN
}

/** What the file puts into a field of one of its structs, else its type. */
function valuesOfField(file: GoFile, struct: string, field: string, steps: number): readonly Value[] {
  const literals = file.literals.get(struct) ?? []
  const all = file.assigned.get(field) ?? []
  if (literals.length > MAX_SETS || all.length > MAX_SETS) return UNKNOWN
  const sets = all.filter(({ target }) => mayBeOf(file, target, struct, steps))
  const written = literals.flatMap((literal) => fieldOf(literal, field) ?? [])
  const values = [...written, ...sets.map(({ value }) => value)].flatMap((value) => goValues(file, value, steps + 1))
  const things = values.filter(({ kind }) => kind !== 'nothing')
  return things.length > 0 ? things : typeValues(file, file.structs.get(struct)?.get(field) ?? null, '{?}', [])
}

function mayBeOf(file: GoFile, target: SyntaxNode, struct: string, steps: number): boolean {
  const owners = goValues(file, childOf(target, 'operand'), steps + 1)
  return owners.some((owner) => owner.kind === 'unknown' || (owner.kind === 'known' && owner.path.startsWith(`#${struct}{`)))
}

/** The value of a field of what is written out; null where it is not given. */
export function fieldOf(literal: SyntaxNode, field: string): SyntaxNode | null {
  for (const element of childOf(literal, 'body')?.children ?? []) {
    if (element.type === 'keyed_element' && childOf(element, 'key')?.text === field) return childOf(element, 'value')?.children[0] ?? null
  }
  return null
}

function valuesOfCall(file: GoFile, node: SyntaxNode, steps: number, position: number): readonly Value[] {
  if (childOf(node, 'function')?.text === 'new') return valuesOfNew(file, node, steps)
  const callees = goValues(file, childOf(node, 'function'), steps + 1)
  return limited(
    callees.flatMap((callee) => {
      const own = callee.kind === 'known' && /^#\w+$/.test(callee.path) ? callee.makers.at(-1) : undefined
      if (own) return resultsOf(file, own, steps, position)
      return position === 0 ? further([callee], '()', node) : UNKNOWN
    }),
  )
}

/** `new(http.Client)` is a literal without fields. */
function valuesOfNew(file: GoFile, node: SyntaxNode, steps: number): readonly Value[] {
  const [type] = goArguments(node)
  if (type?.type !== 'selector_expression') return typeValues(file, type ?? null, '{}', [node])
  return further(goValues(file, type, steps + 1), '{}', node)
}

/** What a function of the file returns. */
function resultsOf(file: GoFile, declaration: SyntaxNode, steps: number, position: number): readonly Value[] {
  const returns = below(declaration).filter((node) => node.type === 'return_statement' && around(node, FUNCTION) === declaration)
  if (returns.length > MAX_VALUES) return UNKNOWN
  return returns.flatMap((node) => goValues(file, node.children[0]?.children[position] ?? null, steps + 1))
}

/** The arguments of a call. */
export function goArguments(call: SyntaxNode): readonly SyntaxNode[] {
  const list = childOf(call, 'arguments')
  return list?.type === 'argument_list' ? list.children : []
}
