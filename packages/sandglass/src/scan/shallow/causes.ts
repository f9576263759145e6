import { append } from '../../model/append.js'
import type { Sighting } from './sighting.js'
import { childOf, type SyntaxNode } from './syntax-tree.js'

/** Sightings that share a cause, so that they are one finding. */
export function byCause(sightings: readonly Sighting[], isCommand: boolean): readonly (readonly Sighting[])[] {
  const groups = new Map<string, Sighting[]>()
  for (const sighting of sightings) {
    const key = isCommand ? keyOfCommand(sighting) : (keyOfName(sighting) ?? String(sighting.cause.start))
    append(groups, key, sighting)
  }
  return [...groups.values()]
}

/** In a command line one finding for each library is enough. */
function keyOfCommand({ product, limit }: Sighting): string {
  return `${product.library} ${product.setting} ${limit.state}`
}

/** `client = …` in one branch and another one in the other, in the same function, without a limit in either. */
function keyOfName({ cause, product, limit }: Sighting): string | null {
  if (limit.state !== 'absent') return null
  const above = cause.parent?.type === 'await' ? cause.parent.parent : cause.parent
  const left = above?.type === 'assignment' ? childOf(above, 'left') : null
  return left ? `${product.library} ${left.text} ${functionOf(cause)?.start ?? ''}` : null
}

function functionOf(node: SyntaxNode): SyntaxNode | null {
  for (let above = node.parent; above; above = above.parent) if (above.type === 'function_definition') return above
  return null
}
