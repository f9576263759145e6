import type { ServiceFact, Target } from './facts.js'

/** The services that a target means: by a sidecar in front of it, by name and port, or by the port alone on the machine itself or of one that could be anywhere. */
export function whereTo(target: Target, from: ServiceFact, all: readonly ServiceFact[]): readonly ServiceFact[] {
  const { host, port } = target
  if (host === null) return []
  const others = all.filter((service) => service !== from)
  const names = spellings(host)
  if (from.intercepts.length === 0) {
    const between = others.filter(({ intercepts }) => intercepts.some((name) => names.includes(name)))
    if (between.length > 0) return between
  }
  const candidates = others.filter(({ intercepts }) => intercepts.length === 0)
  if (isThisMachine(host)) return port === null ? [] : one(candidates.filter(({ ports }) => ports.includes(port)))
  const named = candidates.filter(({ name, hosts }) => names.includes(name.toLowerCase()) || hosts.some((each) => names.includes(each)))
  if (named.length === 0) return port === null ? [] : alone(candidates, port)
  if (named.length === 1) return named
  const atPort = named.filter(({ ports }) => port !== null && ports.includes(port))
  return one(atPort.length > 0 ? atPort : named.filter(({ name }) => names.includes(name.toLowerCase())))
}

/** The one service on a port of which no file says where it runs; two of them cannot be told apart. */
function alone(services: readonly ServiceFact[], port: number): readonly ServiceFact[] {
  const possible = services.filter(({ anywhere, ports }) => anywhere === true && ports.includes(port))
  return possible.length === 1 ? possible : []
}

/** Two services that answer at the same place cannot be told apart: the first is taken. */
function one(services: readonly ServiceFact[]): readonly ServiceFact[] {
  return services.slice(0, 1)
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]' || host === 'host.docker.internal' || host === '0.0.0.0'
}

/** A name of Kubernetes in its shorter forms: `a.shop.svc.cluster.local` is also `a.shop` and `a`. */
export function spellings(host: string): readonly string[] {
  const lower = host.toLowerCase()
  const found = /^([a-z0-9-]+)\.([a-z0-9-]+)(?:\.svc(?:\.cluster\.local)?)$/.exec(lower)
  return found ? [lower, `${found[1]}.${found[2]}`, found[1] ?? ''] : [lower]
}
