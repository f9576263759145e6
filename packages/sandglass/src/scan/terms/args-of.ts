import type { Node } from 'oxc-parser'
import type { CallNode, Module } from '../syntax/module.js'
import type { Evaluator } from './evaluator.js'
import { orText } from './or-text.js'
import { SPREAD_ARGUMENTS, type Term, unknownTerm } from './term.js'

/** The arguments of a call as terms; from a spread on nothing is known. */
export function argsOf(node: CallNode, module: Module, evaluator: Evaluator): readonly Term[] {
  if (node.type === 'TaggedTemplateExpression') return []
  const spread = node.arguments.findIndex((arg) => arg.type === 'SpreadElement')
  const args = spread < 0 ? node.arguments : node.arguments.slice(0, spread + 1)
  return args.map((arg) =>
    arg.type === 'SpreadElement' ? unknownTerm(SPREAD_ARGUMENTS) : orText(evaluator.termOf(arg as Node, module), arg as Node, module),
  )
}
