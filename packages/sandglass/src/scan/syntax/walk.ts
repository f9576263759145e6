import type { Node } from 'oxc-parser'

/** Fields that hold no code that runs: types, positions, the way back. */
const NOT_CODE: ReadonlySet<string> = new Set([
  'type',
  'start',
  'end',
  'range',
  'loc',
  'parent',
  'tokens',
  'comments',
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
])

/** A visitor of nodes: what it returns false for is not gone into. */
export type Visit = (node: Node) => boolean

/**
 * Visits a node and all below it in the order of the text, sets `parent`, and leaves types out.
 * Works without recursion: a generated file may be nested deeper than a stack.
 */
export function walk(root: Node, enter: Visit, leave: ((node: Node) => void) | null = null): void {
  const stack: (Node | Leaving)[] = [root]
  for (let top = stack.pop(); top; top = stack.pop()) {
    if ('left' in top && top.type === LEAVING) {
      leave?.(top.left)
      continue
    }
    const node = top as Node
    if (!enter(node)) continue
    if (leave) stack.push({ type: LEAVING, left: node })
    const first = stack.length
    pushChildren(node, stack)
    for (let low = first, high = stack.length - 1; low < high; low++, high--) {
      const kept = stack[low] as Node
      stack[low] = stack[high] as Node
      stack[high] = kept
    }
  }
}

const LEAVING = 'Leaving'

interface Leaving {
  readonly type: typeof LEAVING
  readonly left: Node
}

function pushChildren(node: Node, stack: (Node | Leaving)[]): void {
  const fields = node as unknown as Record<string, unknown>
  for (const field in fields) {
    const value = fields[field]
    if (value === null || typeof value !== 'object' || NOT_CODE.has(field)) continue
    if (Array.isArray(value)) for (const item of value) pushNode(item, node, stack)
    else pushNode(value, node, stack)
  }
}

function pushNode(value: unknown, parent: Node, stack: (Node | Leaving)[]): void {
  if (!isNode(value)) return
  value.parent = parent
  stack.push(value)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** The node above; null at the program. */
export function parentOf(node: Node): Node | null {
  return node.parent ?? null
}

/** An expression without what changes nothing at run time: parentheses, `as`, `!`, `satisfies`, `await`. */
export function bare(node: Node): Node {
  for (let inner = node; ; ) {
    switch (inner.type) {
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
      case 'TSInstantiationExpression':
      case 'ChainExpression':
        inner = inner.expression
        break
      case 'AwaitExpression':
        inner = inner.argument
        break
      default:
        return inner
    }
  }
}

/** The outermost expression that is still the same value: the way up through what {@link bare} strips. */
export function outermost(node: Node): Node {
  let outer = node
  for (let above = parentOf(outer); above && above !== outer && bare(above) === bare(node); above = parentOf(outer)) outer = above
  return outer
}
