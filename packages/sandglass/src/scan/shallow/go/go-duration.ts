import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { goBindings } from './go-scopes.js'
import { type GoFile, goArguments, goValues } from './go-values.js'

const MAX_STEPS = 10
const UNITS_MS: Readonly<Record<string, number>> = {
  'time.Nanosecond': 1e-6,
  'time.Microsecond': 1e-3,
  'time.Millisecond': 1,
  'time.Second': 1000,
  'time.Minute': 60_000,
  'time.Hour': 3_600_000,
}

/** A number of Go: a plain one, or one that is a duration and then in ms. */
interface GoNumber {
  readonly value: number
  readonly isTime: boolean
}

/** The ms of a `time.Duration` that the file tells; a plain number counts nanoseconds. Null where it does not tell. */
export function goDurationMs(file: GoFile, node: SyntaxNode | null): number | null {
  const found = numberOf(file, node, 0)
  if (!found || !Number.isFinite(found.value)) return null
  return found.isTime ? found.value : found.value / 1e6
}

function numberOf(file: GoFile, node: SyntaxNode | null, steps: number): GoNumber | null {
  if (!node || steps > MAX_STEPS) return null
  const inner = (each: SyntaxNode | null | undefined) => numberOf(file, each ?? null, steps + 1)
  switch (node.type) {
    case 'int_literal':
    case 'float_literal':
      return { value: Number(node.text.replaceAll('_', '')), isTime: false }
    case 'parenthesized_expression':
    case 'literal_element':
      return inner(node.children[0])
    case 'unary_expression': {
      const found = inner(childOf(node, 'operand'))
      return found && childOf(node, 'operator')?.type === '-' ? { ...found, value: -found.value } : null
    }
    case 'binary_expression':
      return combined(childOf(node, 'operator')?.type ?? '', inner(childOf(node, 'left')), inner(childOf(node, 'right')))
    case 'selector_expression': {
      const [unit] = allKnown(goValues(file, node)) ?? []
      const value = unit ? UNITS_MS[unit.path] : undefined
      return value === undefined ? null : { value, isTime: true }
    }
    case 'call_expression':
      return converted(file, node, inner)
    case 'identifier': {
      const { bindings } = goBindings(file.scopes, node)
      const [only] = bindings
      return bindings.length === 1 && only?.position === null ? inner(only.value) : null
    }
    default:
      return null
  }
}

/** `time.Duration(30)` is the number it is given. */
function converted(file: GoFile, node: SyntaxNode, inner: (each: SyntaxNode | null | undefined) => GoNumber | null): GoNumber | null {
  const [callee] = allKnown(goValues(file, childOf(node, 'function'))) ?? []
  return callee?.path === 'time.Duration' ? inner(goArguments(node)[0]) : null
}

function combined(operator: string, left: GoNumber | null, right: GoNumber | null): GoNumber | null {
  if (!left || !right) return null
  const isTime = left.isTime || right.isTime
  if (operator === '*') return left.isTime && right.isTime ? null : { value: left.value * right.value, isTime }
  if (operator === '/') return right.isTime ? null : { value: left.value / right.value, isTime }
  if (left.isTime !== right.isTime) return null
  if (operator === '+') return { value: left.value + right.value, isTime }
  return operator === '-' ? { value: left.value - right.value, isTime } : null
}
