import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import { keyName } from '../syntax/declare.js'
import { type MemberAssignment, type Module, scopeAt } from '../syntax/module.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { blockOf } from './block-of.js'
import type { Evaluator } from './evaluator.js'
import { constant } from './fold.js'
import { propertyOf } from './property.js'
import { eitherOf, type ObjectPart, type ObjectTerm, type Term, unknownTerm } from './term.js'

/** `const options = { … }` with what is assigned to its members afterwards: `options.signal = …`; under a condition it may be there. */
export function withAssignedMembers(term: ObjectTerm, declared: Declared, module: Module, evaluator: Evaluator): ObjectTerm {
  const assigned = assignmentsIn(module).get(declared)
  if (!assigned || assigned.length > MAX_ASSIGNED) return term
  return { ...term, parts: [...term.parts, ...assigned.map((each) => partOf(each, term, module, evaluator))] }
}

/** One member of such an object by itself, so that another one may be made of it: `agents.retry = new RetryAgent(agents.plain)`. Null where it is none. */
export function ownMember(object: Node, name: string, module: Module, evaluator: Evaluator): Term | null {
  const inner = bare(object)
  const declared = inner.type === 'Identifier' ? lookUp(inner.name, scopeAt(inner, module)) : null
  const assigned = declared && assignmentsIn(module).get(declared)
  if (!assigned || assigned.length > MAX_ASSIGNED || declared.assigned.length > 0 || declared.binding.kind !== 'value') return null
  const { node, steps } = declared.binding
  if (!node || steps.length > 0 || bare(node).type !== 'ObjectExpression') return null
  const written = evaluator.termOf(node, module)
  if (written.kind !== 'object') return null
  const later = assigned.filter(({ left }) => [name, null].includes(keyName(left.property as Node, left.computed)))
  return propertyOf({ ...written, parts: [...written.parts, ...later.map((each) => partOf(each, written, module, evaluator))] }, name)
}

/** An object with more members put into it is no options but a collection. */
const MAX_ASSIGNED = 40

function partOf({ left, right, node }: Assigned, { at: home }: ObjectTerm, module: Module, evaluator: Evaluator): ObjectPart {
  const at = { node, module }
  const name = keyName(left.property as Node, left.computed)
  if (name === null) return { spread: unknownTerm('a computed name'), at }
  const part = { name, value: evaluator.termOf(right, module), at }
  const isCertain = node.operator === '=' && blockOf(node) === blockOf(home.node)
  return isCertain ? part : { spread: eitherOf([{ kind: 'object', parts: [part], at }, constant(undefined, at)]), at }
}

interface Assigned {
  readonly node: MemberAssignment
  readonly left: Extract<Node, { type: 'MemberExpression' }>
  readonly right: Node
}

const known = new WeakMap<Module, ReadonlyMap<Declared, readonly Assigned[]>>()

function assignmentsIn(module: Module): ReadonlyMap<Declared, readonly Assigned[]> {
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
