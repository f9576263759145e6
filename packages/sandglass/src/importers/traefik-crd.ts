import type { YamlNode } from '../model/yaml-tree.js'
import type { Target } from './facts.js'
import { sharesOf, shareWithin, weightOf } from './shares.js'
import { targetOf } from './target.js'
import { plainName, type RouteTarget, type TraefikParts } from './traefik-parts.js'
import { itemsUnder, under, wordsUnder, writtenUnder } from './traefik-tree.js'
import { textAt } from './yaml-path.js'

/** True for a resource of Traefik, of its old group and its new one. */
export function isTraefikResource(root: YamlNode): boolean {
  return /^traefik\.(io|containo\.us)\//.test(textAt(root, 'apiVersion'))
}

/** Takes the resources of Traefik: IngressRoute, Middleware, ServersTransport, TraefikService. */
export function takeResources(roots: readonly YamlNode[], parts: TraefikParts): void {
  const own = roots.filter(isTraefikResource)
  const services = new Map(own.filter((root) => textAt(root, 'kind') === 'TraefikService').map((root) => [nameOf(root), root]))
  for (const root of own) {
    const kind = textAt(root, 'kind')
    const spec = under(root, 'spec') ?? root
    const defined = { name: textAt(root, 'metadata', 'name'), spot: root, node: spec }
    for (const name of namesOf(root)) {
      if (kind === 'Middleware') parts.middlewares.set(name, defined)
      if (kind === 'ServersTransport') parts.transports.set(name, defined)
      if (kind === 'ServersTransportTCP') parts.tcpTransports.set(name, defined)
    }
    if (kind === 'IngressRoute') takeRoutes(root, services, parts.routes)
    if (kind === 'IngressRouteTCP') takeRoutes(root, services, parts.tcpRoutes)
  }
}

function nameOf(root: YamlNode): string {
  return plainName(textAt(root, 'metadata', 'name'))
}

/** A resource is named as it is in its namespace, and `namespace-name@kubernetescrd` from elsewhere. */
function namesOf(root: YamlNode): readonly string[] {
  const namespace = textAt(root, 'metadata', 'namespace') || 'default'
  return [nameOf(root), `${namespace}-${nameOf(root)}`.toLowerCase()]
}

function takeRoutes(root: YamlNode, services: ReadonlyMap<string, YamlNode>, routes: TraefikParts['routes']): void {
  const namespace = textAt(root, 'metadata', 'namespace')
  const all = itemsUnder(root, 'spec', 'routes')
  for (const [index, route] of all.entries()) {
    const base = textAt(root, 'metadata', 'name') || 'route'
    routes.push({
      name: all.length === 1 ? base : `${base}-${index + 1}`,
      spot: route,
      rule: writtenUnder(route, 'match'),
      priority: writtenUnder(route, 'priority'),
      entryPoints: wordsUnder(root, 'spec', 'entryPoints').map(({ text }) => text.toLowerCase()),
      hasTls: under(root, 'spec', 'tls') !== undefined,
      middlewares: itemsUnder(route, 'middlewares').flatMap((each) => writtenUnder(each, 'name') ?? []),
      targets: weighedTargets(itemsUnder(route, 'services'), namespace, services, { depth: 0, allowed: { left: MAX_TARGETS } }),
    })
  }
}

const MAX_DEPTH = 5
/** Services of one route, those inside others included: groups of groups could be millions. */
const MAX_TARGETS = 200

/** How far inside other services one stands, and how many more are looked into. */
interface Inside {
  readonly depth: number
  readonly allowed: { left: number }
}

/** Several services of a route, or of a service that is made of them, each with its part. */
function weighedTargets(
  all: readonly YamlNode[],
  namespace: string,
  services: ReadonlyMap<string, YamlNode>,
  inside: Inside,
): readonly RouteTarget[] {
  const shares = sharesOf(all.map((each) => ({ spot: each, weight: weightOf(writtenUnder(each, 'weight'), 1) })))
  return all.flatMap((each, index) =>
    targetsOf(each, namespace, services, inside).map((target) => ({ ...target, share: shareWithin(shares[index], target.share) })),
  )
}

function targetsOf(
  service: YamlNode,
  namespace: string,
  services: ReadonlyMap<string, YamlNode>,
  { depth, allowed }: Inside,
): readonly RouteTarget[] {
  const name = writtenUnder(service, 'name')
  if (!name || allowed.left-- <= 0) return []
  const inner = textAt(service, 'kind') === 'TraefikService' && depth <= MAX_DEPTH ? services.get(plainName(name.text)) : undefined
  if (inner) {
    const weighted = itemsUnder(inner, 'spec', 'weighted', 'services')
    const mirrored = under(inner, 'spec', 'mirroring')
    const within = { depth: depth + 1, allowed }
    return [...weighedTargets(weighted, namespace, services, within), ...(mirrored ? targetsOf(mirrored, namespace, services, within) : [])]
  }
  const port = textAt(service, 'port')
  const where = textAt(service, 'namespace') || namespace
  const host = where === '' ? name.text : `${name.text}.${where}.svc.cluster.local`
  const target: Target = targetOf(/^\d+$/.test(port) ? `${host}:${port}` : host, name.spot)
  return [{ spot: service, target, transport: writtenUnder(service, 'serversTransport') }]
}
