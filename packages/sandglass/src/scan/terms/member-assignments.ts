import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import { keyName } from '../syntax/declare.js'
import { type MemberAssignment, type Module, scopeAt } from '../syntax/module.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { blockOf } from './block-of.js'
import type { Evaluator } from './evaluator.js'
import { constant } from './fold.js'
import { eitherOf, type ObjectPart, unknownTerm } from './term.js'

/** What is assigned to a member, as a part of the object; where it is not done in the same block it may be there. */
export function partOf({ left, right, node }: Assigned, block: Node | null, module: Module, evaluator: Evaluator): ObjectPart {
  const at = { node, module }
  const name = keyName(left.property as Node, left.computed)
  if (name === null) return { spread: unknownTerm('a computed name'), at }
  const part = { name, value: evaluator.termOf(right, module), at }
  return node.operator === '=' && blockOf(node) === block ? part : perhaps(part)
}

/** A part that may be there or not. */
export function perhaps(part: ObjectPart): ObjectPart {
  const { at } = part
  return { spread: eitherOf([{ kind: 'object', parts: [part], at }, constant(undefined, at)]), at }
}

/** An assignment to a member of a name. */
export interface Assigned {
  readonly node: MemberAssignment
  readonly left: Extract<Node, { type: 'MemberExpression' }>
  readonly right: Node
}

const known = new WeakMap<Module, ReadonlyMap<Declared, readonly Assigned[]>>()

/** The assignments of a module to members of each of its names. */
export function assignmentsIn(module: Module): ReadonlyMap<Declared, readonly Assigned[]> {
  const before = known.get(module)
  if (before) return before
  const found = new Map<Declared, Assigned[]>()
  for (const node of module.memberAssignments) {
    const left = node.left as Node
    if (left.type !== 'MemberExpression') continue
    const object = bare(left.object as Node)
    const declared = object.type === 'Identifier' ? lookUp(object.name, scopeAt(object, module)) : null
    if (declared) append(found, declared, { node, left, right: node.right })
  }
  known.set(module, found)
  return found
}
