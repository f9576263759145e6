import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import type { SeenCall } from '../scan-view.js'
import { bare } from '../syntax/walk.js'
import { functionAround } from '../terms/evaluator.js'

/** What stands for a cause: its place; for clients of one kind that a name of a function gets in several branches, that name. */
export function causeKey({ site, isClient }: SeenCall, spot: Spot, isOff = false): string {
  const made = isClient ? site.node : site.client?.at.node
  const name = made && made.start === spot.start && !isOff ? nameOf(made, spot) : null
  return JSON.stringify(
    name === null ? [spot.source.file, spot.start] : [spot.source.file, site.model.id, name, functionAround(made as Node)?.start],
  )
}

/** `client` of `client = new Client()`, which is declared without a value before. */
function nameOf(made: Node, { source }: Spot): string | null {
  let outer: Node = made
  while (outer.parent && (outer.parent.type === 'AwaitExpression' || bare(outer.parent) === outer)) outer = outer.parent
  const above = outer.parent
  if (above?.type !== 'AssignmentExpression' || above.right !== outer || above.operator !== '=') return null
  if (!isInBranch(above) || (made.type !== 'NewExpression' && made.type !== 'CallExpression')) return null
  const textOf = ({ start, end }: Node) => source.text.slice(start, end)
  return `${textOf(above.left)} ${textOf(made.callee)}`
}

function isInBranch(node: Node): boolean {
  for (let here: Node = node, above = node.parent; above; here = above, above = above.parent) {
    if (above.type === 'IfStatement' && above.test !== here) return true
    if (above.type === 'SwitchCase' || above.type === 'TryStatement') return true
    if (above.type === 'BlockStatement' || above.type === 'ExpressionStatement') continue
    return false
  }
  return false
}
