import type { Module } from '../syntax/module.js'

/** Files in which Next.js looks for it. */
const OF_NEXT = /(^|\/)(route|page|layout|default|middleware)\.[jt]sx?$|(^|\/)pages\//

/** True for a module that says `export const runtime = 'edge'`: its `fetch` is not the one of Node. */
export function isAtTheEdge({ source, scope, exports }: Module): boolean {
  const binding = exports.has('runtime') && OF_NEXT.test(source.file) ? scope.names.get('runtime')?.binding : undefined
  const value = binding?.kind === 'value' && binding.node?.type === 'Literal' ? binding.node.value : null
  return value === 'edge' || value === 'experimental-edge'
}
