/** What is used of a cursor of tree-sitter; web-tree-sitter's fits it. */
export interface TreeCursor {
  readonly nodeType: string
  readonly nodeIsNamed: boolean
  readonly nodeIsMissing: boolean
  readonly startIndex: number
  readonly endIndex: number
  readonly currentFieldName: string | null
  gotoFirstChild(): boolean
  gotoNextSibling(): boolean
  gotoParent(): boolean
  delete(): void
}

/** What is used of a tree of tree-sitter; its memory is given back with `delete`. */
export interface ParsedTree {
  walk(): TreeCursor
  delete(): void
}

/** Reads a text as one language; null where the parser gave up. */
export type Parse = (text: string) => ParsedTree | null

/** A node of a syntax tree as plain data: named nodes, and signs that have a role (the operator of `a + b`). */
export interface SyntaxNode {
  readonly type: string
  /** The role in its parent: `function`, `arguments`, `left`; null where the grammar names none. */
  readonly field: string | null
  /** Offsets in the text, as of a string. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly parent: SyntaxNode | null
  readonly children: readonly SyntaxNode[]
  readonly tree: SyntaxTree
  /** Where it stands in `tree.nodes`, and its last descendant. */
  readonly index: number
  readonly lastIndex: number
}

/** A text as nodes, every node before its children. */
export interface SyntaxTree {
  readonly nodes: readonly SyntaxNode[]
  /** The first place the parser did not understand; null where it understood all. */
  readonly error: SyntaxNode | null
  /** The first place that is nested too deeply or comes too late to be kept; null where all was kept. */
  readonly cut: SyntaxNode | null
}

const MAX_DEPTH = 250
const MAX_NODES = 400_000

interface Draft {
  type: string
  field: string | null
  start: number
  end: number
  text: string
  parent: Draft | null
  children: Draft[]
  tree: SyntaxTree
  index: number
  lastIndex: number
}

interface TreeDraft extends SyntaxTree {
  nodes: Draft[]
  error: SyntaxNode | null
  cut: SyntaxNode | null
}

/** The tree as plain data: comments are left out, and what is nested more than 250 deep or comes after 400,000 nodes. */
export function readTree(parsed: ParsedTree, text: string): SyntaxTree {
  const tree: TreeDraft = { nodes: [], error: null, cut: null }
  const cursor = parsed.walk()
  const path: (Draft | null)[] = []
  try {
    do {
      const node = read(tree, cursor, text, path)
      if (node && cursor.gotoFirstChild()) path.push(node)
      else {
        close(node, tree)
        leave(tree, cursor, path)
      }
    } while (path.length > 0)
    return tree
  } finally {
    cursor.delete()
  }
}

/** The node at the cursor; null where nothing below it is wanted. */
function read(tree: TreeDraft, cursor: TreeCursor, text: string, path: readonly (Draft | null)[]): Draft | null {
  const parent = path.at(-1) ?? null
  const isKept = (cursor.nodeIsNamed || cursor.currentFieldName !== null) && !cursor.nodeType.endsWith('comment')
  const isFull = path.length >= MAX_DEPTH || tree.nodes.length >= MAX_NODES
  const node = isKept && !isFull ? add(tree, cursor, text, parent) : null
  if (cursor.nodeType === 'ERROR' || cursor.nodeIsMissing) tree.error ??= node ?? parent
  if (isFull) tree.cut ??= parent
  return node
}

/** On to the next node that is not below the one that was read. */
function leave(tree: TreeDraft, cursor: TreeCursor, path: (Draft | null)[]): void {
  while (path.length > 0 && !cursor.gotoNextSibling()) {
    cursor.gotoParent()
    close(path.pop() ?? null, tree)
  }
}

function add(tree: TreeDraft, cursor: TreeCursor, text: string, parent: Draft | null): Draft {
  const { nodeType: type, startIndex: start, endIndex: end, currentFieldName: field } = cursor
  const index = tree.nodes.length
  const node: Draft = { type, field, start, end, text: text.slice(start, end), parent, children: [], tree, index, lastIndex: index }
  tree.nodes.push(node)
  parent?.children.push(node)
  return node
}

function close(node: Draft | null, { nodes }: TreeDraft): void {
  if (node) node.lastIndex = nodes.length - 1
}

/** The child with a role; null where there is none. */
export function childOf(node: SyntaxNode | null, field: string): SyntaxNode | null {
  return node?.children.find((child) => child.field === field) ?? null
}

/** All nodes below a node, in the order of the text. */
export function below(node: SyntaxNode): readonly SyntaxNode[] {
  return node.tree.nodes.slice(node.index + 1, node.lastIndex + 1)
}

/** The nearest node around a node that has one of the types; null where there is none. */
export function around(node: SyntaxNode, types: ReadonlySet<string>): SyntaxNode | null {
  for (let each = node.parent; each; each = each.parent) if (types.has(each.type)) return each
  return null
}

/** True where `inner` is `outer` or below it. */
export function isWithin(inner: SyntaxNode, outer: SyntaxNode): boolean {
  return inner.index >= outer.index && inner.index <= outer.lastIndex
}
