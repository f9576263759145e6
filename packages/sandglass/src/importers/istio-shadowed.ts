import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, type FactsDraft } from './facts.js'
import { type RouteMatch, shadowedRoutes } from './shadowed.js'
import { at, itemsAt, textAt } from './yaml-path.js'

const CLEAR = new Set([
  'name',
  'uri',
  'method',
  'headers',
  'port',
  'gateways',
  'authority',
  'scheme',
  'sourceLabels',
  'sourceNamespace',
  'queryParams',
])

/** The first entry one of whose matches fits is taken; an entry without a match takes all, and what stands below it nothing. */
export function sayShadowedEntries(entries: readonly YamlNode[], draft: FactsDraft): void {
  const all = entries.map((entry, index) => ({ entry, index, matches: matchesOf(entry) }))
  for (const { route, by } of shadowedRoutes(all)) {
    const match = at(route.entry, 'match')
    // Several entries without a match are mostly an excerpt; one that asks for something means to get it.
    if (!match) continue
    const which = `entry ${by.index + 1}${textAt(by.entry, 'name') === '' ? '' : ` (${textAt(by.entry, 'name')})`}`
    addDead(draft, {
      setting: `http[${route.index}]`,
      written: textOf(match),
      spot: match,
      because: `${which} above takes every request it could`,
      effective: `the timeout and retries of ${which}`,
    })
  }
}

function textOf({ source, start, end }: YamlNode): string {
  const text = source.text.slice(start, end).replace(/\s+/g, ' ').trim()
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const ANY: RouteMatch = { host: null, path: null, others: [], isClear: true }

/** Any of the items may fit; all conditions of an item must. */
function matchesOf(entry: YamlNode): readonly RouteMatch[] {
  const items = itemsAt(entry, 'match')
  return items.length === 0 ? [ANY] : items.map(matchOf)
}

function matchOf(item: YamlNode): RouteMatch {
  const entries = item.kind === 'map' ? item.entries : []
  const [prefix, exact] = [textAt(item, 'uri', 'prefix'), textAt(item, 'uri', 'exact')]
  const hasPath = at(item, 'uri') !== undefined
  return {
    host: null,
    path: prefix === '' ? (exact === '' ? null : { kind: 'exact', text: exact }) : { kind: 'prefix', text: prefix },
    others: entries.filter(({ key }) => key.text !== 'uri' && key.text !== 'name').map(({ key, value }) => `${key.text} ${textOf(value)}`),
    isClear: entries.every(({ key }) => CLEAR.has(key.text)) && (!hasPath || prefix !== '' || exact !== ''),
  }
}

/** Keys that people put a level too high or too deep, and where Istio looks for them. */
const PLACES: readonly (readonly [readonly string[], string])[] = [
  [['perTryTimeout'], 'retries.perTryTimeout'],
  [['attempts'], 'retries.attempts'],
  [['retryOn'], 'retries.retryOn'],
  [['retries', 'timeout'], 'timeout beside retries'],
]

/** A timeout or a retry that stands where Istio does not look. */
export function sayMisplaced(entry: YamlNode, draft: FactsDraft): void {
  const routes = itemsAt(entry, 'route').flatMap((route) =>
    ['timeout', 'retries'].map((key) => [at(route, key), key, `${key} of the entry, beside route`] as const),
  )
  const others = PLACES.map(([keys, place]) => [at(entry, ...keys), keys.join('.'), place] as const)
  for (const [node, setting, place] of [...routes, ...others])
    if (node)
      addDead(draft, {
        setting,
        written: node.kind === 'scalar' ? node.text : textOf(node),
        spot: node,
        because: `Istio looks for ${place}`,
        effective: 'the value there, or the default',
      })
}
