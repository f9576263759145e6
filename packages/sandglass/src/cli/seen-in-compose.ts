import type { ServiceKind } from '../model/chain.js'
import { placeOf, type Source } from '../model/sourced.js'
import { readYaml, type YamlMap, type YamlNode } from '../model/yaml-tree.js'
import { plainName, type SeenCall, type SeenService } from './first-chain.js'

const kindsByImage: readonly (readonly [RegExp, ServiceKind])[] = [
  [/postgres|mysql|mariadb|mongo|cockroach|mssql|oracle|clickhouse|elasticsearch|opensearch|cassandra/, 'database'],
  [/redis|memcached|valkey|dragonfly/, 'cache'],
  [/rabbitmq|kafka|redpanda|nats|activemq|pulsar|mosquitto/, 'queue'],
  [/nginx|traefik|envoy|haproxy|caddy|kong|apisix/, 'proxy'],
]

/** Services of a compose file, their kinds by image, their calls by `depends_on`, `links` and addresses in `environment`. */
export function seenInCompose(source: Source): readonly SeenService[] {
  const yaml = readYaml(source)
  const services = yaml.ok && yaml.root?.kind === 'map' ? child(yaml.root, 'services') : undefined
  if (services?.kind !== 'map') return []
  const names = services.entries.map(({ key }) => key.text)
  return services.entries.map(({ key, value }) => {
    const image = textOf(deep(value, 'image'))
    const replicas = Number(textOf(deep(value, 'deploy', 'replicas')))
    return {
      name: plainName(key.text),
      kind: kindsByImage.find(([pattern]) => pattern.test(image))?.[1] ?? 'service',
      why: `${placeText(source, key)}${image === '' ? '' : `, image ${image.replace(/[^\w./:@-]/g, '')}`}`,
      calls: callsOf(source, key.text, value, names),
      ...(Number.isInteger(replicas) && replicas > 0 ? { instances: replicas } : {}),
    }
  })
}

function callsOf(source: Source, self: string, body: YamlNode, names: readonly string[]): readonly SeenCall[] {
  const calls = new Map<string, SeenCall>()
  const add = (name: string, node: YamlNode, what: string) => {
    if (name === self || !names.includes(name) || calls.has(name)) return
    calls.set(name, { to: plainName(name), why: `${placeText(source, node)} ${what}` })
  }
  for (const what of ['depends_on', 'links']) {
    for (const { name, node } of listed(deep(body, what))) add(name.split(':')[0] ?? '', node, what)
  }
  for (const { name, node } of listed(deep(body, 'environment'), true)) {
    for (const host of hostsIn(name)) add(host, node, 'environment')
  }
  return [...calls.values()]
}

/** Hosts of addresses such as `http://stock:8080` and `stock:8080`. */
function hostsIn(text: string): readonly string[] {
  return [...text.slice(0, 2000).matchAll(/(?:\/\/(?:[^@/\s]{0,200}@)?|^|=)([A-Za-z0-9_-]+)(?::\d+|\/|$)/g)].map((match) => match[1] ?? '')
}

/** Items of a list, or keys (with `values`, the values) of a mapping. */
function listed(node: YamlNode | undefined, values = false): readonly { readonly name: string; readonly node: YamlNode }[] {
  if (node?.kind === 'list') return node.items.map((item) => ({ name: textOf(item), node: item }))
  if (node?.kind === 'map') return node.entries.map(({ key, value }) => ({ name: values ? textOf(value) : key.text, node: key }))
  return []
}

function child(map: YamlMap, name: string): YamlNode | undefined {
  return map.entries.find(({ key }) => key.text === name)?.value
}

function deep(root: YamlNode, ...names: readonly string[]): YamlNode | undefined {
  let node: YamlNode | undefined = root
  for (const name of names) node = node?.kind === 'map' ? child(node, name) : undefined
  return node
}

function textOf(node: YamlNode | undefined): string {
  return node?.kind === 'scalar' ? node.text : ''
}

function placeText(source: Source, node: YamlNode): string {
  const { file, line } = placeOf({ source, start: node.start, end: node.end })
  return `${file}:${line}`
}
