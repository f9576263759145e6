import type { Node } from 'oxc-parser'
import { lastStartingAt } from '../syntax/last-starting-at.js'
import { type CallNode, type Module, scopeAt } from '../syntax/module.js'
import { type Declared, type FunctionNode, isFunctionNode, lookUp } from '../syntax/scope.js'
import { bare, walk } from '../syntax/walk.js'
import { type Evaluator, functionAround } from '../terms/evaluator.js'
import { isGlobal } from '../terms/term.js'
import { type Reckoning, type Span, spanOf } from './reckon.js'

type Call = Extract<CallNode, { type: 'CallExpression' }>

interface Place {
  readonly evaluator: Evaluator
  readonly within: FunctionNode | null
  readonly reckoning: Reckoning
}

/** A timer that calls whoever waits. */
export interface CallingTimer {
  readonly node: Call
  /** After how long; null where that is not known. */
  readonly span: Span | null
}

/** How many statements before the work such a timer is looked for. */
const MOST_BEFORE = 32

/**
 * The timer by which a function around some work calls the callback that it was given, whether the work has done so or not; what the work says later is
 * ignored: `setTimeout(() => { if (!called) { called = true; callback(false) } }, 500)`.
 */
export function timerBeforeCallback(work: Node, of: FunctionNode, { evaluator, within, reckoning }: Place): CallingTimer | null {
  const { module } = reckoning
  for (let around: FunctionNode | null = of; around && around !== within; around = functionAround(around)) {
    const statements = around.body?.type === 'BlockStatement' ? around.body.body : []
    const at = lastStartingAt(statements, work.start)
    const before = statements.slice(Math.max(0, at - MOST_BEFORE), Math.max(0, at)) as Node[]
    for (const statement of before) {
      const node = callIn(statement)
      if (node && isGlobal(evaluator.termOf(node.callee, module), 'setTimeout') && callsBack(node, { statement, work, around, module }))
        return { node, span: spanOfSecond(node, reckoning) }
    }
  }
  return null
}

interface Timed {
  readonly statement: Node
  readonly work: Node
  readonly around: FunctionNode
  readonly module: Module
}

function callsBack({ arguments: [callback] }: Call, { statement, work, around, module }: Timed): boolean {
  const late = callback && bare(callback as Node)
  return isFunctionNode(late) && callsTheSame(late, work, around, module) && isHeeded({ statement, late, work, module })
}

function spanOfSecond({ arguments: [, ms] }: Call, reckoning: Reckoning): Span | null {
  return ms && ms.type !== 'SpreadElement' ? spanOf(ms, reckoning) : null
}

/** The call that a statement is, or whose value it keeps. */
function callIn(statement: Node): Call | null {
  const value =
    statement.type === 'VariableDeclaration'
      ? statement.declarations[0]?.init
      : statement.type === 'ExpressionStatement' && statement.expression.type === 'AssignmentExpression'
        ? statement.expression.right
        : statement.type === 'ExpressionStatement'
          ? statement.expression
          : null
  return value?.type === 'CallExpression' ? value : null
}

/** Both call one parameter of the function around them. */
function callsTheSame(late: Node, work: Node, around: FunctionNode, module: Module): boolean {
  const called = (within: Node) =>
    declaredIn(within, module, (node) => node.parent?.type === 'CallExpression' && node.parent.callee === node).filter(
      ({ binding }) => binding.kind === 'parameter' && binding.of === around,
    )
  const byWork = called(work)
  return called(late).some((each) => byWork.includes(each))
}

/** The work asks what the timer sets before it calls back, or it clears the timer then. */
function isHeeded({ statement, late, work, module }: { statement: Node; late: Node; work: Node; module: Module }): boolean {
  const set = declaredIn(late, module, (node) => node.parent?.type === 'AssignmentExpression' && node.parent.left === node)
  const asked = declaredIn(work, module, (node) => isAsked(node, work))
  if (set.some((each) => asked.includes(each))) return true
  const kept = statement.type === 'VariableDeclaration' ? statement.declarations[0]?.id : assignedIn(statement)
  const timer = kept?.type === 'Identifier' ? lookUp(kept.name, scopeAt(statement, module)) : null
  return timer !== null && declaredIn(work, module, isCleared).includes(timer)
}

function assignedIn(statement: Node): Node | null {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return null
  return statement.expression.left as Node
}

/** `if (called)`, `if (!called)`, `!called && …`. */
function isAsked(node: Node, work: Node): boolean {
  for (let here = node; here !== work && here.parent; here = here.parent) {
    const above: Node = here.parent
    if ((above.type === 'IfStatement' || above.type === 'ConditionalExpression') && above.test === here) return true
    if (above.type === 'LogicalExpression' && above.left === here) return true
    if (above.type !== 'UnaryExpression' && above.type !== 'LogicalExpression' && above.type !== 'ParenthesizedExpression') return false
  }
  return false
}

function isCleared({ parent }: Node): boolean {
  return parent?.type === 'CallExpression' && parent.callee.type === 'Identifier' && parent.callee.name === 'clearTimeout'
}

/** What the names in some code stand for, those that a condition holds of. */
function declaredIn(code: Node, module: Module, holds: (node: Node) => boolean): readonly Declared[] {
  const found: Declared[] = []
  walk(code, (node) => {
    const declared = node.type === 'Identifier' && holds(node) ? lookUp(node.name, scopeAt(node, module)) : null
    if (declared) found.push(declared)
    return true
  })
  return found
}
