import type { Probe } from '../model/chain.js'
import { declared, type Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact } from './facts.js'
import { gatewayRoutes } from './gateway-api.js'
import { ingressOperations } from './ingress-nginx.js'
import { countFact, limitFact, type Written } from './limit-fact.js'
import { kindOfName, nameOf, targetOf } from './target.js'
import { spellings } from './where-to.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

const KINDS = /^[ \t]*"?kind"?:[ \t]*"?(Deployment|StatefulSet|DaemonSet|Service|Ingress|ConfigMap|HTTPRoute|GRPCRoute|Gateway|List)\b/m

/** Workloads, Services, ingress-nginx and the Gateway API. */
export const kubernetes: Importer = {
  format: 'kubernetes',
  accepts: ({ file, text }) =>
    /\.(ya?ml|json|tpl)$/.test(file) &&
    ((/^[ \t]*"?apiVersion"?:/m.test(text) && KINDS.test(text)) || /nginx\.ingress\.kubernetes\.io\//.test(text)),
  read(sources) {
    const draft = newFacts()
    const roots = sources
      .flatMap((source) => yamlMaps(source, draft))
      .flatMap((root) => (textAt(root, 'kind') === 'List' ? itemsAt(root, 'items') : [root]))
    const services = roots.filter((root) => textAt(root, 'kind') === 'Service')
    const selecting = selectingOf(services)
    for (const root of roots) if (/^(Deployment|StatefulSet|DaemonSet)$/.test(textAt(root, 'kind'))) readWorkload(root, selecting, draft)
    const ingress = ingressOperations(roots, draft)
    const [first] = ingress
    if (first)
      draft.services.push({
        name: 'ingress-nginx',
        spot: first.spot,
        kind: 'edge',
        hosts: [],
        ports: [],
        intercepts: [],
        operations: ingress,
      })
    for (const gateway of gatewayRoutes(roots, draft)) draft.services.push(gateway)
    return draft
  },
}

/** Services by the first label that they select by: each of thousands of workloads is asked only about those that could be meant. */
type Selecting = ReadonlyMap<string, readonly YamlNode[]>

function selectingOf(services: readonly YamlNode[]): Selecting {
  const table = new Map<string, YamlNode[]>()
  for (const service of services) {
    const selector = at(service, 'spec', 'selector')
    const [first] = selector?.kind === 'map' ? selector.entries : []
    if (!first) continue
    const key = labelText(first.key.text, first.value)
    const same = table.get(key)
    if (same) same.push(service)
    else table.set(key, [service])
  }
  return table
}

function labelText(key: string, value: YamlNode): string {
  return `${key}=${textAt(value)}`
}

/** A workload answers under the names of the Services that select its pods. */
function readWorkload(root: YamlNode, selecting: Selecting, draft: FactsDraft): void {
  const name = textAt(root, 'metadata', 'name')
  const template = at(root, 'spec', 'template')
  const namespace = textAt(root, 'metadata', 'namespace')
  const labels = at(template, 'metadata', 'labels')
  const candidates =
    labels?.kind === 'map' ? labels.entries.flatMap(({ key, value }) => selecting.get(labelText(key.text, value)) ?? []) : []
  const own = candidates.filter(
    (service) => selects(service, template) && (textAt(service, 'metadata', 'namespace') || namespace) === namespace,
  )
  const containers = itemsAt(template, 'spec', 'containers')
  const replicas = writtenAt(root, 'spec', 'replicas')
  const image = textAt(containers[0], 'image')
  const kind = kindOfName(image) ?? 'service'
  const hops = containers.flatMap((container) => hopsOf(container, name))
  const probe = at(containers[0], 'readinessProbe')
  draft.services.push({
    name: nameOf(name || 'workload'),
    spot: root,
    kind,
    hosts: own.flatMap((service) => namesOf(service)),
    ports: [
      ...portsOf(containers),
      ...own.flatMap((service) => itemsAt(service, 'spec', 'ports').map((port) => Number(textAt(port, 'port')))),
    ].filter((port) => port > 0),
    intercepts: [],
    ...(replicas && /^[1-9]\d{0,6}$/.test(replicas.text) ? { instances: declared(Number(replicas.text), replicas.spot) } : {}),
    ...(probe ? { probe: probeOf(probe, draft) } : {}),
    operations: operationsOf(hops, root),
  })
}

function operationsOf(hops: readonly HopFact[], spot: Spot): readonly OperationFact[] {
  return hops.length === 0 ? [] : [{ name: 'request', spot, path: null, hops }]
}

function selects(service: YamlNode, template: YamlNode | undefined): boolean {
  const selector = at(service, 'spec', 'selector')
  if (selector?.kind !== 'map' || selector.entries.length === 0) return false
  return selector.entries.every(
    ({ key, value }) => value.kind === 'scalar' && textAt(template, 'metadata', 'labels', key.text) === value.text,
  )
}

function namesOf(service: YamlNode): readonly string[] {
  const name = textAt(service, 'metadata', 'name')
  const namespace = textAt(service, 'metadata', 'namespace')
  return namespace === '' ? [name.toLowerCase()] : spellings(`${name}.${namespace}.svc.cluster.local`)
}

function portsOf(containers: readonly YamlNode[]): readonly number[] {
  return containers.flatMap((container) => itemsAt(container, 'ports').map((port) => Number(textAt(port, 'containerPort'))))
}

/** What Kubernetes asks before it sends requests; which operation answers is in the path, and not known here. */
function probeOf(probe: YamlNode, draft: FactsDraft): Probe {
  const setting = (key: string) => ({ draft, system: 'kubernetes', version: null, key: `readinessProbe.${key}`, shown: key, at: probe })
  const timeoutMs = limitFact(setting('timeoutSeconds'), writtenAt(probe, 'timeoutSeconds'), 'int-s')
  const periodMs = limitFact(setting('periodSeconds'), writtenAt(probe, 'periodSeconds'), 'int-s')
  const failures = countFact(setting('failureThreshold'), writtenAt(probe, 'failureThreshold'))
  return {
    spot: probe,
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(periodMs ? { periodMs } : {}),
    ...(typeof failures.value === 'number' ? { failures: { ...failures, value: failures.value } } : {}),
  }
}

/** Addresses in the environment of a container. */
function hopsOf(container: YamlNode, self: string): readonly HopFact[] {
  const hops = new Map<string, HopFact>()
  for (const variable of itemsAt(container, 'env')) {
    const value: Written | undefined = writtenAt(variable, 'value')
    if (!value || !/^(jdbc:)?[a-z][a-z0-9+]*:\/\//.test(value.text)) continue
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
