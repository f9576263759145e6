import type { Node } from 'oxc-parser'
import { bare } from '../syntax/walk.js'
import { nameAt, type Reckoning, type Span, spanOf, termAt } from './reckon.js'

type Truth = boolean | null

/** Whether a condition holds; null where that is not known. */
export function truthOf(node: Node, reckoning: Reckoning, depth = 0): Truth {
  if (depth > 20) return null
  const inner = bare(node)
  const of = (part: Node) => truthOf(part, reckoning, depth + 1)
  switch (inner.type) {
    case 'LogicalExpression':
      return logical(inner.operator, of(inner.left), of(inner.right))
    case 'UnaryExpression':
      return inner.operator === '!' ? not(of(inner.argument)) : null
    case 'BinaryExpression': {
      const [left, right] = [spanOf(inner.left as Node, reckoning), spanOf(inner.right, reckoning)]
      return left && right ? compared(inner.operator, left, right) : comparedWithNothing(inner, reckoning)
    }
    default:
      return ofNumber(spanOf(inner, reckoning)) ?? ofMissing(inner, reckoning) ?? ofConstant(inner, reckoning, of)
  }
}

function ofNumber(span: Span | null): Truth {
  return span && (span[0] === span[1] || span[0] > 0) ? span[0] !== 0 : null
}

/** What a caller does not give, or gives as nothing. */
function ofMissing(node: Node, reckoning: Reckoning): Truth {
  const term = node.type === 'Identifier' ? termAt(node, reckoning) : null
  return term?.kind === 'constant' && (term.value === undefined || term.value === null) ? false : null
}

/** `timeoutMs !== undefined`, `limit == null`. */
function comparedWithNothing({ operator, left, right }: Extract<Node, { type: 'BinaryExpression' }>, reckoning: Reckoning): Truth {
  if (!/^[!=]==?$/.test(operator)) return null
  const [a, b] = [nothingIn(left as Node, reckoning), nothingIn(right, reckoning)]
  if (a === null || b === null || (a === 'something' && b === 'something')) return null
  const isEqual = operator.length === 2 ? (a === 'something') === (b === 'something') : a === b
  return operator.startsWith('!') ? !isEqual : isEqual
}

/** What an expression is of nothing; null where nobody knows whether it is something. */
function nothingIn(node: Node, reckoning: Reckoning): 'undefined' | 'null' | 'something' | null {
  if (spanOf(node, reckoning)) return 'something'
  const term = termAt(bare(node), reckoning)
  if (term.kind !== 'constant') return null
  return term.value === undefined ? 'undefined' : term.value === null ? 'null' : 'something'
}

/** `const willRetry = tries < 3 && isTransient(error)`, asked for right after. */
function ofConstant(node: Node, { module, counted }: Reckoning, of: (part: Node) => Truth): Truth {
  const name = node.type === 'Identifier' ? nameAt(node, module) : null
  if (!name || counted.has(name) || !name.isConst || name.binding.kind !== 'value' || name.binding.steps.length > 0) return null
  return name.binding.node && of(name.binding.node)
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function logical(operator: string, left: Truth, right: Truth): Truth {
  if (operator === '??') return null
  const decisive = operator === '||'
  if (left === decisive || right === decisive) return decisive
  return left === null || right === null ? null : !decisive
}

function compared(operator: string, a: Span, b: Span): Truth {
  switch (operator) {
    case '<':
      return a[1] < b[0] ? true : a[0] >= b[1] ? false : null
    case '<=':
      return a[1] <= b[0] ? true : a[0] > b[1] ? false : null
    case '>':
      return compared('<', b, a)
    case '>=':
      return compared('<=', b, a)
    case '===':
    case '==':
      return equal(a, b)
    case '!==':
    case '!=':
      return not(equal(a, b))
    default:
      return null
  }
}

function equal(a: Span, b: Span): Truth {
  if (a[1] < b[0] || b[1] < a[0]) return false
  return a[0] === a[1] && b[0] === b[1] ? true : null
}
