import type { Node } from 'oxc-parser'

/** After so many steps up it is remembered where they led. */
const FAR = 64

/**
 * What the first node gives that gives something, from `node` upwards; null where none does. `known` remembers long ways: what nests by the
 * thousand is not climbed for each part of it.
 */
export function firstAbove<T extends object>(node: Node, given: (here: Node) => T | null, known: WeakMap<Node, T>): T | null {
  let far: Node[] | null = null
  let steps = 0
  for (let here: Node | null | undefined = node; here; here = here.parent) {
    const found = given(here) ?? (steps >= FAR ? known.get(here) : null)
    if (found) {
      for (const each of far ?? []) known.set(each, found)
      return found
    }
    if (++steps % FAR === 0) far = [...(far ?? []), here]
  }
  return null
}
