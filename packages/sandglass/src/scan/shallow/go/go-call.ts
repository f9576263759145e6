import type { Product } from '../products.js'
import type { Limit, Sighting } from '../sighting.js'
import type { SyntaxNode } from '../syntax-tree.js'
import { type GoFile, goArguments } from './go-values.js'

/** A call of something whose full name is known. */
export interface GoCall {
  readonly file: GoFile
  readonly node: SyntaxNode
  /** `net/http.Client{}.Do`. */
  readonly path: string
  /** The calls and literals that made what it is called on, the last one last. */
  readonly makers: readonly SyntaxNode[]
  readonly args: readonly SyntaxNode[]
}

/** What a call may mean; null where it is none of this library's or nothing can be said. */
export type GoReader = (call: GoCall) => Sighting | null

/** A call with its arguments. */
export function goCall(file: GoFile, node: SyntaxNode, path: string, makers: readonly SyntaxNode[]): GoCall {
  return { file, node, path, makers, args: goArguments(node) }
}

/** A sighting that is its own cause unless another is given. */
export function goSighting(product: Product, call: GoCall, limit: Limit, rest: Partial<Pick<Sighting, 'cause' | 'target'>> = {}): Sighting {
  return { product, what: shownName(call.path), call: call.node, cause: call.node, limit, target: null, ...rest }
}

/** `http.Client.Do` of `net/http.Client{}.Do`. */
function shownName(path: string): string {
  return (
    path
      .replace(/\(\)|\{\??\}/g, '')
      .replace(/\/v\d+(?=\.)/, '')
      .split('/')
      .slice(-1)[0] ?? path
  )
}
