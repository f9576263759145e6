import { addDead } from './facts.js'
import { type RouteMatch, shadowedRoutes } from './shadowed.js'
import type { SpringApplication } from './spring.js'

/** The routes of a gateway are tried by `order`, then as they stand: what one takes as a whole never comes to a later one. */
export function sayShadowedGatewayRoutes(application: SpringApplication, routes: readonly string[]): void {
  const { settings, draft } = application
  const all = routes.map((route, index) => ({ route, index, order: orderOf(application, route), matches: [matchOf(application, route)] }))
  if (all.some(({ order }) => !Number.isFinite(order))) return
  const sorted = all.toSorted((a, b) => a.order - b.order || a.index - b.index)
  for (const { route, by } of shadowedRoutes(sorted)) {
    const name = (each: string) => settings.get(`${each}.id`)?.text ?? settings.get(`${each}.uri`)?.text ?? each
    const at = settings.get(`${route.route}.predicates[0]`) ?? settings.get(`${route.route}.id`) ?? settings.get(`${route.route}.uri`)
    if (!at) continue
    addDead(draft, {
      setting: `route ${name(route.route)}`,
      written: at.text,
      spot: at.spot,
      because: `route ${name(by.route)} comes first and takes every request it could`,
      effective: `the limits and filters of route ${name(by.route)}`,
    })
  }
}

function orderOf({ settings }: SpringApplication, route: string): number {
  return Number(settings.get(`${route}.order`)?.text ?? '0')
}

const MAX_PREDICATES = 50

function matchOf({ settings }: SpringApplication, route: string): RouteMatch {
  const predicates: string[] = []
  let isClear = true
  for (let index = 0; index < MAX_PREDICATES && settings.has(`${route}.predicates[${index}]`); index++) {
    const short = settings.get(`${route}.predicates[${index}]`)?.text
    if (short?.includes('=')) predicates.push(short.trim())
    else isClear = false
  }
  const paths = predicates.filter((each) => each.startsWith('Path=')).map((each) => each.slice('Path='.length).trim())
  const [first] = paths
  const path = first === undefined ? null : pathOf(first)
  return {
    host: null,
    path,
    others: predicates.filter((each) => !each.startsWith('Path=')),
    isClear: isClear && predicates.length > 0 && paths.length < 2 && (first === undefined || path !== null),
  }
}

/** `/api/**` as a prefix, a plain path as it is; null for patterns that are not compared. */
function pathOf(pattern: string): RouteMatch['path'] {
  if (/^\/[\w./-]*$/.test(pattern)) return { kind: 'exact', text: pattern }
  const prefix = /^(\/(?:[\w.-]+\/)*)\*\*$/.exec(pattern)?.[1]
  return prefix === undefined ? null : { kind: 'prefix', text: prefix }
}
