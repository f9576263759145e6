import type { Evaluator } from './evaluator.js'
import { SPREAD_ARGUMENTS, type Term, unknownTerm } from './term.js'

/** What a spread gives as arguments: the items of a written list, or what a function makes of each of them. */
export function spreadItems(term: Term, evaluator: Evaluator): readonly Term[] {
  return writtenItems(term) ?? mappedItems(term, evaluator) ?? [unknownTerm(SPREAD_ARGUMENTS)]
}

function writtenItems(term: Term): readonly Term[] | null {
  return term.kind === 'list' && term.items.every(({ kind }) => kind !== 'unknown') ? term.items : null
}

/** `...['a', 'b'].map((name) => …)`. */
function mappedItems(term: Term, evaluator: Evaluator): readonly Term[] | null {
  if (term.kind !== 'made' || term.callee.kind !== 'member' || term.callee.name !== 'map') return null
  const [map] = term.args
  const items = writtenItems(term.callee.object)
  return items && map?.kind === 'function' ? items.map((item) => evaluator.called(map, [item], false, term.at)) : null
}
