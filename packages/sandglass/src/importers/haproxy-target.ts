import type { Peer, Target } from './facts.js'
import type { Section } from './haproxy-sections.js'
import type { Written } from './limit-fact.js'
import { weightOf } from './shares.js'
import { targetOf } from './target.js'

/** The `server` lines of a backend. */
export interface BackendServers {
  readonly servers: readonly (readonly Written[])[]
  /** Asked only where none of the others is up. */
  readonly backups: readonly (readonly Written[])[]
  /** One `server-template` line, whose address stands behind a count. */
  readonly isTemplate: boolean
  /** `balance first`: a server gets what those before it do not take. */
  readonly isInOrder: boolean
}

/** Servers at one address are one service; others are known by the backend's name, unless they are services themselves. */
export function targetFor(section: Section, { servers, backups, isTemplate, isInOrder }: BackendServers): Target {
  const peersOf = (line: readonly Written[]) =>
    peersIn(line, isTemplate ? 3 : 2).map((peer) => (isInOrder ? { ...peer, weight: null } : peer))
  const targets = servers.flatMap(peersOf)
  const [first] = targets
  const peers: readonly Peer[] = [
    ...targets,
    ...backups.flatMap((line) => peersIn(line, 2)).map((peer) => ({ ...peer, isBackup: true as const })),
  ]
  if (first && targets.every(({ host, port }) => host === first.host && port === first.port)) {
    const only = targetOf(first.text, first.spot)
    return backups.length > 0 ? { ...only, peers } : only
  }
  return { ...targetOf(section.name, section.words[1]?.spot ?? section.spot), kind: first?.kind ?? null, peers }
}

/** The server that a line names, with its weight: 1 where none is written. */
function peersIn(line: readonly Written[], at: number): readonly Peer[] {
  const address = line[at]
  const weight = line.find((_, index) => index > at && line[index - 1]?.text === 'weight')
  if (!address) return []
  return [{ ...targetOf(address.text.replace(/^(ipv[46]|tcp[46]?)@/, ''), address.spot), weight: weightOf(weight, 1) }]
}
