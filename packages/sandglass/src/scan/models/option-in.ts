import type { Evaluator } from '../terms/evaluator.js'
import type { Term } from '../terms/term.js'

/** What stands under a name among options that are written, one of several by a condition included; undefined where nothing does. */
export function optionIn(options: Term | undefined, name: string, evaluator: Evaluator): Term | undefined {
  if (options?.kind !== 'object' && options?.kind !== 'either') return undefined
  const found = evaluator.memberOf(options, name)
  return found.kind === 'constant' && found.value === undefined ? undefined : found
}
