import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { pythonBindings } from './python-scopes.js'
import type { PythonFile } from './python-values.js'

const MAX_STEPS = 10

/** A number that the file tells, `none` for None, null for what it does not tell; constants of the file are looked up. */
export function pythonNumber(file: PythonFile, node: SyntaxNode | null, steps = 0): number | 'none' | null {
  if (!node || steps > MAX_STEPS) return null
  const inner = (each: SyntaxNode | null | undefined) => pythonNumber(file, each ?? null, steps + 1)
  switch (node.type) {
    case 'none':
      return 'none'
    case 'integer':
    case 'float':
      return finite(Number(node.text.replaceAll('_', '')))
    case 'parenthesized_expression':
      return inner(node.children[0])
    case 'unary_operator': {
      const value = inner(childOf(node, 'argument'))
      return typeof value === 'number' && childOf(node, 'operator')?.type === '-' ? -value : null
    }
    case 'binary_operator':
      return combined(childOf(node, 'operator')?.type, inner(childOf(node, 'left')), inner(childOf(node, 'right')))
    case 'identifier':
      return same(pythonBindings(file.scopes, node).map(({ value, position }) => (position === null ? inner(value) : null)))
    default:
      return null
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function same(values: readonly (number | 'none' | null)[]): number | 'none' | null {
  const [first = null, ...rest] = values
  return rest.every((value) => value === first) ? first : null
}

function combined(operator: string | undefined, left: number | 'none' | null, right: number | 'none' | null): number | null {
  if (typeof left !== 'number' || typeof right !== 'number') return null
  if (operator === '*') return finite(left * right)
  if (operator === '+') return finite(left + right)
  if (operator === '-') return finite(left - right)
  return operator === '/' ? finite(left / right) : null
}
