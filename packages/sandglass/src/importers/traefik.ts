import type { Source, Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft, type Importer, newFacts, type Surroundings } from './facts.js'
import { numbered } from './numbered.js'
import { nameOf } from './target.js'
import { withoutTemplateEnding } from './template-ending.js'
import { readToml } from './toml-tree.js'
import { isTraefikResource, takeResources } from './traefik-crd.js'
import { ingressRoutes } from './traefik-ingress.js'
import { flagTree, type LabelTree, labelTrees, traefikContainer } from './traefik-labels.js'
import { newParts, type Services, type TraefikParts, takeDefinitions, takeRouters } from './traefik-parts.js'
import { type RouteReading, routeOperation, sayUnused, shadowedOf, tcpOperation } from './traefik-route.js'
import { matchOf } from './traefik-rule.js'
import { readStatic } from './traefik-static.js'
import { entriesUnder, under } from './traefik-tree.js'
import { at, itemsAt, textAt, yamlMaps } from './yaml-path.js'

const DYNAMIC = /^(http|tcp):[ \t]*(#.*)?$/m
const SECTIONS = /^[ \t]+(routers|services|middlewares|serversTransports):/im
const STATIC = /^entryPoints:[ \t]*(#.*)?$/im
const TOML =
  /^[ \t]*\[{1,2}(http|tcp)\.(routers|services|middlewares|serversTransports)\b|^[ \t]*\[entryPoints\b|^[ \t]*\[(frontends|backends)\b/im
const RESOURCE = /^[ \t]*"?apiVersion"?:[ \t]*"?traefik\.(io|containo\.us)\//m
const INGRESS = /(ingressClassName|kubernetes\.io\/ingress\.class)["']?:[ \t]*["']?[\w-]{0,60}traefik|traefik\.ingress\.kubernetes\.io\//
const LABELS = /traefik\.(http|tcp|enable)|image:[ \t]*["']?([\w./-]*\/)?traefik(:|@|["'\s]|$)/m

/** Traefik: its own configuration and the dynamic one in YAML, TOML, labels of compose files and resources of Kubernetes. */
export const traefik: Importer = {
  format: 'traefik',
  accepts: ({ file, text }) => (isToml(file) ? TOML.test(text) : /\.ya?ml$/.test(withoutTemplateEnding(file)) && isOwn(text)),
  alsoReads: ({ file, text }) => /\.ya?ml$/.test(file) && (LABELS.test(text) || RESOURCE.test(text) || INGRESS.test(text)),
  read(sources, surroundings) {
    const draft = newFacts()
    const files = sources.map((source) => readSource(source, draft))
    const trees = files.flatMap(({ roots }) => roots)
    if (trees.some((root) => under(root, 'frontends') ?? under(root, 'backends')))
      addNote(
        draft,
        'unknown',
        trees[0] ?? { source: sources[0] ?? NOTHING, start: 0, end: 1 },
        'frontends and backends are of Traefik 1, which is not read',
      )
    addService(trees, surroundings, draft)
    return draft
  },
}

const NOTHING: Source = { file: 'traefik', text: '' }

function isToml(file: string): boolean {
  return withoutTemplateEnding(file).endsWith('.toml')
}

function isOwn(text: string): boolean {
  if (/^[ \t]*"?apiVersion"?:/m.test(text))
    return RESOURCE.test(text) && !/^[ \t]*"?kind"?:[ \t]*"?(Deployment|StatefulSet|DaemonSet|Service|Ingress|ConfigMap)\b/m.test(text)
  return (DYNAMIC.test(text) && SECTIONS.test(text) && !/^services:/m.test(text)) || (STATIC.test(text) && !/^services:/m.test(text))
}

interface Trees {
  readonly roots: readonly YamlNode[]
}

/** What another importer reads too has told what is wrong with it there. */
function readSource(source: Source, draft: FactsDraft): Trees {
  if (isToml(source.file)) {
    const root = readToml(source, draft)
    return { roots: root ? [root] : [] }
  }
  const roots = yamlMaps(source, isOwn(source.text) ? draft : newFacts())
  return { roots: roots.flatMap((root) => (textAt(root, 'kind') === 'List' ? itemsAt(root, 'items') : [root])) }
}

function addService(trees: readonly YamlNode[], surroundings: Surroundings, draft: FactsDraft): void {
  const resources = trees.filter(isTraefikResource)
  const files = trees.filter((root) => at(root, 'apiVersion') === undefined && at(root, 'services') === undefined)
  const labels = trees.flatMap((root) => labelTrees(root)).filter(({ isEnabled }) => isEnabled)
  const parts = partsOf(files, labels, resources)
  parts.routes.push(...ingressRoutes(trees))
  const running = runningOf(trees, files, surroundings)
  const first = running.spot ?? parts.routes[0]?.spot ?? parts.tcpRoutes[0]?.spot
  if (!first) return
  const own = readStatic(running.configuration, first, draft, running.version)
  const reading: RouteReading = { draft, version: running.version, parts, used: new Set(), usedTransports: new Set(), own }
  const shadowed = shadowedOf(parts.routes, reading)
  const operations = [
    // A shadowed route is read too, so that what it names counts as named.
    ...parts.routes
      .map((route) => ({ route, operation: routeOperation(route, reading) }))
      .flatMap(({ route, operation }) => (shadowed.has(route) ? [] : operation)),
    ...parts.tcpRoutes.map((route) => tcpOperation(route, reading)),
  ]
  sayUnused(reading)
  if (operations.length === 0) return
  draft.services.push({
    name: nameOf(running.name),
    spot: first,
    kind: 'proxy',
    product: 'traefik',
    hosts: [...new Set(parts.routes.flatMap((route) => matchOf(route).host ?? []))],
    ports: own.ports,
    intercepts: [],
    ...(typeof own.idleMs?.value === 'number' ? { keepAlive: { spot: own.idleMs.origin.spot, idleMs: own.idleMs } } : {}),
    operations: numbered(operations),
  })
}

/** First what is defined anywhere, then the routers, which may name it. */
function partsOf(files: readonly YamlNode[], labels: readonly LabelTree[], resources: readonly YamlNode[]): TraefikParts {
  const parts = newParts()
  const services: { http: Services; tcp: Services } = { http: new Map(), tcp: new Map() }
  for (const root of files) takeDefinitions(root, null, parts, services)
  for (const { root, labelled } of labels) takeDefinitions(root, labelled, parts, services)
  takeResources(resources, parts)
  for (const root of files) takeRouters(root, null, parts, services)
  for (const { root, labelled } of labels) {
    takeRouters(root, labelled, parts, services)
    const hasRouter = ['http', 'tcp', 'udp'].some((kind) => entriesUnder(root, kind, 'routers').length > 0)
    if (!hasRouter) takeRouters(ownRouter(root, labelled.host), labelled, parts, services)
  }
  return parts
}

/** A container without a router of its own gets one that is named for it. */
function ownRouter(root: YamlNode, name: string): YamlNode {
  const { source, start, end } = root
  const key = { kind: 'scalar' as const, source, start, end, text: '', plain: true }
  const map = (entries: readonly (readonly [string, YamlNode])[]): YamlNode => ({
    kind: 'map',
    source,
    start,
    end,
    size: 1,
    entries: entries.map(([text, value]) => ({ key: { ...key, text }, value })),
  })
  const services = under(root, 'http', 'services')
  return map([['http', map([['routers', map([[name, map([])]])], ...(services ? [['services', services] as const] : [])])]])
}

interface RunningTraefik {
  readonly name: string
  readonly version: string | null
  readonly configuration: YamlNode | undefined
  readonly spot: Spot | null
}

/** Where Traefik runs: the container of its image, the owner of its file, a workload of Kubernetes; and its configuration, from a file or from flags. */
function runningOf(trees: readonly YamlNode[], files: readonly YamlNode[], { ownerOf }: Surroundings): RunningTraefik {
  const file = files.find((root) => under(root, 'entryPoints') !== undefined)
  const [container] = trees.flatMap((root) => traefikContainer(root) ?? [])
  const [workload] = trees.filter(
    (root) => /^(Deployment|DaemonSet|StatefulSet)$/.test(textAt(root, 'kind')) && /(^|\/)traefik(:|@|$)/.test(imageOf(root)),
  )
  const owner = file && ownerOf(file.source.file)
  const flags = container?.flags ?? (workload && flagTree(itemsAt(workload, 'spec', 'template', 'spec', 'containers')[0] ?? workload))
  const version = /:v?(\d+(?:\.\d+)*)/.exec(container?.image ?? (workload ? imageOf(workload) : ''))?.[1] ?? owner?.version ?? null
  return {
    name: container?.name ?? owner?.name ?? (workload ? textAt(workload, 'metadata', 'name') : 'traefik'),
    version,
    configuration: file ?? flags ?? undefined,
    spot: container?.spot ?? file ?? workload ?? null,
  }
}

function imageOf(workload: YamlNode): string {
  return textAt(itemsAt(workload, 'spec', 'template', 'spec', 'containers')[0], 'image')
}
