import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'

/** Files in which Next.js looks for what they say of themselves. */
export const OF_NEXT: RegExp = /(^|\/)(route|page|layout|default|middleware)\.[jt]sx?$|(^|\/)pages\//

/** What a page or route says of itself under a name, as plain values: `export const maxDuration = 30`, or the same in its `config`. */
export function writtenForPage(name: string, module: Module): readonly unknown[] {
  const nodes = [exported(name, module), memberOf(exported('config', module), name)]
  return nodes.flatMap((node) => (node?.type === 'Literal' ? [node.value] : []))
}

function memberOf(config: Node | null, name: string): Node | null {
  if (config?.type !== 'ObjectExpression') return null
  for (const each of config.properties) {
    if (each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === name) return withoutType(each.value)
  }
  return null
}

/** What a module gives under a name, as it is written down. */
function exported(name: string, { exports, scope }: Module): Node | null {
  const binding = exports.has(name) ? scope.names.get(name)?.binding : undefined
  return binding?.kind === 'value' && binding.node ? withoutType(binding.node) : null
}

/** An expression without `as` and `satisfies`. */
export function withoutType(node: Node): Node {
  return node.type === 'TSSatisfiesExpression' || node.type === 'TSAsExpression' ? withoutType(node.expression) : node
}
