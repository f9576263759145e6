import type { ArrowFunctionExpression, Class, Function as FunctionSyntax, Node } from 'oxc-parser'

/** A function of the code, in any of its forms. */
export type FunctionNode = FunctionSyntax | ArrowFunctionExpression

/** One step from a value to a part of it, as a pattern takes it apart: a name, a place in a list, or the rest. */
export type PatternStep = { readonly name: string } | { readonly index: number } | { readonly rest: readonly string[] }

/** Where the value of a name comes from. */
export type Binding =
  | { readonly kind: 'value'; readonly node: Node | null; readonly steps: readonly PatternStep[]; readonly fallback: Node | null }
  | {
      readonly kind: 'parameter'
      readonly of: FunctionNode
      readonly index: number
      readonly isRest: boolean
      readonly steps: readonly PatternStep[]
      readonly fallback: Node | null
      /** The default of the innermost pattern: `{ timeoutMs = 500 }`. */
      readonly innerFallback: Node | null
    }
  | { readonly kind: 'import'; readonly request: string; readonly name: string; readonly node: Node }
  | { readonly kind: 'function'; readonly node: FunctionNode }
  | { readonly kind: 'class'; readonly node: Class }
  /** Something that runs no code here: a type, an enum, a caught error, a loop's variable. */
  | { readonly kind: 'opaque'; readonly node: Node }

/** A name of a scope: how it is declared, and what is assigned to it later. */
export interface Declared {
  readonly name: string
  readonly binding: Binding
  readonly scope: Scope
  readonly isConst: boolean
  readonly assigned: Node[]
}

/** The names that hold in a stretch of code. */
export interface Scope {
  readonly above: Scope | null
  readonly node: Node
  /** Where `var` and functions go: a function's body or the module. */
  readonly isFunction: boolean
  readonly names: Map<string, Declared>
}

/** A scope below another one. */
export function newScope(node: Node, above: Scope | null, isFunction: boolean): Scope {
  return { above, node, isFunction, names: new Map() }
}

/** The declaration a name means in a scope; null where it is declared nowhere: a global. */
export function lookUp(name: string, scope: Scope): Declared | null {
  for (let here: Scope | null = scope; here; here = here.above) {
    const found = here.names.get(name)
    if (found) return found
  }
  return null
}

/** True for a node that is a function. */
export function isFunctionNode(node: Node | null | undefined): node is FunctionNode {
  return node?.type === 'FunctionDeclaration' || node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression'
}
