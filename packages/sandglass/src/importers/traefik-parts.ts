import type { Sourced, Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import type { Target } from './facts.js'
import type { Written } from './limit-fact.js'
import { sharesOf, shareWithin, weightOf } from './shares.js'
import { targetOf } from './target.js'
import { entriesUnder, itemsUnder, under, wordsUnder, writtenUnder } from './traefik-tree.js'

/** Where a route leads, and the transport that is named for the way there. */
export interface RouteTarget {
  readonly spot: Spot
  readonly target: Target
  readonly transport: Written | undefined
  /** Of the requests of the route, where it leads to several. */
  readonly share?: Sourced<number> | undefined
}

/** A router of a file or of labels, or a route of an IngressRoute. */
export interface Route {
  readonly name: string
  readonly spot: Spot
  readonly rule: Written | undefined
  readonly priority: Written | undefined
  /** Empty: all. */
  readonly entryPoints: readonly string[]
  readonly hasTls: boolean
  readonly middlewares: readonly Written[]
  readonly targets: readonly RouteTarget[]
}

/** A middleware or a transport with its name. */
export interface Defined {
  readonly name: string
  readonly spot: Spot
  readonly node: YamlNode
}

/** All that dynamic configuration speaks of, whatever provider it comes from. */
export interface TraefikParts {
  readonly routes: Route[]
  readonly tcpRoutes: Route[]
  /** By name in lower case, without the provider. */
  readonly middlewares: Map<string, Defined>
  readonly transports: Map<string, Defined>
  readonly tcpTransports: Map<string, Defined>
}

export function newParts(): TraefikParts {
  return { routes: [], tcpRoutes: [], middlewares: new Map(), transports: new Map(), tcpTransports: new Map() }
}

/** `slow@file` is `slow`. */
export function plainName(name: string): string {
  return name.replace(/@\w+$/, '').toLowerCase()
}

/** A container whose labels make it a service of its own. */
export interface LabelledHost {
  readonly host: string
  readonly spot: Spot
}

/** The services of all files and labels, by plain name; labels of a container make a service that leads to it. */
export type Services = Map<string, { readonly node: YamlNode; readonly spot: Spot; readonly labelled: LabelledHost | null }>

/** Takes the middlewares, transports and services of one tree that has `http` and `tcp` below it. */
export function takeDefinitions(
  root: YamlNode,
  labelled: LabelledHost | null,
  parts: TraefikParts,
  services: { http: Services; tcp: Services },
): void {
  for (const { key, value } of entriesUnder(root, 'http', 'middlewares'))
    parts.middlewares.set(plainName(key.text), { name: key.text, spot: key, node: value })
  for (const { key, value } of entriesUnder(root, 'http', 'serversTransports'))
    parts.transports.set(plainName(key.text), { name: key.text, spot: key, node: value })
  for (const { key, value } of entriesUnder(root, 'tcp', 'serversTransports'))
    parts.tcpTransports.set(plainName(key.text), { name: key.text, spot: key, node: value })
  for (const { key, value } of entriesUnder(root, 'http', 'services'))
    services.http.set(plainName(key.text), { node: value, spot: key, labelled })
  for (const { key, value } of entriesUnder(root, 'tcp', 'services'))
    services.tcp.set(plainName(key.text), { node: value, spot: key, labelled })
}

/** The routers of one tree; what they lead to is looked up among all services. */
export function takeRouters(
  root: YamlNode,
  labelled: LabelledHost | null,
  parts: TraefikParts,
  services: { http: Services; tcp: Services },
): void {
  const kinds = [
    ['http', parts.routes, services.http],
    ['tcp', parts.tcpRoutes, services.tcp],
  ] as const
  for (const [kind, routes, known] of kinds)
    for (const { key, value } of entriesUnder(root, kind, 'routers')) {
      const own = entriesUnder(root, kind, 'services')
      // A container with one service of its own needs not to be told which.
      const service = writtenUnder(value, 'service') ?? (labelled && own[0] ? { text: own[0].key.text, spot: own[0].key } : undefined)
      routes.push({
        name: key.text,
        spot: key,
        rule: writtenUnder(value, 'rule'),
        priority: writtenUnder(value, 'priority'),
        entryPoints: wordsUnder(value, 'entryPoints').map(({ text }) => text.toLowerCase()),
        hasTls: under(value, 'tls') !== undefined,
        middlewares: wordsUnder(value, 'middlewares'),
        targets: service
          ? targetsOf(service, known, labelled, { depth: 0, allowed: { left: MAX_TARGETS } })
          : labelled
            ? [containerTarget(labelled, undefined)]
            : [],
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

function targetsOf(
  service: Written,
  services: Services,
  labelled: LabelledHost | null,
  { depth, allowed }: Inside,
): readonly RouteTarget[] {
  // Its dashboard, its API and its like are answered by Traefik itself.
  if (allowed.left-- <= 0 || service.text.endsWith('@internal')) return []
  const found = services.get(plainName(service.text))
  if (!found || depth > MAX_DEPTH)
    return labelled
      ? [containerTarget(labelled, undefined)]
      : [{ spot: service.spot, target: targetOf(`$${service.text}`, service.spot), transport: undefined }]
  const { node } = found
  const inner = innerOf(node).flatMap(({ name, share }) =>
    targetsOf(name, services, null, { depth: depth + 1, allowed }).map((each) => ({ ...each, share: shareWithin(share, each.share) })),
  )
  return inner.length > 0 ? inner : [balancerTarget(found, service)]
}

/** The services inside one: by their weights, the one that is mirrored, and one with another for when it is down. */
function innerOf(node: YamlNode): readonly { readonly name: Written; readonly share: Sourced<number> | undefined }[] {
  const named = (written: Written | undefined, weight: number | null, isBackup = false) =>
    written ? [{ name: written, spot: written.spot, weight, isBackup }] : []
  const weighted = itemsUnder(node, 'weighted', 'services').flatMap((each) =>
    named(writtenUnder(each, 'name'), weightOf(writtenUnder(each, 'weight'), 1)),
  )
  const failover = [...named(writtenUnder(node, 'failover', 'service'), 1), ...named(writtenUnder(node, 'failover', 'fallback'), 1, true)]
  const mirrored = named(writtenUnder(node, 'mirroring', 'service'), 1)
  return [weighted, failover, mirrored].flatMap((group) => {
    const shares = sharesOf(group)
    return group.map(({ name }, index) => ({ name, share: shares[index] }))
  })
}

function balancerTarget({ node, labelled }: NonNullable<ReturnType<Services['get']>>, service: Written): RouteTarget {
  const transport = writtenUnder(node, 'loadBalancer', 'serversTransport')
  const servers = itemsUnder(node, 'loadBalancer', 'servers').flatMap((server) => {
    const address = writtenUnder(server, 'url') ?? writtenUnder(server, 'address')
    return address ? [{ ...address, weight: weightOf(writtenUnder(server, 'weight'), 1) }] : []
  })
  if (labelled && servers.length === 0) return containerTarget(labelled, transport, writtenUnder(node, 'loadBalancer', 'server', 'port'))
  const targets = servers.map(({ text, spot, weight }) => ({ ...targetOf(text, spot), weight }))
  const [first] = targets
  // Servers at one address are one service; several are known by the name of Traefik's own service.
  const isOne = first !== undefined && targets.every(({ host, port }) => host === first.host && port === first.port)
  const target = isOne
    ? targetOf(first.text, first.spot)
    : { ...targetOf(plainName(service.text), service.spot), kind: first?.kind ?? null, peers: targets }
  return { spot: service.spot, target, transport }
}

function containerTarget({ host, spot }: LabelledHost, transport: Written | undefined, port?: Written): RouteTarget {
  return { spot, target: targetOf(port && /^\d+$/.test(port.text) ? `${host}:${port.text}` : host, port?.spot ?? spot), transport }
}
