import type { Node } from 'oxc-parser'
import type { Site } from '../models/library-model.js'

/** True for a call whose promise is dropped without anything that catches: once a signal ends it, the process ends with it. */
export function isUncaught({ node, model, args }: Pick<Site, 'node' | 'model' | 'args'>): boolean {
  // What tells its end to a function, or by events, gives no promise.
  if (model.packages.includes('node:http') || args.some(({ kind }) => kind === 'function')) return false
  let here: Node = node
  for (let above = here.parent; above?.type === 'MemberExpression' && above.object === here; above = here.parent) {
    const call = above.parent
    const name = above.property.type === 'Identifier' ? above.property.name : ''
    if (call?.type !== 'CallExpression' || call.callee !== above || !/^(then|finally)$/.test(name) || call.arguments.length > 1)
      return false
    here = call
  }
  const { parent } = here
  const end = parent?.type === 'UnaryExpression' && parent.operator === 'void' ? parent.parent : parent
  return end?.type === 'ExpressionStatement'
}
