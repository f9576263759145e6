import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, type FactsDraft } from './facts.js'
import { type RouteMatch, shadowedRoutes } from './shadowed.js'
import { at, itemsAt, textAt } from './yaml-path.js'

const CLEAR = new Set(['prefix', 'path', 'headers', 'query_parameters'])

/** The first route that fits is taken: what it takes as a whole never comes to a later one. */
export function sayShadowedRoutes(routes: readonly YamlNode[], draft: FactsDraft): void {
  const all = routes.map((route) => ({ route, matches: [matchOf(route)] }))
  for (const { route, by } of shadowedRoutes(all)) {
    const match = at(route.route, 'match')
    addDead(draft, {
      setting: 'match',
      written: nameOf(route.route),
      spot: match ?? route.route,
      because: `the route for ${nameOf(by.route)} above takes every request it could`,
      effective: `the route for ${nameOf(by.route)}`,
    })
  }
}

function nameOf(route: YamlNode): string {
  const match = at(route, 'match')
  return textAt(match, 'prefix') || textAt(match, 'path') || 'any path'
}

function matchOf(route: YamlNode): RouteMatch {
  const match = at(route, 'match')
  const keys = match?.kind === 'map' ? match.entries.map(({ key }) => key.text) : []
  const [prefix, path] = [textAt(match, 'prefix'), textAt(match, 'path')]
  const others = ['headers', 'query_parameters'].flatMap((key) =>
    itemsAt(match, key).map((item) => item.source.text.slice(item.start, item.end).trim()),
  )
  return {
    host: null,
    path: path === '' ? { kind: 'prefix', text: prefix === '' ? '/' : prefix } : { kind: 'exact', text: path },
    others,
    isClear: keys.length > 0 && keys.every((key) => CLEAR.has(key)),
  }
}
