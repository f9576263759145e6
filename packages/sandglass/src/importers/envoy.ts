import type { CallFields, LimitMs, Service } from '../model/chain.js'
import { declared, type Source, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { envoyBackoff, envoyCauses, warnOfPerTry } from './envoy-retry.js'
import { sayShadowedRoutes } from './envoy-shadowed.js'
import {
  addNote,
  type FactsDraft,
  type HopFact,
  type Importer,
  newFacts,
  type OperationFact,
  type Peer,
  type Surroundings,
  type Target,
} from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import { numbered } from './numbered.js'
import { sharesOf, weightOf } from './shares.js'
import { nameOf, targetOf } from './target.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

/** A static Envoy configuration, YAML or JSON. */
export const envoy: Importer = {
  format: 'envoy',
  accepts: ({ file, text }) => /\.(ya?ml|json|template|tmpl|tpl|j2)$/.test(file) && /(^|[{,])[ \t]*"?static_resources"?[ \t]*:/m.test(text),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources)
      for (const root of yamlMaps(source, draft)) readEnvoy(source, root, sources.length > 1, surroundings, draft)
    return draft
  },
}

interface Running {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly clusters: ReadonlyMap<string, YamlNode>
}

function readEnvoy(source: Source, root: YamlNode, isOneOfMany: boolean, surroundings: Surroundings, draft: FactsDraft): void {
  const owner = surroundings.ownerOf(source.file)
  const clusters = new Map(itemsAt(root, 'static_resources', 'clusters').map((cluster) => [textAt(cluster, 'name'), cluster]))
  const running: Running = { draft, version: owner?.version ?? null, clusters }
  const listeners = itemsAt(root, 'static_resources', 'listeners')
  const ports = listeners.map((listener) => Number(textAt(listener, 'address', 'socket_address', 'port_value'))).filter((port) => port > 0)
  const filters = listeners.flatMap((listener) => itemsAt(listener, 'filter_chains').flatMap((chain) => itemsAt(chain, 'filters')))
  const operations = filters.flatMap((filter) => operationsOf(filter, running))
  for (const cluster of clusters.values()) {
    for (const check of itemsAt(cluster, 'health_checks')) addNote(draft, 'ignored', check, 'health_checks limit health checks, no request')
  }
  if (operations.length === 0) return
  const keepAlive = keepAliveOf(root, filters, running)
  const base = isOneOfMany ? nameOf(`envoy-${source.file.replace(/\.\w+$/, '')}`) : 'envoy'
  draft.services.push({
    name: owner?.name ?? base,
    spot: root,
    kind: 'proxy',
    hosts: [],
    ports,
    intercepts: [],
    ...(keepAlive ? { keepAlive } : {}),
    operations: numbered(operations),
  })
}

function operationsOf(filter: YamlNode, running: Running): readonly OperationFact[] {
  const config = at(filter, 'typed_config') ?? at(filter, 'config')
  const type = `${textAt(filter, 'name')} ${textAt(config, '@type')}`
  if (/tcp_proxy|TcpProxy/.test(type)) return [tcpOperation(config ?? filter, running)]
  if (!/http_connection_manager|HttpConnectionManager/.test(type)) return []
  const rds = at(config, 'rds')
  if (rds) addNote(running.draft, 'unknown', rds, 'rds: routes come from a server at run time')
  for (const each of itemsAt(config, 'http_filters')) {
    if (/ext_authz/.test(`${textAt(each, 'name')} ${textAt(each, 'typed_config', '@type')}`))
      addNote(running.draft, 'unknown', each, 'ext_authz asks a further service for each request; that call is not in the chain')
  }
  const hosts = itemsAt(config, 'route_config', 'virtual_hosts')
  for (const host of hosts) sayShadowedRoutes(itemsAt(host, 'routes'), running.draft)
  return hosts.flatMap((host) => itemsAt(host, 'routes').flatMap((route) => routeOperation(route, host, config ?? filter, running)))
}

function settingOf({ draft, version }: Running, key: string, node: YamlNode, shown = key): Setting {
  return { draft, system: 'envoy', version, key, shown, at: node }
}

/** A duration as protobuf JSON writes it, or as `{ seconds, nanos }`. */
function durationAt(node: YamlNode | undefined, ...keys: readonly string[]): Written | undefined {
  const found = at(node, ...keys)
  if (found?.kind !== 'map') return writtenAt(found)
  const seconds = textAt(found, 'seconds') || '0'
  const nanos = textAt(found, 'nanos').padStart(NANO_DIGITS, '0')
  return { text: `${seconds}.${nanos}s`, spot: found }
}

const NANO_DIGITS = 9

function routeOperation(route: YamlNode, host: YamlNode, manager: YamlNode, running: Running): readonly OperationFact[] {
  const action = at(route, 'route')
  if (!action) return []
  const match = at(route, 'match')
  const path = textAt(match, 'prefix') || textAt(match, 'path') || textAt(match, 'path_separated_prefix')
  const hops = clustersOf(action, running).map(({ cluster, share }) => {
    const hop = hopOf({ action, host, manager, cluster }, running)
    return share ? { ...hop, fields: { ...hop.fields, share } } : hop
  })
  const name = textAt(route, 'name') || (path === '' || path === '/' ? textAt(host, 'name') || 'request' : path)
  return [
    {
      name: name.startsWith('/') ? name.replace(/[^A-Za-z0-9_/-]+/g, '-').replace(/\/$/, '') : nameOf(name),
      spot: route,
      path: path.startsWith('/') ? path : null,
      hops,
    },
  ]
}

interface Chosen {
  readonly cluster: Written
  readonly share?: Sourced<number> | undefined
}

function clustersOf(action: YamlNode, { draft }: Running): readonly Chosen[] {
  const one = writtenAt(action, 'cluster')
  if (one) return [{ cluster: one }]
  const weighted = itemsAt(action, 'weighted_clusters', 'clusters').filter((item) => writtenAt(item, 'name'))
  if (weighted.length === 0) addNote(draft, 'unknown', action, 'the cluster of this route is chosen at run time')
  const shares = sharesOf(weighted.map((item) => ({ spot: item, weight: weightOf(writtenAt(item, 'weight'), 0) })))
  const chosen = weighted.flatMap((item, index) => {
    const cluster = writtenAt(item, 'name')
    return cluster ? [{ cluster, share: shares[index] }] : []
  })
  return chosen.length > 0 ? chosen : [{ cluster: { text: '$cluster', spot: action } }]
}

interface Route {
  readonly action: YamlNode
  readonly host: YamlNode
  readonly manager: YamlNode
  readonly cluster: Written
}

function hopOf({ action, host, manager, cluster }: Route, running: Running): HopFact {
  const node = running.clusters.get(cluster.text)
  const timeoutMs = limitFact(settingOf(running, 'route.timeout', action, 'timeout'), durationAt(action, 'timeout'), 'protobuf', 'none')
  const connectMs = limitFact(
    settingOf(running, 'cluster.connect_timeout', node ?? action, 'connect_timeout'),
    durationAt(node, 'connect_timeout'),
    'protobuf',
  )
  const idle = durationAt(action, 'idle_timeout') ?? durationAt(manager, 'stream_idle_timeout')
  const silenceMs = limitFact(settingOf(running, 'stream_idle_timeout', manager), idle, 'protobuf', 'none')
  const policy = at(action, 'retry_policy') ?? at(host, 'retry_policy')
  const threshold = itemsAt(node, 'circuit_breakers', 'thresholds')[0]
  const requests = writtenAt(threshold, 'max_requests')
  const keepAliveMs = clusterKeepAlive(node, action, running)
  const bulkhead = requests && countFact(settingOf(running, 'circuit_breakers.max_requests', action), requests)
  return {
    spot: action,
    target: clusterTarget(cluster, node),
    fields: {
      ...(timeoutMs ? { timeoutMs } : {}),
      ...(connectMs ? { connectMs } : {}),
      ...(silenceMs && !isIdleBehind(silenceMs, timeoutMs) ? { silenceMs } : {}),
      ...(keepAliveMs ? { keepAliveMs } : {}),
      ...(policy ? retryFields(policy, timeoutMs, running) : {}),
      ...(bulkhead ? { bulkhead } : {}),
    },
    remarks: [],
  }
}

/** The default idle limit of a stream says nothing where the whole call is over before. */
function isIdleBehind(silence: Sourced<LimitMs>, timeout: Sourced<LimitMs> | undefined): boolean {
  return (
    silence.origin.kind === 'default' &&
    typeof silence.value === 'number' &&
    typeof timeout?.value === 'number' &&
    silence.value >= timeout.value
  )
}

/** `num_retries` leaves the first try out; the limit of the route covers all tries. */
function retryFields(policy: YamlNode, timeoutMs: Sourced<LimitMs> | undefined, running: Running): Partial<Omit<CallFields, 'to'>> {
  const conditions = writtenAt(policy, 'retry_on')
  const perTry = durationAt(policy, 'per_try_timeout')
  const attemptMs =
    perTry && limitFact(settingOf(running, 'retry_policy.per_try_timeout', policy, 'per_try_timeout'), perTry, 'protobuf', 'none')
  const attempt = attemptMs && attemptMs.value !== 'none' ? { attemptMs } : {}
  if (!conditions || conditions.text === '') return attempt
  const retries = countFact(settingOf(running, 'retry_policy.num_retries', policy, 'num_retries'), writtenAt(policy, 'num_retries'))
  if (retries.value === 0) return attempt
  const attempts: Sourced<number | 'unknown'> = retries.value === 'unknown' ? retries : { ...retries, value: retries.value + 1 }
  const statuses = itemsAt(policy, 'retriable_status_codes').map((item) => textAt(item))
  const retryOn = declared(envoyCauses(conditions.text, 'attemptMs' in attempt, statuses), conditions.spot)
  const fields = { ...attempt, attempts, retryOn, ...(typeof retries.value === 'number' ? backoffOf(policy, retries.value, running) : {}) }
  warnOfPerTry(
    running.draft,
    { perTry: 'per_try_timeout', retries: 'num_retries' },
    { ...fields, ...(timeoutMs ? { timeoutMs } : {}) },
    conditions,
  )
  return fields
}

function backoffOf(policy: YamlNode, retries: number, running: Running): Pick<Partial<CallFields>, 'backoff'> {
  const base = limitFact(
    settingOf(running, 'retry_policy.retry_back_off.base_interval', policy, 'base_interval'),
    durationAt(policy, 'retry_back_off', 'base_interval'),
    'protobuf',
  )
  if (typeof base?.value !== 'number') return {}
  const max = durationAt(policy, 'retry_back_off', 'max_interval')
  const maxMs = max && limitFact(settingOf(running, 'retry_policy.retry_back_off.base_interval', policy, 'max_interval'), max, 'protobuf')
  const backoff = envoyBackoff(base.value, typeof maxMs?.value === 'number' ? maxMs.value : base.value * 10, retries, base.origin)
  return backoff ? { backoff } : {}
}

/** A cluster is the service its endpoints are instances of; several hosts, or none in the file, are known by the cluster's name. */
function clusterTarget(cluster: Written, node: YamlNode | undefined): Target {
  const targets = peersOf(node)
  const [first] = targets
  return first && targets.every(({ host, port }) => host === first.host && port === first.port)
    ? targetOf(first.text, first.spot)
    : { ...targetOf(cluster.text, cluster.spot), ...(targets.length > 0 ? { peers: targets } : {}) }
}

/** Endpoints of a later priority are for when those before it are down; how much a weighted locality gets depends on how many of it are up. */
function peersOf(node: YamlNode | undefined): readonly Peer[] {
  const groups = itemsAt(node, 'load_assignment', 'endpoints')
  const priorities = groups.map((group) => Number(textAt(group, 'priority') || '0'))
  const first = Math.min(...priorities)
  return groups.flatMap((group, index) =>
    itemsAt(group, 'lb_endpoints').flatMap((each) => {
      const address = at(each, 'endpoint', 'address', 'socket_address')
      const host = writtenAt(address, 'address')
      if (!host) return []
      const weight = at(group, 'load_balancing_weight') ? null : weightOf(writtenAt(each, 'load_balancing_weight'), 1)
      const isBackup = (priorities[index] ?? 0) > first
      return [
        {
          ...targetOf(`${host.text}:${textAt(address, 'port_value') || '80'}`, host.spot),
          weight,
          ...(isBackup ? { isBackup: true as const } : {}),
        },
      ]
    }),
  )
}

function tcpOperation(config: YamlNode, running: Running): OperationFact {
  const cluster = writtenAt(config, 'cluster') ?? { text: '$cluster', spot: config }
  const node = running.clusters.get(cluster.text)
  const silenceMs = limitFact(
    settingOf(running, 'tcp_proxy.idle_timeout', config, 'idle_timeout'),
    durationAt(config, 'idle_timeout'),
    'protobuf',
    'none',
  )
  const connectMs = limitFact(
    settingOf(running, 'cluster.connect_timeout', node ?? config, 'connect_timeout'),
    durationAt(node, 'connect_timeout'),
    'protobuf',
  )
  const hop: HopFact = {
    spot: config,
    target: clusterTarget(cluster, node),
    fields: { ...(connectMs ? { connectMs } : {}), ...(silenceMs ? { silenceMs } : {}) },
    remarks: [],
  }
  return { name: nameOf(`tcp-${cluster.text}`), spot: config, path: null, hops: [hop] }
}

function keepAliveOf(root: YamlNode, filters: readonly YamlNode[], running: Running): Service['keepAlive'] | undefined {
  const manager = filters.map((filter) => at(filter, 'typed_config')).find((config) => at(config, 'route_config') !== undefined)
  const idle = limitFact(
    settingOf(running, 'HttpProtocolOptions.idle_timeout', root, 'idle_timeout'),
    durationAt(manager, 'common_http_protocol_options', 'idle_timeout'),
    'protobuf',
    'none',
  )
  return typeof idle?.value === 'number' ? { spot: root, idleMs: idle } : undefined
}

/** How long an idle connection to a cluster is kept: what its HTTP options say, else an hour. */
function clusterKeepAlive(node: YamlNode | undefined, route: YamlNode, running: Running): Sourced<LimitMs> | undefined {
  const options = at(node, 'typed_extension_protocol_options')
  const http =
    options?.kind === 'map' ? options.entries.map(({ value }) => durationAt(value, 'common_http_protocol_options', 'idle_timeout')) : []
  const written = [...http, durationAt(node, 'common_http_protocol_options', 'idle_timeout')].find((each) => each)
  const setting = settingOf(running, 'HttpProtocolOptions.idle_timeout', node ?? route, 'idle_timeout')
  return limitFact(setting, written, 'protobuf', 'none')
}
