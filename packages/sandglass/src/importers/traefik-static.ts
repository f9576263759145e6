import type { LimitMs } from '../model/chain.js'
import type { Sourced, Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, addNote, type FactsDraft } from './facts.js'
import { limitFact, type Setting, type Written } from './limit-fact.js'
import { entriesUnder, under, wordsUnder, writtenUnder } from './traefik-tree.js'

/** What Traefik's own configuration says: where it listens, how it treats callers, and the transport of routes that name none. */
export interface TraefikStatic {
  readonly ports: readonly number[]
  readonly idleMs: Sourced<LimitMs> | undefined
  /** By entry point: the answer must be written after this time. */
  readonly writeMs: ReadonlyMap<string, Sourced<LimitMs>>
  /** By entry point: the middlewares that every router of it has before its own. */
  readonly middlewares: ReadonlyMap<string, readonly Written[]>
  readonly transport: YamlNode | undefined
}

/** Reads entry points and the default transport; `root` is a file or the flags of the command line as a tree. */
export function readStatic(root: YamlNode | undefined, at: Spot, draft: FactsDraft, version: string | null): TraefikStatic {
  const entryPoints = entriesUnder(root, 'entryPoints')
  const writeMs = new Map<string, Sourced<LimitMs>>()
  const idles: Sourced<LimitMs>[] = []
  for (const { key, value } of entryPoints) {
    sayMisplaced(value, draft)
    const setting = (name: string): Setting => ({
      draft,
      system: 'traefik',
      version,
      key: `entryPoints.*.transport.respondingTimeouts.${name}`,
      shown: name,
      at: value,
    })
    const timeout = (name: string) => writtenUnder(value, 'transport', 'respondingTimeouts', name)
    const idle = limitFact(setting('idleTimeout'), timeout('idleTimeout'), 'go-or-seconds', 'none')
    const write = limitFact(setting('writeTimeout'), timeout('writeTimeout'), 'go-or-seconds', 'none')
    const read = timeout('readTimeout')
    if (read) addNote(draft, 'ignored', read.spot, 'readTimeout limits how long the caller may take to send its request')
    if (idle) idles.push(idle)
    if (write && write.value !== 'none') writeMs.set(key.text.toLowerCase(), write)
  }
  if (entryPoints.length === 0) {
    const setting = { draft, system: 'traefik', version, key: 'entryPoints.*.transport.respondingTimeouts.idleTimeout', at }
    const idle = limitFact(setting, undefined, 'go-or-seconds', 'none')
    if (idle) idles.push(idle)
  }
  return {
    ports: entryPoints
      .flatMap(({ value }) => /:(\d{1,5})(?:\/tcp)?$/.exec(writtenUnder(value, 'address')?.text ?? '')?.[1] ?? [])
      .map(Number),
    idleMs: idles.toSorted((a, b) => msOf(a) - msOf(b))[0],
    writeMs,
    middlewares: new Map(entryPoints.map(({ key, value }) => [key.text.toLowerCase(), wordsUnder(value, 'http', 'middlewares')])),
    transport: under(root, 'serversTransport'),
  }
}

function msOf({ value }: Sourced<LimitMs>): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY
}

/** Before version 2 the timeouts stood elsewhere, and some look for them one level up. */
function sayMisplaced(entryPoint: YamlNode, draft: FactsDraft): void {
  const places = [
    ['respondingTimeouts', under(entryPoint, 'respondingTimeouts')],
    ['http.respondingTimeouts', under(entryPoint, 'http', 'respondingTimeouts')],
  ] as const
  for (const [setting, node] of places)
    for (const { key, value } of node?.kind === 'map' ? node.entries : [])
      addDead(draft, {
        setting: `${setting}.${key.text}`,
        written: value.kind === 'scalar' ? value.text : 'set',
        spot: value,
        because: 'Traefik looks for transport.respondingTimeouts',
        effective: 'the value there, or the default',
      })
}
