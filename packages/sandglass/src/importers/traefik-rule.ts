import type { RouteMatch } from './shadowed.js'
import type { Route } from './traefik-parts.js'

/** What a rule takes: matchers with `&&` between; one with `||`, `!` or a pattern is not compared with others. */
export function matchOf({ rule, entryPoints, hasTls }: Route): RouteMatch {
  // Two routers meet only with the same entry points, and both with TLS or both without.
  const outer = [hasTls ? 'tls' : 'plain', ...(entryPoints.length === 0 ? [] : [`at ${entryPoints.toSorted().join(', ')}`])]
  const any: RouteMatch = { host: null, path: null, others: outer, isClear: rule !== undefined && !/\|\||!/.test(rule.text) }
  const parts = rule?.text.split(/\s*(?:&&|\|\|)\s*/) ?? []
  return parts.reduce((match, part) => withMatcher(match, part.trim()), any)
}

function withMatcher(match: RouteMatch, part: string): RouteMatch {
  const found = /^([A-Za-z]+)\(([^()]*)\)$/.exec(part)
  const name = found?.[1]?.toLowerCase() ?? ''
  const values = (found?.[2] ?? '').split(',').map((value) => value.trim().replace(/^[`"]|[`"]$/g, ''))
  const [first = '', ...more] = values
  const unclear = { ...match, isClear: false }
  if (!found || /regexp/.test(name)) return unclear
  if (name === 'host') return more.length === 0 ? { ...match, host: first.toLowerCase() } : unclear
  if (name !== 'path' && name !== 'pathprefix') return { ...match, others: [...match.others, part] }
  if (more.length > 0 || !match.isClear || !first.startsWith('/') || /[{*]/.test(first)) return unclear
  return { ...match, path: { kind: name === 'path' ? 'exact' : 'prefix', text: first } }
}
