import type { Node } from 'oxc-parser'
import { append } from '../../model/append.js'
import type { Module } from '../syntax/module.js'
import type { TopFunction } from './top-function.js'

/** The names a module gives to others, by what they stand for. */
interface Given {
  /** By the name of what is declared in the module. */
  readonly byName: ReadonlyMap<string, readonly string[]>
  readonly byNode: ReadonlyMap<Node, readonly string[]>
  /** What stands in `module.exports = { … }`. */
  readonly listed: ReadonlySet<string | Node>
}

const givenOf = new WeakMap<Module, Given>()

/** The names under which a module gives a function to others. */
export function exportedAs({ name, node, isGiven }: TopFunction, module: Module): readonly string[] {
  const given = givenOf.get(module) ?? givenBy(module)
  givenOf.set(module, given)
  const names = [...new Set([...(given.byName.get(name) ?? []), ...(given.byNode.get(node) ?? [])])]
  if (names.length > 0) return names
  return given.listed.has(name) || given.listed.has(node) || isGiven ? [name] : []
}

function givenBy({ exports }: Module): Given {
  const byName = new Map<string, string[]>()
  const byNode = new Map<Node, string[]>()
  for (const [as, given] of exports) {
    if (given.kind === 'from') continue
    const name = given.kind === 'local' ? given.name : nameOf(given.node)
    if (name !== null) append(byName, name, as)
    else if (given.kind === 'expression') append(byNode, given.node, as)
  }
  const whole = exports.get('=')
  const properties = whole?.kind === 'expression' && whole.node.type === 'ObjectExpression' ? whole.node.properties : []
  const values = properties.flatMap((each) => (each.type === 'Property' ? [each.value as Node] : []))
  return { byName, byNode, listed: new Set(values.map((value) => nameOf(value) ?? value)) }
}

function nameOf(node: Node): string | null {
  return node.type === 'Identifier' ? node.name : null
}
