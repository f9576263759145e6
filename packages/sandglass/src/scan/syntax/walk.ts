import type { Node } from 'oxc-parser'

/** Fields that hold no code that runs: types, positions, the way back. */
const NOT_CODE: ReadonlySet<string> = new Set([
  'type',
  'start',
  'end',
  'range',
  'loc',
  'parent',
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
export function walk(root: Node, enter: Visit, leave: (node: Node) => void = () => {}): void {
  const stack: { node: Node; isLeaving: boolean }[] = [{ node: root, isLeaving: false }]
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top.isLeaving) {
      leave(top.node)
      continue
    }
    if (!enter(top.node)) continue
    stack.push({ node: top.node, isLeaving: true })
    const children = childrenOf(top.node)
    for (let i = children.length - 1; i >= 0; i--) {
      const node = children[i]
      if (node) stack.push({ node, isLeaving: false })
    }
  }
}

/** The nodes directly below one, in the order of the text, with `parent` set. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (const [field, value] of Object.entries(node) as [string, unknown][]) {
    if (value === null || typeof value !== 'object' || NOT_CODE.has(field)) continue
    if (Array.isArray(value)) for (const item of value) takeNode(item, node, children)
    else takeNode(value, node, children)
  }
  return children
}

function takeNode(value: unknown, parent: Node, children: Node[]): void {
  if (!isNode(value)) return
  value.parent = parent
  children.push(value)
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
