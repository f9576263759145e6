import type { Spot } from '../model/sourced.js'
import type { YamlMap, YamlScalar } from '../model/yaml-tree.js'
import type { Written } from './limit-fact.js'

/** A setting whose key has its path in it: `traefik.http.routers.api.rule`. */
export interface DottedSetting {
  readonly key: string
  readonly value: Written
}

/** Settings with dotted keys as a tree; `name[0]` is an entry `name` with the entry `0`. Keys are in lower case. */
export function dottedTree(settings: readonly DottedSetting[], at: Spot): YamlMap {
  const root = mapAt(at)
  for (const { key, value } of settings) {
    const parts = key
      .toLowerCase()
      .replace(/\[(\d{1,4})\]/g, '.$1')
      .split('.')
    const last = parts.at(-1) ?? ''
    let map = root
    for (const part of parts.slice(0, -1)) map = inside(map, part, value.spot)
    const known = map.entries.findIndex((entry) => entry.key.text === last)
    if (known >= 0) map.entries.splice(known, 1)
    map.entries.push({ key: scalar(last, value.spot), value: scalar(value.text, value.spot) })
  }
  return root
}

function inside(map: YamlMap, part: string, spot: Spot): YamlMap {
  const known = map.entries.find((entry) => entry.key.text === part)
  if (known?.value.kind === 'map') return known.value
  const made = mapAt(spot)
  if (known) map.entries.splice(map.entries.indexOf(known), 1)
  map.entries.push({ key: scalar(part, spot), value: made })
  return made
}

function mapAt({ source, start, end }: Spot): YamlMap {
  return { kind: 'map', source, start, end, entries: [], size: 1 }
}

function scalar(text: string, { source, start, end }: Spot): YamlScalar {
  return { kind: 'scalar', source, start, end, text, plain: true }
}
