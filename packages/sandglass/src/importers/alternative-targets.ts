import { addNote, type FactsDraft, type HopFact, type ServiceFact, type Target } from './facts.js'
import { type Directory, directoryOf, whereTo } from './where-to.js'

const MAX_SHOWN = 5

/** Where the servers behind one name are services that are known, the call goes to each of them; where none is, the name stands for all. */
export function withAlternatives(services: readonly ServiceFact[], draft: FactsDraft): readonly ServiceFact[] {
  if (!services.some(({ operations }) => operations.some(({ hops }) => hops.some(({ target }) => target.peers)))) return services
  const directory = directoryOf(services)
  return services.map((service) => ({
    ...service,
    operations: service.operations.map((operation) => ({
      ...operation,
      hops: operation.hops.flatMap((hop) => alternativesOf(hop, service, directory, draft)),
    })),
  }))
}

function alternativesOf(hop: HopFact, from: ServiceFact, directory: Directory, draft: FactsDraft): readonly HopFact[] {
  const { peers = [], ...target } = hop.target
  const found = peers.map((peer) => ({ peer, services: whereTo(peer, from, directory) }))
  if (found.every(({ services }) => services.length === 0)) return [{ ...hop, target }]
  const each = new Map<string, Target>()
  for (const { peer, services } of found) {
    const name = services[0]?.name ?? unknownName(peer)
    if (name !== null && !each.has(name)) each.set(name, { ...peer, path: target.path })
  }
  const names = [...each.keys()]
  if (names.length > 1) {
    const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''
    const text = `${target.text}: which of ${names.slice(0, MAX_SHOWN).join(', ')}${more} is asked is decided at run time; the chain has a call to each, with the same limits, and no share of the requests`
    addNote(draft, 'unknown', target.spot, text)
  }
  return [...each.values()].map((peer) => ({ ...hop, target: peer }))
}

/** Addresses are told apart by their port, as where a chain names them. */
function unknownName({ host, port }: Target): string | null {
  return host !== null && port !== null && (host === 'localhost' || /^[\d.]+$|^\[/.test(host)) ? `${host}:${port}` : host
}
