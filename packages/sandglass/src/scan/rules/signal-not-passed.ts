import type { Node } from 'oxc-parser'
import { type ScanFinding, scanFinding } from '../scan-finding.js'
import type { ScanRule } from '../scan-rule.js'
import { keyName } from '../syntax/declare.js'
import { type CallNode, type Module, scopeAt, spotOf } from '../syntax/module.js'
import { referencesOf } from '../syntax/references.js'
import { lookUp } from '../syntax/scope.js'
import { outermost } from '../syntax/walk.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import { isGlobal } from '../terms/term.js'

type Made = 'controller' | 'signal'

/** A controller or a timed signal that is made in a function and given to nothing. */
export const signalNotPassed: ScanRule = {
  id: 'signal-not-passed',
  severity: 'warning',
  summary: 'a controller or a signal that nothing gets',
  *check({ modules, evaluator }) {
    for (const module of modules) {
      for (const node of module.calls) {
        const made = madeBy(node, module, evaluator)
        if (made && functionAround(node) !== null && isGivenToNothing(node, made, module)) yield scanFinding(findingOf(node, made, module))
      }
    }
  },
}

function madeBy(node: CallNode, module: Module, evaluator: Evaluator): Made | null {
  if (node.type === 'TaggedTemplateExpression') return null
  const callee = evaluator.termOf(node.callee, module)
  if (node.type === 'NewExpression' && isGlobal(callee, 'AbortController')) return 'controller'
  return isGlobal(callee, 'AbortSignal.timeout') ? 'signal' : null
}

/** Sure only where it is kept under a plain name, or not at all. */
function isGivenToNothing(node: CallNode, made: Made, module: Module): boolean {
  const above = outermost(node).parent
  if (above?.type === 'ExpressionStatement') return true
  if (above?.type !== 'VariableDeclarator' || above.id.type !== 'Identifier') return false
  const name = lookUp(above.id.name, scopeAt(above, module))
  if (!name || name.assigned.length > 0) return false
  const uses = referencesOf(name, module)
  return made === 'signal' ? uses.length === 0 : uses.every(isAbort)
}

/** `controller.abort` tells nobody anything as long as nobody has the signal. */
function isAbort(node: Node): boolean {
  const member = outermost(node).parent
  return member?.type === 'MemberExpression' && keyName(member.property as Node, member.computed) === 'abort'
}

function findingOf(node: CallNode, made: Made, module: Module): ScanFinding {
  return {
    rule: 'signal-not-passed',
    severity: 'warning',
    message:
      made === 'controller'
        ? 'nothing gets the signal of this controller: to abort it ends nothing'
        : 'nothing gets this signal: when its time is up, nothing ends',
    why: 'The limit looks as if it were there.',
    spot: spotOf(node, module),
    label: 'given to nothing',
    suggestion: {
      text: made === 'controller' ? 'pass controller.signal to the calls it is meant for' : 'pass it to the call it is meant for',
      edits: [],
    },
  }
}
