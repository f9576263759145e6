import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { assignedByHelpers } from './assigned-by-helpers.js'
import { blockOf } from './block-of.js'
import type { Evaluator } from './evaluator.js'
import { assignmentsIn, partOf } from './member-assignments.js'
import { propertyOf } from './property.js'
import type { ObjectTerm, Term } from './term.js'

/** `const options = { … }` with what is assigned to its members afterwards: `options.signal = …`; under a condition it may be there. */
export function withAssignedMembers(term: ObjectTerm, declared: Declared, module: Module, evaluator: Evaluator): ObjectTerm {
  const assigned = assignmentsIn(module).get(declared) ?? []
  if (assigned.length > MAX_ASSIGNED) return term
  const block = blockOf(term.at.node)
  const own = assigned.map((each) => partOf(each, block, module, evaluator))
  const later = [...own, ...assignedByHelpers({ declared, term, block, module }, evaluator)]
  return later.length === 0 ? term : { ...term, parts: [...term.parts, ...later] }
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
  return propertyOf(
    { ...written, parts: [...written.parts, ...later.map((each) => partOf(each, blockOf(written.at.node), module, evaluator))] },
    name,
  )
}

/** An object with more members put into it is no options but a collection. */
const MAX_ASSIGNED = 40
