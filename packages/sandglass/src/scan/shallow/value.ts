import type { SyntaxNode } from './syntax-tree.js'

/**
 * What an expression may be, as far as one file tells.
 * `known`: its full name, with `()` after what was called and `{}` after what was written out: `requests.Session().get`;
 * `makers` are the calls and literals, the last one last. `nothing`: None, nil, null.
 */
export type Value =
  | { readonly kind: 'known'; readonly path: string; readonly makers: readonly SyntaxNode[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' }

export const UNKNOWN: readonly Value[] = [{ kind: 'unknown' }]

/** What expressions of a file were found to be: each is looked up once. */
export type Seen = Map<SyntaxNode, readonly Value[]>

/** Looks an expression up once; while it is being looked up, and where it leads back to itself, it is unknown. */
export function once(seen: Seen, node: SyntaxNode, look: () => readonly Value[]): readonly Value[] {
  const known = seen.get(node)
  if (known) return known
  seen.set(node, UNKNOWN)
  const found = look()
  seen.set(node, found)
  return found
}

/** A thing with a full name. */
export function known(path: string, makers: readonly SyntaxNode[] = []): Value {
  return { kind: 'known', path, makers }
}

/** Goes on from a known thing: to its member (`.get`), its result (`()`); nothing stays nothing, as that never happens. */
export function further(values: readonly Value[], step: string, maker: SyntaxNode | null = null): readonly Value[] {
  return values.map((value) => (value.kind === 'known' ? known(value.path + step, maker ? [...value.makers, maker] : value.makers) : value))
}

/** The things an expression may be, where all of them are known; null where one is not, or there is none. What is nothing does not count. */
export function allKnown(values: readonly Value[]): readonly Extract<Value, { kind: 'known' }>[] | null {
  const things = values.filter((value) => value.kind !== 'nothing')
  const found = things.flatMap((value) => (value.kind === 'known' ? [value] : []))
  return found.length > 0 && found.length === things.length ? found : null
}
