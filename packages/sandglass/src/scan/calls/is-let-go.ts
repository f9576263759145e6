import type { Node } from 'oxc-parser'
import type { CallNode } from '../syntax/module.js'

/** True for a call of which the text says that nobody waits for its end, and that starts nothing when it is over: `fetch(url).catch(() => {})`, `void fetch(url)`. */
export function isLetGo(call: CallNode): boolean {
  let node: Node = call
  for (let next = withoutErrors(node); next; next = withoutErrors(node)) node = next
  const { parent } = node
  const isVoid = parent?.type === 'UnaryExpression' && parent.operator === 'void'
  return isVoid ? parent.parent?.type === 'ExpressionStatement' : node !== call && parent?.type === 'ExpressionStatement'
}

/** What `.catch(…)` makes of a promise; a `.then` goes on with what came, and waits for it. */
function withoutErrors(node: Node): Node | null {
  const { parent } = node
  if (parent?.type !== 'MemberExpression' || parent.object !== node) return null
  const { property, parent: call } = parent
  const isCatch = property.type === 'Identifier' && property.name === 'catch'
  return isCatch && call?.type === 'CallExpression' && call.callee === parent ? call : null
}
