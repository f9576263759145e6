import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { pythonBindings } from './python-scopes.js'
import type { PythonFile } from './python-values.js'

const MAX_STEPS = 6

/** A text that the file tells, with `{…}` where it is put together; null where it does not tell. */
export function pythonString(file: PythonFile, node: SyntaxNode, steps = 0): string | null {
  if (steps > MAX_STEPS) return null
  const inner = (each: SyntaxNode) => pythonString(file, each, steps + 1)
  switch (node.type) {
    case 'string':
      return node.children.map((part) => (part.type === 'string_content' ? part.text : part.type === 'interpolation' ? '{…}' : '')).join('')
    case 'concatenated_string':
      return node.children.map((part) => inner(part) ?? '').join('')
    case 'parenthesized_expression':
      return node.children[0] ? inner(node.children[0]) : null
    case 'binary_operator':
      return sum(node, inner)
    case 'identifier': {
      const [binding, ...rest] = pythonBindings(file.scopes, node)
      return binding?.value && binding.position === null && rest.length === 0 ? inner(binding.value) : null
    }
    default:
      return null
  }
}

function sum(node: SyntaxNode, inner: (each: SyntaxNode) => string | null): string | null {
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')]
  if (!left || !right) return null
  const operator = childOf(node, 'operator')?.type
  if (operator === '%') return inner(left)?.replace(/%(?:\(\w+\))?[a-z]/g, '{…}') ?? null
  const [before, after] = [inner(left), inner(right)]
  if (operator !== '+' || (before === null && after === null)) return null
  return `${before ?? '{…}'}${after ?? '{…}'}`
}
