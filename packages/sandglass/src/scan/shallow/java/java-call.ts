import type { Product } from '../products.js'
import type { Limit, Sighting } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { javaBindings } from './java-scopes.js'
import type { JavaFile } from './java-values.js'

/** A call, or a `new`, of something whose full name is known. */
export interface JavaCall {
  readonly file: JavaFile
  readonly node: SyntaxNode
  /** `java.net.http.HttpRequest.newBuilder().build()`, `org.springframework.web.client.RestTemplate{}`. */
  readonly path: string
  /** The calls that made it, itself the last one. */
  readonly makers: readonly SyntaxNode[]
  readonly args: readonly SyntaxNode[]
}

/** What a call may mean; null where it is none of this library's or nothing can be said. */
export type JavaReader = (call: JavaCall) => Sighting | null

/** A sighting that is its own cause unless another is given. */
export function javaSighting(
  product: Product,
  call: JavaCall,
  what: string,
  limit: Limit,
  rest: Partial<Pick<Sighting, 'cause' | 'target'>> = {},
): Sighting {
  return { product, what, call: call.node, cause: call.node, limit, target: null, ...rest }
}

/** The text of a string, or of one that is put together (`{…}` for what is not known); null where nothing is known. */
export function javaString(file: JavaFile, node: SyntaxNode | null | undefined, steps = 0): string | null {
  if (!node || steps > 20) return null
  if (node.type === 'string_literal') return node.text.replace(/^"+|"+$/g, '')
  if (node.type === 'parenthesized_expression') return javaString(file, node.children[0], steps + 1)
  if (node.type === 'identifier') {
    const { bindings } = javaBindings(file.scopes, node)
    return bindings.length === 1 ? javaString(file, bindings[0]?.value, steps + 1) : null
  }
  if (node.type !== 'binary_expression') return null
  const left = javaString(file, childOf(node, 'left'), steps + 1)
  const right = javaString(file, childOf(node, 'right'), steps + 1)
  return left === null && right === null ? null : `${left ?? '{…}'}${right ?? '{…}'}`
}
