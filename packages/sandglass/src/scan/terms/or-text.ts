import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import { operation } from './fold.js'
import { isText } from './is-text.js'
import type { Term } from './term.js'

/** An argument as a term: of one that nobody knows it may be known that it is a text, and so holds no options. */
export function orText(term: Term, node: Node, module: Module): Term {
  return isOpen(term) && isText(node, module) ? operation('text', [term], { node, module }) : term
}

/** Nothing in it is written as options. */
function isOpen(term: Term): boolean {
  switch (term.kind) {
    case 'member':
    case 'unknown':
    case 'parameter':
      return true
    case 'external':
      return term.package !== 'global'
    case 'made':
      return !term.isNew
    case 'either':
      return term.of.every((each) => isOpen(each) || isMissing(each))
    default:
      return false
  }
}

const isMissing = (term: Term) => term.kind === 'constant' && (term.value === undefined || term.value === null)

/** What was told to be a text, without that. */
export function withoutText(term: Term): Term {
  const isTold =
    term.kind === 'made' && term.callee.kind === 'external' && term.callee.package === 'operator' && term.callee.path[0] === 'text'
  return (isTold ? term.args[0] : undefined) ?? term
}
