import { around, isWithin, type SyntaxNode } from './syntax-tree.js'

/** One way in which a name gets its meaning. */
export interface Binding {
  /** The name where it is bound. */
  readonly node: SyntaxNode
  /** The full name of what is imported; null where nothing is. */
  readonly path: string | null
  /** What it is set to; null where nobody here can say (a parameter, a loop variable, a function). */
  readonly value: SyntaxNode | null
  /** Which of several results of `value`; null where it is all of it. */
  readonly position: number | null
  /** The declared type; null where there is none. */
  readonly type: SyntaxNode | null
}

/** The names of each scope (a node: the file, a function, a block). */
export type Scopes = ReadonlyMap<SyntaxNode, ReadonlyMap<string, readonly Binding[]>>

/** {@link Scopes} while they are filled. */
export type ScopesDraft = Map<SyntaxNode, Map<string, Binding[]>>

/** More bindings of one name in one scope than that are not compared with each other: the name is unknown. */
const MAX_BINDINGS = 100

/** A binding of which only the name is known, and what is given. */
export function bindingOf(node: SyntaxNode, rest: Partial<Omit<Binding, 'node'>> = {}): Binding {
  return { node, path: null, value: null, position: null, type: null, ...rest }
}

/** Adds a binding of a name to a scope. */
export function bind(scopes: ScopesDraft, scope: SyntaxNode, name: string, binding: Binding): void {
  const names = scopes.get(scope) ?? new Map<string, Binding[]>()
  scopes.set(scope, names)
  const known = names.get(name) ?? []
  names.set(name, known)
  if (known.length < MAX_BINDINGS) known.push(binding)
  else if (known.length === MAX_BINDINGS) known.push(bindingOf(binding.node))
}

/** Where a name is declared, and what the language takes for scopes and functions. */
export interface Place {
  readonly scope: SyntaxNode
  readonly scopes: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
}

/** The bindings that may hold at `use`: back to the last one that cannot have been skipped. In a function inside, later ones as well. */
export function reaching(all: readonly Binding[], use: SyntaxNode, { scope, scopes, functions }: Place): readonly Binding[] {
  const before = all.filter((binding) => endOf(binding) <= use.start).sort((a, b) => b.node.start - a.node.start)
  if (before.length === 0) return []
  const last = before.findIndex(({ node }) => isCertain(node, use, scopes))
  const certain = last < 0 ? before : before.slice(0, last + 1)
  const inner = around(use, functions)
  const isInside = inner !== null && inner !== scope && isWithin(inner, scope)
  return isInside ? [...certain, ...all.filter((binding) => endOf(binding) > use.start)] : certain
}

/** A name is bound once its whole statement is over: `x := f(x)` takes the older x. */
function endOf({ node, value }: Binding): number {
  return value ? Math.max(node.end, value.end) : node.end
}

/** True where a binding is made whenever `use` is reached: in a block around it. */
function isCertain(binding: SyntaxNode, use: SyntaxNode, scopes: ReadonlySet<string>): boolean {
  const block = around(binding, scopes)
  return block !== null && isWithin(use, block)
}
