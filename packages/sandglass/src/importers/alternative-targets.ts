import { addNote, type FactsDraft, type HopFact, type Peer, type ServiceFact, type Target } from './facts.js'
import { sharesOf, shareWithin } from './shares.js'
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
  const each = new Map<string, Peer>()
  for (const { peer, services } of found) {
    const name = services[0]?.name ?? unknownName(peer)
    if (name !== null) each.set(name, together(each.get(name), { ...peer, path: target.path }))
  }
  const servers = [...each.values()]
  const shares = sharesOf(servers.map(({ spot, weight = 1, isBackup }) => ({ spot, weight, isBackup: isBackup === true })))
  if (servers.length > 1) addNote(draft, 'unknown', target.spot, told(target, [...each], shares.includes(undefined)))
  return servers.map((peer, index) => {
    const share = shareWithin(hop.fields.share, shares[index])
    return { ...hop, target: peer, fields: share ? { ...hop.fields, share } : hop.fields }
  })
}

/** Two servers of one service: what both get; a backup only where both are. */
function together(first: Peer | undefined, second: Peer): Peer {
  if (!first || (first.isBackup && !second.isBackup)) return second
  if (second.isBackup && !first.isBackup) return first
  const [a, b] = [first.weight === undefined ? 1 : first.weight, second.weight === undefined ? 1 : second.weight]
  return { ...first, weight: a === null || b === null ? null : a + b }
}

function told({ text }: Target, servers: readonly (readonly [string, Peer])[], isUnweighed: boolean): string {
  const ordinary = servers.filter(([, { isBackup }]) => !isBackup).map(([name]) => name)
  const backups = servers.filter(([, { isBackup }]) => isBackup).map(([name]) => name)
  const shares = isUnweighed ? 'no share of the requests' : 'the share of the requests that its weight gives it'
  const each = `the chain has a call to each, with the same limits and ${shares}`
  if (backups.length === 0 || ordinary.length === 0)
    return `${text}: which of ${shown([...ordinary, ...backups])} is asked is decided at run time; ${each}`
  return `${text}: ${shown(backups)} ${backups.length === 1 ? 'is a backup' : 'are backups'}, asked only while ${ordinary.length === 1 ? `${ordinary[0]} does not answer` : `none of ${shown(ordinary)} answers`}; ${each}`
}

function shown(names: readonly string[]): string {
  return `${names.slice(0, MAX_SHOWN).join(', ')}${names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''}`
}

/** Addresses are told apart by their port, as where a chain names them. */
function unknownName({ host, port }: Target): string | null {
  return host !== null && port !== null && (host === 'localhost' || /^[\d.]+$|^\[/.test(host)) ? `${host}:${port}` : host
}
