import { childOf, type SyntaxNode } from '../syntax-tree.js'

/** What a Python call is given. */
export interface PythonArguments {
  readonly positional: readonly SyntaxNode[]
  readonly keywords: ReadonlyMap<string, SyntaxNode>
  /** True where `*args` or `**kwargs` may hold more. */
  readonly isOpen: boolean
}

/** The arguments of a call. */
export function argumentsOf(call: SyntaxNode): PythonArguments {
  const list = childOf(call, 'arguments')
  const given = list?.type === 'argument_list' ? list.children : []
  const keywords = new Map<string, SyntaxNode>()
  const positional: SyntaxNode[] = []
  let isOpen = false
  for (const each of given) {
    const name = each.type === 'keyword_argument' ? childOf(each, 'name')?.text : undefined
    const value = childOf(each, 'value')
    if (each.type === 'list_splat' || each.type === 'dictionary_splat') isOpen = true
    else if (name !== undefined && value) keywords.set(name, value)
    else positional.push(each)
  }
  return { positional, keywords, isOpen }
}
