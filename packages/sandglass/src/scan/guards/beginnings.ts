import type { Node } from 'oxc-parser'
import type { Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import type { FunctionUses } from './function-uses.js'
import type { Reckoning } from './reckon.js'

/** A function with more callers than this is looked at with the first ones. */
const MAX_CALLERS = 50

/** With what a function may be called from elsewhere, by each of its callers; as it stands where the caller is known already, or none is seen. */
export function beginnings(
  of: FunctionNode,
  { reckoning, uses }: { readonly reckoning: Reckoning; readonly uses: FunctionUses },
): readonly [Reckoning, ...Reckoning[]] {
  if (reckoning.frame) return [reckoning]
  const [first, ...others] = uses
    .callersOf(of)
    .filter(({ node, module }) => !isInside(node, module, of, reckoning))
    .slice(0, MAX_CALLERS)
    .map(({ args, self }): Reckoning => ({ ...reckoning, frame: { of, args, self } }))
  return first ? [first, ...others] : [reckoning]
}

/** True for a place of a module within a function of the one that is looked at. */
export function isInside(node: Node, module: Module, of: FunctionNode, reckoning: Reckoning): boolean {
  return module === reckoning.module && node.start >= of.start && node.end <= of.end
}
