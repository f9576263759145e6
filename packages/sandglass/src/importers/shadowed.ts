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

/** The routes that earlier ones leave nothing to, each with one of those; in the order in which they are tried. A route may have alternatives. */
export function shadowedRoutes<T extends { readonly matches: readonly RouteMatch[] }>(
  routes: readonly T[],
): readonly { readonly route: T; readonly by: T }[] {
  const wide: { readonly match: RouteMatch; readonly route: T }[] = []
  const found: { route: T; by: T }[] = []
  for (const route of routes) {
    const covering = route.matches.map((match) => (match.isClear ? wide.find((earlier) => covers(earlier.match, match)) : undefined))
    const by = covering.every((each) => each !== undefined) ? covering[0] : undefined
    if (by) found.push({ route, by: by.route })
    else wide.push(...route.matches.filter(({ isClear }) => isClear && wide.length < MAX_WIDE).map((match) => ({ match, route })))
  }
  return found
}

/** So many earlier routes each route is compared with: what takes all mostly stands among the first. */
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
