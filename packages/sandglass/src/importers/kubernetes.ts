import type { YamlNode } from '../model/yaml-tree.js'
import type { Environment } from './environment-pools.js'
import { type FactsDraft, type Importer, newFacts } from './facts.js'
import { gatewayRoutes } from './gateway-api.js'
import { ingressOperations } from './ingress-nginx.js'
import { claimsOf } from './kubernetes-claims.js'
import { containerFacts } from './kubernetes-container.js'
import { filesOfConfigMaps } from './kubernetes-files.js'
import { autoscalersOf, replicasOf } from './kubernetes-replicas.js'
import { kindOfName, nameOf } from './target.js'
import { spellings } from './where-to.js'
import { wholeResources } from './whole-resources.js'
import { at, itemsAt, textAt, yamlMaps } from './yaml-path.js'

const KINDS =
  /^[ \t]*"?kind"?:[ \t]*"?(Deployment|StatefulSet|DaemonSet|Service|Ingress|ConfigMap|HTTPRoute|GRPCRoute|Gateway|HorizontalPodAutoscaler|ScaledObject|List)\b/m

/** Workloads, Services, ingress-nginx and the Gateway API. */
export const kubernetes: Importer = {
  format: 'kubernetes',
  accepts: ({ file, text }) =>
    /\.(ya?ml|json|tpl)$/.test(file) &&
    ((/^[ \t]*"?apiVersion"?:/m.test(text) && KINDS.test(text)) || /nginx\.ingress\.kubernetes\.io\//.test(text)),
  holds: filesOfConfigMaps,
  read(sources) {
    const draft = newFacts()
    const all = sources
      .flatMap((source) => yamlMaps(source, draft))
      .flatMap((root) => (textAt(root, 'kind') === 'List' ? itemsAt(root, 'items') : [root]))
    const roots = wholeResources(all, draft)
    const services = roots.filter((root) => textAt(root, 'kind') === 'Service')
    const configMaps = roots.filter((root) => textAt(root, 'kind') === 'ConfigMap')
    const reading: Reading = {
      selecting: selectingOf(services),
      configMaps,
      autoscalers: autoscalersOf(roots),
      environments: new Map(),
      draft,
    }
    const workloads = roots.filter((root) => /^(Deployment|StatefulSet|DaemonSet)$/.test(textAt(root, 'kind')))
    for (const workload of workloads) readWorkload(workload, reading)
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
    return { ...draft, environments: reading.environments, claims: claimsOf(workloads, configMaps) }
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

interface Reading {
  readonly selecting: Selecting
  readonly configMaps: readonly YamlNode[]
  readonly autoscalers: ReadonlyMap<string, YamlNode>
  /** What each workload finds in its environment. */
  readonly environments: Map<string, Environment>
  readonly draft: FactsDraft
}

/** A workload answers under the names of the Services that select its pods. */
function readWorkload(root: YamlNode, { selecting, configMaps, autoscalers, environments, draft }: Reading): void {
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
  const instances = replicasOf(root, autoscalers, draft)
  const { environment, ports, ...facts } = containerFacts(root, configMaps, draft)
  const service = nameOf(name || 'workload')
  environments.set(service.toLowerCase(), environment)
  draft.services.push({
    name: service,
    spot: root,
    kind: kindOfName(textAt(containers[0], 'image')) ?? 'service',
    hosts: own.flatMap((service) => namesOf(service)),
    ports: [
      ...portsOf(containers),
      ...ports,
      ...own.flatMap((service) => itemsAt(service, 'spec', 'ports').map((port) => Number(textAt(port, 'port')))),
    ].filter((port) => port > 0),
    intercepts: [],
    ...(instances ? { instances } : {}),
    ...facts,
  })
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
