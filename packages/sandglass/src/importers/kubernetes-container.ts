import { declared } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import type { Environment } from './environment-pools.js'
import { pooledHops } from './environment-pools.js'
import type { FactsDraft, HopFact, ServiceFact } from './facts.js'
import { probeFacts } from './kubernetes-probe.js'
import type { Written } from './limit-fact.js'
import { flagsOf } from './server-flags.js'
import { kindOfName, targetOf } from './target.js'
import { at, itemsAt, textAt, writtenAt } from './yaml-path.js'

/** What the containers of a workload say: whom they call, the flags of the servers they run, and how they are probed. */
export interface ContainerFacts
  extends Pick<ServiceFact, 'product' | 'concurrency' | 'keepAlive' | 'processes' | 'processPools' | 'pools' | 'probe' | 'probePath'> {
  readonly environment: Environment
  readonly ports: readonly number[]
  readonly operations: ServiceFact['operations']
}

/** Reads the containers of a workload; ConfigMaps give variables that are taken from them. */
export function containerFacts(workload: YamlNode, configMaps: readonly YamlNode[], draft: FactsDraft): ContainerFacts {
  const containers = itemsAt(workload, 'spec', 'template', 'spec', 'containers')
  const name = textAt(workload, 'metadata', 'name')
  const environment: Environment = new Map(containers.flatMap((container) => [...environmentOf(container, configMaps)]))
  const { hops, processPools } = pooledHops(hopsOf(environment, name), environment, draft, ({ target }) => target.kind === 'database')
  const flags = containers.map((container) => containerFlags(container, environment, draft))
  const [main = {}] = flags.filter((each) => Object.keys(each).length > 0)
  const kind = kindOfName(textAt(containers[0], 'image'))
  const operation = kind === 'database' ? 'query' : kind === 'cache' ? 'get' : kind === 'queue' ? 'publish' : 'request'
  const limits = main.limits ? { limits: main.limits } : {}
  return {
    environment,
    ports: flags.flatMap(({ ports }) => ports ?? []),
    operations:
      main.pooler?.operations ?? (hops.length > 0 || main.limits ? [{ name: operation, spot: workload, path: null, hops, ...limits }] : []),
    ...(main.product ? { product: main.product } : {}),
    ...(main.concurrency ? { concurrency: main.concurrency } : {}),
    ...(main.idleMs ? { keepAlive: { spot: main.idleMs.origin.spot, idleMs: main.idleMs } } : {}),
    ...(main.processes ? { processes: main.processes } : {}),
    ...(main.pooler?.pools ? { pools: main.pooler.pools } : {}),
    ...(processPools ? { processPools } : {}),
    ...probeFacts(containers, draft),
  }
}

function containerFlags(container: YamlNode, environment: Environment, draft: FactsDraft): ReturnType<typeof flagsOf> {
  const image = textAt(container, 'image')
  const command = ['command', 'args'].flatMap((key) =>
    itemsAt(container, key).flatMap((item) =>
      item.kind === 'scalar' ? item.text.split(/\s+/).flatMap((text) => (text === '' ? [] : [{ text, spot: item }])) : [],
    ),
  )
  const version = /:v?(\d+(?:\.\d+)*)[\w.-]*(?:@.*)?$/.exec(image)?.[1] ?? null
  return flagsOf({ command, image, environment, draft, version, at: container, fileNamed: () => undefined })
}

/** `envFrom`, then `env`: what is written at the container holds. Secrets are nobody's business. */
function environmentOf(container: YamlNode, configMaps: readonly YamlNode[]): Environment {
  const found = new Map<string, Written>()
  const dataOf = (name: string) =>
    at(
      configMaps.find((each) => textAt(each, 'metadata', 'name') === name),
      'data',
    )
  for (const from of itemsAt(container, 'envFrom')) {
    const data = dataOf(textAt(from, 'configMapRef', 'name'))
    for (const { key, value } of data?.kind === 'map' ? data.entries : [])
      if (value.kind === 'scalar') found.set(`${textAt(from, 'prefix')}${key.text}`, { text: value.text, spot: value })
  }
  for (const variable of itemsAt(container, 'env')) {
    const reference = at(variable, 'valueFrom', 'configMapKeyRef')
    const value = writtenAt(variable, 'value') ?? writtenAt(dataOf(textAt(reference, 'name')), textAt(reference, 'key'))
    if (value) found.set(textAt(variable, 'name'), value)
  }
  return found
}

/** Addresses in the environment of the containers. */
function hopsOf(environment: Environment, self: string): readonly HopFact[] {
  const hops = new Map<string, HopFact>()
  for (const value of environment.values()) {
    if (!/^(jdbc:)?[a-z][a-z0-9+]*:\/\//.test(value.text)) continue
    const target = targetOf(value.text, value.spot)
    if (target.host === null || target.host === self || hops.has(target.host)) continue
    hops.set(target.host, {
      spot: value.spot,
      target,
      fields: { timeoutMs: declared('unknown', value.spot) },
      hint: 'address',
      remarks: [],
    })
  }
  return [...hops.values()]
}
