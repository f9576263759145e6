import { around, childOf, isWithin, type SyntaxNode } from '../syntax-tree.js'
import { goBindings } from './go-scopes.js'
import type { GoFile } from './go-values.js'

const HOLDERS: ReadonlySet<string> = new Set(['short_var_declaration', 'var_spec', 'assignment_statement', 'keyed_element'])
const FUNCTION: ReadonlySet<string> = new Set(['function_declaration', 'method_declaration'])
const PREPARES = /timeout|config|setup|option|apply|wrap|instrument|middleware/i

/** What happens to a new thing after it was made: fields that are set, and whether a function prepares it. */
export interface GoAftermath {
  /** The values given to a field later; null stands for one that cannot be read. */
  readonly sets: (field: string) => readonly (SyntaxNode | null)[]
  readonly isPrepared: boolean
}

/** Follows a new thing through the variable or field that holds it. */
export function aftermathOf(file: GoFile, maker: SyntaxNode): GoAftermath {
  const mentions = mentionsOfHolder(file, maker)
  const sets = (field: string) =>
    (file.assigned.get(field) ?? []).flatMap(({ target, value }) => {
      const owner = childOf(target, 'operand')
      return owner && mentions.some((each) => isWithin(each, owner) && each.end === owner.end) ? [value] : []
    })
  return { sets, isPrepared: mentions.some(isPreparing) }
}

/** All places that name the variable or the field which a new thing is put into. */
function mentionsOfHolder(file: GoFile, maker: SyntaxNode): readonly SyntaxNode[] {
  const holder = around(maker, HOLDERS)
  const name = holder ? holderName(holder, maker) : null
  if (!name) return []
  const all = file.mentions.get(name.text) ?? []
  if (name.type === 'field_identifier' || holder?.type === 'keyed_element') return all.filter(({ type }) => type === 'field_identifier')
  const { scope } = goBindings(file.scopes, name)
  const home = scope ?? around(name, FUNCTION) ?? file.tree.nodes[0] ?? null
  return home ? all.filter((each) => each.type === 'identifier' && isWithin(each, home)) : []
}

function holderName(holder: SyntaxNode, maker: SyntaxNode): SyntaxNode | null {
  if (holder.type === 'keyed_element') return childOf(holder, 'key')?.children[0] ?? null
  if (maker.type === 'var_spec') return childOf(maker, 'name')
  const isList = holder.type !== 'var_spec'
  const names = isList ? (childOf(holder, 'left')?.children ?? []) : holder.children.filter(({ field }) => field === 'name')
  const values = childOf(holder, isList ? 'right' : 'value')?.children ?? []
  const index = values.findIndex((value) => isWithin(maker, value))
  const name = names[index]
  return name?.type === 'selector_expression' ? childOf(name, 'field') : (name ?? null)
}

/** `configureTimeout(client)` */
function isPreparing(mention: SyntaxNode): boolean {
  const item = mention.parent?.type === 'unary_expression' || mention.parent?.type === 'selector_expression' ? mention.parent : mention
  const list = item.parent
  return list?.type === 'argument_list' && PREPARES.test(childOf(list.parent, 'function')?.text ?? '')
}
