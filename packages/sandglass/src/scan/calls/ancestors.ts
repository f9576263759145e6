import type { Class } from 'oxc-parser'
import type { Caller } from '../scan-view.js'
import type { FunctionNode } from '../syntax/scope.js'
import { classAround, constructorOf } from '../terms/class-member.js'
import type { Evaluator } from '../terms/evaluator.js'
import type { At, ClassTerm } from '../terms/term.js'

/** Classes that extend each other are followed so far. */
const MAX_ANCESTORS = 8

/** A class and those of the project that it extends, itself first. */
export function ancestorsOf(of: ClassTerm, evaluator: Evaluator): readonly ClassTerm[] {
  const found = [of]
  for (let above = superOf(of, evaluator); above && found.length < MAX_ANCESTORS; above = superOf(above, evaluator)) {
    if (isAmong(above.node, found)) break
    found.push(above)
  }
  return found
}

function superOf({ node, module }: ClassTerm, evaluator: Evaluator): ClassTerm | null {
  const above = node.superClass ? evaluator.termOf(node.superClass, module) : null
  return above?.kind === 'class' ? above : null
}

/** False for who makes another class of one family than the call stands in: what its constructor is given there says nothing of this one. */
export function mayMakeIt(caller: Caller, of: FunctionNode, { node, module }: At, evaluator: Evaluator): boolean {
  const around = classAround(node)
  const made = madeBy(caller, evaluator)
  if (!around || !made) return true
  const own = ancestorsOf({ kind: 'class', node: around, module }, evaluator)
  if (own.every((each) => constructorOf(each.node) !== of)) return true
  return isAmong(made.node, own) || isAmong(around, ancestorsOf(made, evaluator))
}

const isAmong = (node: Class, all: readonly ClassTerm[]) => all.some((each) => each.node === node)

/** What `new Api()` makes, or the class whose constructor calls `super()`. */
function madeBy({ node, module }: Caller, evaluator: Evaluator): ClassTerm | null {
  if (node.type === 'TaggedTemplateExpression') return null
  if (node.callee.type !== 'Super') {
    const made = evaluator.termOf(node.callee, module)
    return made.kind === 'class' ? made : null
  }
  const around = classAround(node)
  return around && { kind: 'class', node: around, module }
}
