import type { Scopes } from '../scopes.js'
import { around, below, childOf, type SyntaxNode, type SyntaxTree } from '../syntax-tree.js'
import { further, known, once, type Seen, UNKNOWN, type Value } from '../value.js'
import { isKnownClass } from './java-classes.js'
import { javaBindings, javaScopes } from './java-scopes.js'

/** A Java file whose names can be looked up. */
export interface JavaFile {
  readonly tree: SyntaxTree
  readonly scopes: Scopes
  /** The full name of what is imported by its own name. */
  readonly imported: ReadonlyMap<string, string>
  /** The packages (and, for static members, classes) of which everything is imported, and the file's own package. */
  readonly packages: readonly string[]
  /** The types the file declares. */
  readonly types: ReadonlySet<string>
  readonly methods: ReadonlyMap<string, readonly SyntaxNode[]>
  /** Where each name stands. */
  readonly mentions: ReadonlyMap<string, readonly SyntaxNode[]>
  readonly seen: Seen
}

const MAX_STEPS = 12
const MAX_VALUES = 20
/** A chain of calls may be longer than other ways from name to name. */
const MAX_CHAIN = 60
const METHOD: ReadonlySet<string> = new Set(['method_declaration', 'lambda_expression'])

/** The file with its names. */
export function javaFile(tree: SyntaxTree): JavaFile {
  const imported = new Map<string, string>()
  const packages: string[] = []
  const types = new Set<string>()
  const methods = new Map<string, SyntaxNode[]>()
  const mentions = new Map<string, SyntaxNode[]>()
  for (const node of tree.nodes) {
    const name = childOf(node, 'name')
    if (node.type === 'identifier') push(mentions, node.text, node)
    else if (node.type === 'import_declaration') readImport(node, imported, packages)
    else if (node.type === 'package_declaration') packages.push(node.children.at(-1)?.text ?? '')
    else if (/^(class|interface|enum|record)_declaration$/.test(node.type) && name) types.add(name.text)
    else if (node.type === 'method_declaration' && name) push(methods, name.text, node)
  }
  return { tree, scopes: javaScopes(tree), imported, packages, types, methods, mentions, seen: new Map() }
}

function push(map: Map<string, SyntaxNode[]>, key: string, node: SyntaxNode): void {
  const list = map.get(key)
  if (list) list.push(node)
  else map.set(key, [node])
}

function readImport(node: SyntaxNode, imported: Map<string, string>, packages: string[]): void {
  const path = node.children.find(({ type }) => type.endsWith('identifier'))?.text ?? ''
  if (node.children.some(({ type }) => type === 'asterisk')) packages.push(path)
  else imported.set(path.split('.').at(-1) ?? '', path)
}

/** What an expression may be. */
export function javaValues(file: JavaFile, node: SyntaxNode | null | undefined, steps = 0): readonly Value[] {
  if (!node || steps > MAX_CHAIN) return UNKNOWN
  return once(file.seen, node, () => look(file, node, steps))
}

function look(file: JavaFile, node: SyntaxNode, steps: number): readonly Value[] {
  const inner = (each: SyntaxNode | null | undefined) => javaValues(file, each, steps + 1)
  switch (node.type) {
    case 'null_literal':
      return [{ kind: 'nothing' }]
    case 'identifier':
      return valuesOfName(file, node, steps)
    case 'field_access':
      return valuesOfField(file, node, steps)
    case 'method_invocation':
      return valuesOfInvocation(file, node, steps)
    case 'object_creation_expression':
      return valuesOfNew(file, node)
    case 'cast_expression':
      return inner(childOf(node, 'value'))
    case 'parenthesized_expression':
      return inner(node.children[0])
    case 'ternary_expression':
      return limited([...inner(childOf(node, 'consequence')), ...inner(childOf(node, 'alternative'))])
    default:
      return UNKNOWN
  }
}

function limited(values: readonly Value[]): readonly Value[] {
  return values.length === 0 || values.length > MAX_VALUES ? UNKNOWN : values
}

function valuesOfName(file: JavaFile, node: SyntaxNode, steps: number): readonly Value[] {
  const { scope, bindings } = javaBindings(file.scopes, node)
  if (!scope) return ofPath(className(file, node.text))
  if (steps > MAX_STEPS) return UNKNOWN
  const given = bindings.filter(({ value }) => value !== null)
  return limited((given.length > 0 ? given : bindings).flatMap(({ value }) => (value ? javaValues(file, value, steps + 1) : UNKNOWN)))
}

function ofPath(path: string | null): readonly Value[] {
  return path === null ? UNKNOWN : [known(path)]
}

/** The full name of a class, or of a member imported by its name; null where nothing that is known has that name here. */
export function className(file: JavaFile, name: string): string | null {
  const [first = '', ...rest] = name.split('.')
  const after = rest.map((part) => `.${part}`).join('')
  if (file.types.has(first)) return null
  const path = file.imported.get(first)
  if (path !== undefined) return path + after
  if (rest.length > 1 && /^[a-z]/.test(first) && isKnownClass(name)) return name
  const found = file.packages.map((prefix) => `${prefix}.${name}`).filter(isKnownClass)
  return found.length === 1 ? (found[0] ?? null) : null
}

function valuesOfField(file: JavaFile, node: SyntaxNode, steps: number): readonly Value[] {
  const object = childOf(node, 'object')
  const field = childOf(node, 'field')
  if (object?.type === 'this' && field) return valuesOfName(file, field, steps)
  if (isKnownClass(node.text) && !javaBindings(file.scopes, firstOf(node)).scope) return [known(node.text)]
  return further(javaValues(file, object, steps + 1), `.${field?.text ?? ''}`)
}

/** `java` of `java.net.http.HttpClient`. */
function firstOf(node: SyntaxNode): SyntaxNode {
  let first = node
  for (let object = childOf(first, 'object'); object; object = childOf(first, 'object')) first = object
  return first
}

function valuesOfInvocation(file: JavaFile, node: SyntaxNode, steps: number): readonly Value[] {
  const object = childOf(node, 'object')
  const name = childOf(node, 'name')?.text ?? ''
  if (object && object.type !== 'this') return further(javaValues(file, object, steps + 1), `.${name}()`, node)
  const own = file.methods.get(name) ?? []
  if (own.length > 0) return own.length === 1 && steps <= MAX_STEPS && own[0] ? resultsOf(file, own[0], steps) : UNKNOWN
  return object ? UNKNOWN : further(ofPath(className(file, name)), '()', node)
}

/** What a method of the file returns. */
function resultsOf(file: JavaFile, method: SyntaxNode, steps: number): readonly Value[] {
  const returns = below(method).filter((node) => node.type === 'return_statement' && around(node, METHOD) === method)
  if (returns.length > MAX_VALUES) return UNKNOWN
  return limited(returns.flatMap((node) => javaValues(file, node.children[0], steps + 1)))
}

/** `new X(…)` is `X{}`; with a body of its own it may be anything. */
function valuesOfNew(file: JavaFile, node: SyntaxNode): readonly Value[] {
  const path = typePath(file, childOf(node, 'type'))
  const hasBody = node.children.some(({ type }) => type === 'class_body')
  return path === null || hasBody ? UNKNOWN : [known(`${path}{}`, [node])]
}

/** The full name of a type. */
export function typePath(file: JavaFile, type: SyntaxNode | null): string | null {
  const plain = type?.type === 'generic_type' ? (type.children[0] ?? null) : type
  return plain?.type.endsWith('type_identifier') ? className(file, plain.text) : null
}

/** The arguments of a call or of `new`. */
export function javaArguments(call: SyntaxNode): readonly SyntaxNode[] {
  return childOf(call, 'arguments')?.children ?? []
}
