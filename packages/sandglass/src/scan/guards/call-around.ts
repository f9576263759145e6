import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import type { CallNode } from '../syntax/module.js'

/** A call or a `new`, which arguments stand in. */
export type WrappingNode = Exclude<CallNode, { type: 'TaggedTemplateExpression' }>

/** The call that something is written into: as an argument, or as what is called (-1). */
export function callAround(of: Node): { readonly node: WrappingNode; readonly index: number } | null {
  const outer = outerOf(of)
  const above = outer.parent
  if (above?.type !== 'CallExpression' && above?.type !== 'NewExpression') return null
  return { node: above, index: above.arguments.indexOf(outer as never) }
}

/** Without what only says a type, or stands in brackets, around it. */
export function outerOf(node: Node): Node {
  let outer = node
  while (outer.parent && TRANSPARENT.has(outer.parent.type)) outer = outer.parent
  return outer
}

const TRANSPARENT: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
])

/** An argument that a property stands in, and the name of that. */
export interface Named {
  readonly node: WrappingNode
  readonly index: number
  readonly under: string
}

/** The call whose argument has a property, directly in it. */
export function namedArgument(property: Node | null | undefined): Named | null {
  const object = property?.parent
  if (property?.type !== 'Property' || object?.type !== 'ObjectExpression') return null
  const under = keyName(property.key as Node, property.computed)
  const call = callAround(object)
  return call && call.index >= 0 && under !== null ? { ...call, under } : null
}
