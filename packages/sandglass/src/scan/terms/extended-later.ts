import type { Node } from 'oxc-parser'
import { type Module, scopeAt } from '../syntax/module.js'
import { type Declared, lookUp } from '../syntax/scope.js'
import { bare } from '../syntax/walk.js'
import { blockOf } from './block-of.js'
import { eitherOf, type ObjectPart, type ObjectTerm, type Term } from './term.js'

/** A name that is extended more often is no options but a collection. */
const MAX_LATER = 8

/** What is assigned to a name, and what that is. */
export interface Assignment {
  readonly node: Node
  readonly term: Term
}

/** `let options = { … }` before `options = { ...options, … }`, one after the other; null where something else is assigned, too. */
export function extendedLater(first: Assignment, later: readonly Assignment[], declared: Declared, module: Module): Term | null {
  if (later.length === 0 || later.length > MAX_LATER) return null
  let value = first.term
  for (const { node, term } of later) {
    const next = term.kind === 'object' ? extended(term, value, declared, module) : null
    if (!next) return null
    value = blockOf(node) === blockOf(first.node) ? next : eitherOf([value, next])
  }
  return value
}

function extended(term: ObjectTerm, before: Term, declared: Declared, module: Module): ObjectTerm | null {
  const isItself = (part: ObjectPart) => 'spread' in part && names(part.at.node, declared, module)
  if (!term.parts.some(isItself)) return null
  return { ...term, parts: term.parts.map((part) => (isItself(part) ? { spread: before, at: part.at } : part)) }
}

function names(spread: Node, declared: Declared, module: Module): boolean {
  const inner = spread.type === 'SpreadElement' ? bare(spread.argument) : null
  return inner?.type === 'Identifier' && lookUp(inner.name, scopeAt(inner, module)) === declared
}
