import type { CallFields, LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, addNote, type HopFact, type OperationFact } from './facts.js'
import { defaultNumber, limitFact, type Setting } from './limit-fact.js'
import { shadowedRoutes } from './shadowed.js'
import { nameOf } from './target.js'
import { type MiddlewareReading, middlewareFields } from './traefik-middleware.js'
import { type Defined, plainName, type Route, type RouteTarget } from './traefik-parts.js'
import { matchOf } from './traefik-rule.js'
import type { TraefikStatic } from './traefik-static.js'
import { under, writtenUnder } from './traefik-tree.js'

/** What is needed to read routes. */
export interface RouteReading extends MiddlewareReading {
  readonly own: TraefikStatic
  /** Names of transports that a service has. */
  readonly usedTransports: Set<string>
}

/** One operation for each route, with what its middlewares, its transport and its entry points say. */
export function routeOperation(route: Route, reading: RouteReading): OperationFact {
  const { writeMs, middlewares } = reading.own
  const around = middlewareFields([...enteredBy(route, middlewares).flat(), ...route.middlewares], reading)
  const write = shortest(enteredBy(route, writeMs))
  return {
    name: nameOf(plainName(route.name)),
    spot: route.spot,
    path: matchOf(route).path?.text ?? null,
    hops: route.targets.map((target) => hopOf(target, around, reading)),
    ...(write ? { limits: { spot: write.origin.spot, requestMs: write } } : {}),
  }
}

/** What the entry points of a route say: all of them where it names none. */
function enteredBy<T>({ entryPoints }: Route, said: ReadonlyMap<string, T>): readonly T[] {
  return [...said].filter(([name]) => entryPoints.length === 0 || entryPoints.includes(name)).map(([, each]) => each)
}

function shortest(limits: readonly Sourced<LimitMs>[]): Sourced<LimitMs> | undefined {
  const ms = ({ value }: Sourced<LimitMs>) => (typeof value === 'number' ? value : Number.POSITIVE_INFINITY)
  return limits.toSorted((a, b) => ms(a) - ms(b))[0]
}

function hopOf({ spot, target, transport, share }: RouteTarget, around: Partial<Omit<CallFields, 'to'>>, reading: RouteReading): HopFact {
  const named = transport && reading.parts.transports.get(plainName(transport.text))
  if (transport && named) reading.usedTransports.add(plainName(named.name))
  if (transport && !named)
    addNote(reading.draft, 'unknown', transport.spot, `serversTransport ${transport.text}: not among what is read; its limits are unknown`)
  const node = named?.node ?? (transport ? undefined : reading.own.transport)
  const isUnknown = transport !== undefined && named === undefined
  const fields = isUnknown ? {} : transportFields(node, spot, reading)
  return {
    spot,
    target,
    fields: {
      ...fields,
      ...(isUnknown ? { timeoutMs: { value: 'unknown' as const, origin: { kind: 'declared' as const, spot: transport.spot } } } : {}),
      ...around,
      ...(share ? { share } : {}),
    },
    repeatsReadsOnly: true,
    remarks: [
      ...('silenceMs' in fields || isUnknown ? [] : ['No responseHeaderTimeout is set: Traefik waits for the answer without end.']),
      ...(named ? fewIdle(named, reading) : []),
    ],
  }
}

/** A named transport has not the number of idle connections that the default one has. */
function fewIdle({ name, node }: Defined, { draft, version }: RouteReading): readonly string[] {
  if (writtenUnder(node, 'maxIdleConnsPerHost')) return []
  const [own, usual] = ['serversTransports.*.maxIdleConnsPerHost', 'serversTransport.maxIdleConnsPerHost'].map(
    (key) => defaultNumber({ draft, system: 'traefik', version, key, at: node }).value,
  )
  return [
    `serversTransport ${name} keeps ${own ?? ''} idle connections to a server, the default transport ${usual ?? ''}: maxIdleConnsPerHost is not set.`,
  ]
}

/** How long a connection, the answer's header, and an idle connection may take; nothing limits the whole answer. */
function transportFields(
  node: YamlNode | undefined,
  spot: RouteTarget['spot'],
  { draft, version }: RouteReading,
): Partial<Omit<CallFields, 'to'>> {
  const limit = (name: string) => {
    const setting: Setting = { draft, system: 'traefik', version, key: `forwardingTimeouts.${name}`, shown: name, at: node ?? spot }
    return limitFact(setting, writtenUnder(node, 'forwardingTimeouts', name), 'go-or-seconds', 'none')
  }
  const [connectMs, silenceMs, keepAliveMs] = [limit('dialTimeout'), limit('responseHeaderTimeout'), limit('idleConnTimeout')]
  for (const name of ['dialTimeout', 'responseHeaderTimeout', 'idleConnTimeout']) {
    const misplaced = writtenUnder(node, name)
    if (misplaced)
      addDead(draft, {
        setting: name,
        written: misplaced.text,
        spot: misplaced.spot,
        because: 'Traefik looks for it one level deeper, below forwardingTimeouts',
        effective: 'the value there, or the default',
      })
  }
  return {
    ...(connectMs && connectMs.value !== 'none' ? { connectMs } : {}),
    ...(silenceMs && silenceMs.value !== 'none' ? { silenceMs } : {}),
    ...(keepAliveMs && keepAliveMs.value !== 'none' ? { keepAliveMs } : {}),
  }
}

/** A TCP route has a limit of connecting alone; what goes on in a connection is between its two ends, and so are the limits of it. */
export function tcpOperation(route: Route, { draft, version, parts }: RouteReading): OperationFact {
  return {
    name: nameOf(`tcp-${plainName(route.name)}`),
    spot: route.spot,
    path: null,
    hops: route.targets.map(({ spot, target, transport, share }) => {
      const node = transport && parts.tcpTransports.get(plainName(transport.text))?.node
      const connectMs = limitFact(
        { draft, system: 'traefik', version, key: 'tcp dialTimeout', shown: 'dialTimeout', at: node ?? spot },
        writtenUnder(node, 'dialTimeout'),
        'go-or-seconds',
        'none',
      )
      return {
        spot,
        target,
        fields: {
          timeoutMs: declared('unknown' as const, spot),
          ...(connectMs && connectMs.value !== 'none' ? { connectMs } : {}),
          ...(share ? { share } : {}),
        },
        remarks: ['Traefik passes TCP on and limits connecting alone: the limits of its two ends hold.'],
      }
    }),
  }
}

/** The routes to which nothing comes: the longest rule is tried first unless a priority says otherwise, and takes all it can. Each is said. */
export function shadowedOf(routes: readonly Route[], { draft }: RouteReading): ReadonlySet<Route> {
  const shadowed = new Set<Route>()
  const weight = ({ priority, rule }: Route) => {
    const written = Number(priority?.text ?? '0')
    return Number.isFinite(written) && written !== 0 ? written : (rule?.text.length ?? 0)
  }
  const sorted = routes.toSorted((a, b) => weight(b) - weight(a)).map((route) => ({ route, matches: [matchOf(route)] }))
  for (const { route, by } of shadowedRoutes(sorted)) {
    const { rule, name, spot } = route.route
    if (weight(by.route) === weight(route.route)) continue
    shadowed.add(route.route)
    addDead(draft, {
      setting: `router ${plainName(name)}`,
      written: rule?.text ?? '',
      spot: rule?.spot ?? spot,
      because: `router ${plainName(by.route.name)} comes first (priority ${weight(by.route)}, this one ${weight(route.route)}) and takes every request it could`,
      effective: `${by.route.rule?.text ?? ''} of router ${plainName(by.route.name)}`,
    })
  }
  return shadowed
}

/** Settings that no route comes to: a transport no service names, a retry no router has. */
export function sayUnused({ parts, used, usedTransports, draft }: RouteReading): void {
  for (const defined of new Set(parts.transports.values())) {
    const timeouts = under(defined.node, 'forwardingTimeouts')
    if (usedTransports.has(plainName(defined.name)) || timeouts?.kind !== 'map') continue
    for (const { key, value } of timeouts.entries)
      addDead(draft, {
        setting: `${defined.name}.${key.text}`,
        written: value.kind === 'scalar' ? value.text : 'set',
        spot: value,
        because: `no service names the serversTransport ${defined.name}`,
        effective: 'the default transport',
      })
  }
  for (const defined of new Set(parts.middlewares.values())) {
    const attempts = writtenUnder(defined.node, 'retry', 'attempts')
    if (attempts && !used.has(plainName(defined.name)))
      addDead(draft, {
        setting: `${defined.name}.retry.attempts`,
        written: attempts.text,
        spot: attempts.spot,
        because: `no router has the middleware ${defined.name}`,
        effective: '1 attempt',
      })
  }
}
