import type { Node } from 'oxc-parser'
import type { CallNode, Module } from '../syntax/module.js'
import type { Evaluator } from './evaluator.js'
import { orText } from './or-text.js'
import { spreadItems } from './spread-items.js'
import { SPREAD_ARGUMENTS, type Term } from './term.js'

/** The arguments of a call as terms; from a spread on that may be anything, nothing is known. */
export function argsOf(node: CallNode, module: Module, evaluator: Evaluator): readonly Term[] {
  if (node.type === 'TaggedTemplateExpression') return []
  const args = node.arguments.flatMap((arg) =>
    arg.type === 'SpreadElement'
      ? spreadItems(evaluator.termOf(arg.argument, module), evaluator)
      : [orText(evaluator.termOf(arg as Node, module), arg as Node, module)],
  )
  const open = args.findIndex((term) => term.kind === 'unknown' && term.why === SPREAD_ARGUMENTS)
  return open < 0 ? args : args.slice(0, open + 1)
}
