import type { Node } from 'oxc-parser'
import { keyName } from '../syntax/declare.js'
import { bare } from '../syntax/walk.js'
import { type Reckoning, termAt } from './reckon.js'
import { truthOf } from './truth-of.js'

/** Whether a condition holds where the error that it asks is that of a call which took too long; null where that is not known. */
export function truthAfterTimeout(node: Node, reckoning: Reckoning, depth = 0): boolean | null {
  const known = truthOf(node, reckoning)
  if (known !== null || depth > 20) return known
  const inner = bare(node)
  const of = (part: Node) => truthAfterTimeout(part, reckoning, depth + 1)
  if (inner.type === 'UnaryExpression' && inner.operator === '!') {
    const truth = of(inner.argument)
    return truth === null ? null : !truth
  }
  if (inner.type === 'LogicalExpression' && inner.operator !== '??') {
    const decisive = inner.operator === '||'
    const [left, right] = [of(inner.left), of(inner.right)]
    if (left === decisive || right === decisive) return decisive
    return left === null || right === null ? null : !decisive
  }
  return inner.type === 'BinaryExpression' ? ofOther(inner, reckoning) : null
}

/** `error.code === 'ECONNREFUSED'` asks for another error than that. */
function ofOther({ operator, left, right }: Extract<Node, { type: 'BinaryExpression' }>, reckoning: Reckoning): boolean | null {
  const isEqual = operator === '===' || operator === '=='
  if (!isEqual && operator !== '!==' && operator !== '!=') return null
  const [asked, given] = isOfCaught(left as Node) ? [left as Node, right] : [right, left as Node]
  if (!isOfCaught(asked)) return null
  const term = termAt(given, reckoning)
  return term.kind === 'constant' && isOtherError(term.value) ? !isEqual : null
}

/** What tells kinds of errors apart: `error.code`, `error.response?.status`. */
function isOfCaught(node: Node): boolean {
  let here = bare(node)
  if (here.type !== 'MemberExpression' || !/^(code|type|status|statusCode)$/.test(keyName(here.property as Node, here.computed) ?? ''))
    return false
  while (here.type === 'MemberExpression') here = bare(here.object)
  return here.type === 'Identifier' && isCaught(here.name, node)
}

function isCaught(name: string, node: Node): boolean {
  for (let here: Node | null | undefined = node; here; here = here.parent)
    if (here.type === 'CatchClause' && here.param?.type === 'Identifier' && here.param.name === name) return true
  return false
}

/** What libraries and databases call a call that took too long, or one that was ended. */
const OF_TIMEOUT = /time|abort|cancel|deadline|^57014$|^55P03$|^P1008$|^P2024$|^P2028$/i
const STATUS_OF_TIMEOUT: readonly number[] = [408, 500, 504, 524, 598, 599]

function isOtherError(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !OF_TIMEOUT.test(value)
  // Smaller numbers are codes of one library's own.
  return typeof value === 'number' && value >= 100 && !STATUS_OF_TIMEOUT.includes(value)
}
