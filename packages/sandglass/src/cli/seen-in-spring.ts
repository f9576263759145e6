import type { ServiceKind } from '../model/chain.js'
import type { Source } from '../model/sourced.js'
import { readYaml, type YamlNode } from '../model/yaml-tree.js'
import { plainName, type SeenCall, type SeenService } from './first-chain.js'

/** The service of a Spring `application.yml`: its name, its data source and the addresses it names. */
export function seenInSpring(source: Source): readonly SeenService[] {
  const yaml = readYaml(source)
  if (!yaml.ok || !yaml.root) return []
  const settings = new Map(flattened(yaml.root, ''))
  const name = settings.get('spring.application.name')
  if (name === undefined) return []
  const callees = new Map<string, { readonly call: SeenCall; readonly kind: ServiceKind }>()
  for (const [key, value] of settings) {
    const found = calleeOf(key, value)
    if (found) callees.set(found.name, { kind: found.kind, call: { to: found.name, why: `${source.file} ${key}` } })
  }
  return [
    { name: plainName(name), kind: 'service', why: source.file, calls: [...callees.values()].map(({ call }) => call) },
    ...[...callees].map(([to, { kind, call }]): SeenService => ({ name: to, kind, why: call.why, calls: [] })),
  ]
}

function calleeOf(key: string, value: string): { readonly name: string; readonly kind: ServiceKind } | null {
  const host = /^(?:jdbc:)?([a-z][a-z0-9+]*):\/\/([A-Za-z0-9_-][A-Za-z0-9_.-]*)/.exec(value)
  const name = host?.[2]
  if (name !== undefined && key.endsWith('datasource.url'))
    return { name: plainName(name === 'localhost' ? 'database' : name), kind: 'database' }
  if (key.endsWith('redis.host')) return { name: plainName(value === 'localhost' ? 'redis' : value), kind: 'cache' }
  if (name !== undefined && /^https?$/.test(host?.[1] ?? '') && name !== 'localhost') return { name: plainName(name), kind: 'service' }
  return null
}

function flattened(node: YamlNode, prefix: string): readonly (readonly [string, string])[] {
  if (node.kind === 'scalar') return [[prefix, node.text]]
  if (node.kind === 'list') return []
  return node.entries.flatMap(({ key, value }) => flattened(value, prefix === '' ? key.text : `${prefix}.${key.text}`))
}
