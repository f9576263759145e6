import { around, childOf, isWithin, type SyntaxNode } from '../syntax-tree.js'
import { isOfThis, javaBindings } from './java-scopes.js'
import type { JavaFile } from './java-values.js'

const PASSES_ON: ReadonlySet<string> = new Set(['method_invocation', 'parenthesized_expression', 'cast_expression', 'ternary_expression'])
const HOLDERS: ReadonlySet<string> = new Set(['variable_declarator', 'resource', 'assignment_expression'])

/** The variable that a new thing is put into, in parentheses, casts and chains or not; null where it is put into none. */
export function holderOf(made: SyntaxNode): SyntaxNode | null {
  let inner = made
  for (let node = made.parent; node; inner = node, node = node.parent) {
    if (HOLDERS.has(node.type)) return nameOf(node)
    const isPart = PASSES_ON.has(node.type) && (node.type !== 'method_invocation' || inner.field === 'object')
    if (!isPart) return null
  }
  return null
}

function nameOf(holder: SyntaxNode): SyntaxNode | null {
  const name = childOf(holder, holder.type === 'assignment_expression' ? 'left' : 'name')
  return name?.type === 'field_access' && childOf(name, 'object')?.type === 'this' ? childOf(name, 'field') : name
}

/** All places that mean the variable at `name`. */
export function mentionsOf(file: JavaFile, name: SyntaxNode): readonly SyntaxNode[] {
  const { scope } = javaBindings(file.scopes, name)
  const home = scope ?? around(name, new Set(['block', 'class_body']))
  if (!home) return []
  return (file.mentions.get(name.text) ?? []).filter((each) => isWithin(each, home) && isVariable(each))
}

function isVariable(name: SyntaxNode): boolean {
  const { parent } = name
  if (parent?.type === 'method_invocation') return name.field === 'object' || name.field === null
  return parent?.type !== 'field_access' || name.field === 'object' || isOfThis(name)
}

/** The calls of a method on the variable at `name`, as statements of their own or as the start of a chain. */
export function callsOn(file: JavaFile, name: SyntaxNode, methods: readonly string[]): readonly SyntaxNode[] {
  return mentionsOf(file, name).flatMap((mention) => {
    const found: SyntaxNode[] = []
    let object = isOfThis(mention) && mention.parent ? mention.parent : mention
    for (let call = object.parent; call?.type === 'method_invocation' && object.field === 'object'; object = call, call = call.parent) {
      if (methods.includes(childOf(call, 'name')?.text ?? '')) found.push(call)
    }
    return found
  })
}

/** The calls of a method along a chain, and on the variables that hold a part of it. */
export function callsAlong(file: JavaFile, makers: readonly SyntaxNode[], methods: readonly string[]): readonly SyntaxNode[] {
  const along = makers.filter((maker) => maker.type === 'method_invocation' && methods.includes(childOf(maker, 'name')?.text ?? ''))
  const names = makers.flatMap((maker) => holderOf(maker) ?? [])
  const beside = names.flatMap((name) => (name.type === 'identifier' ? callsOn(file, name, methods) : []))
  return [...new Set([...along, ...beside])]
}

/** Where a variable is given away: as an argument, or as the result of the method. */
export function handedOn(file: JavaFile, name: SyntaxNode): readonly SyntaxNode[] {
  return mentionsOf(file, name).flatMap((mention) => {
    const whole = isOfThis(mention) && mention.parent ? mention.parent : mention
    return whole.parent && /^(argument_list|return_statement)$/.test(whole.parent.type) ? [whole.parent] : []
  })
}
