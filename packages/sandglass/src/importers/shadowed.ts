/** What a route takes, as far as it can be compared with another. */
export interface RouteMatch {
  /** Null: any host. */
  readonly host: string | null
  /** Null: any path. */
  readonly path: { readonly kind: 'prefix' | 'exact'; readonly text: string } | null
  /** Conditions that are compared as they are written; all of them must hold. */
  readonly others: readonly string[]
  /** False where it has conditions that are not understood: it covers nothing, and nothing is said of it. */
  readonly isClear: boolean
}

/** The routes that an earlier one leaves nothing to, each with that one; routes in the order in which they are tried. */
export function shadowedRoutes<T extends { readonly match: RouteMatch }>(
  routes: readonly T[],
): readonly { readonly route: T; readonly by: T }[] {
  const clear = routes.filter(({ match }) => match.isClear)
  // What covers others has mostly few conditions, and there are few of them: each route is compared with those alone.
  const wide: T[] = []
  const found: { route: T; by: T }[] = []
  for (const route of clear) {
    const by = wide.find((other) => covers(other.match, route.match))
    if (by) found.push({ route, by })
    else if (wide.length < MAX_WIDE) wide.push(route)
  }
  return found
}

const MAX_WIDE = 1000

/** True where everything that the second takes is taken by the first. */
export function covers(a: RouteMatch, b: RouteMatch): boolean {
  if (a.host !== null && a.host !== b.host) return false
  if (!a.others.every((condition) => b.others.includes(condition))) return false
  if (a.path === null) return true
  if (b.path === null) return a.path.kind === 'prefix' && a.path.text === '/'
  if (a.path.kind === 'exact') return b.path.kind === 'exact' && a.path.text === b.path.text
  return b.path.text.startsWith(a.path.text)
}
