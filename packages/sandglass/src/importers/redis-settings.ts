import type { LimitMs, Service } from '../model/chain.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addNote, type FactsDraft } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'

/** Where the settings of a Redis server are looked up. */
export interface RedisServer {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly get: (name: string) => Written | undefined
  readonly at: Spot
}

const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['lua-time-limit', 'ends no script: after it others are told BUSY'],
  ['busy-reply-threshold', 'ends no script: after it others are told BUSY'],
  ['cluster-node-timeout', 'says when a node counts as gone'],
]

/** How many clients a Redis takes, and after which time without a command it closes a connection (`timeout`; 0: never). */
export function redisFacts({ draft, version, get, at }: RedisServer): {
  readonly concurrency: NonNullable<Service['concurrency']>
  readonly idleMs?: Sourced<LimitMs>
} {
  const setting = (key: string): Setting => ({ draft, system: 'redis', version, key, at })
  for (const [name, why] of ELSEWHERE) {
    const written = get(name)
    if (written) addNote(draft, 'ignored', written.spot, `${name} ${why}`)
  }
  const written = get('timeout')
  const idleMs = written && limitFact(setting('timeout'), written, 'int-s', 'none')
  return {
    concurrency: countFact(setting('maxclients'), get('maxclients')),
    ...(typeof idleMs?.value === 'number' ? { idleMs } : {}),
  }
}
