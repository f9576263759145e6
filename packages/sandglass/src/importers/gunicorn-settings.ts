import type { LimitMs, ServerLimits, Service } from '../model/chain.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addNote, type FactsDraft } from './facts.js'
import { countFact, defaultText, limitFact, type Setting, type Written } from './limit-fact.js'

/** What is known of a server by its settings: slots, limits, and how many processes have pools of their own. */
export interface ProcessFacts {
  readonly limits?: ServerLimits
  readonly concurrency?: NonNullable<Service['concurrency']>
  /** How long it keeps idle connections of callers. */
  readonly idleMs?: Sourced<LimitMs>
  /** Worker processes of one instance. */
  readonly processes?: Sourced<number | 'unknown'>
  /** Where it listens: `host:port`, `:port`, `unix:/path`. */
  readonly listens?: readonly Written[]
}

/** Where the settings of a server's process stand, and where they would. */
export interface ProcessServer {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly at: Spot
}

const FLAGS: readonly (readonly [RegExp, string])[] = [
  [/^(-w|--workers)$/, 'workers'],
  [/^(-k|--worker-class)$/, 'worker_class'],
  [/^--threads$/, 'threads'],
  [/^--worker-connections$/, 'worker_connections'],
  [/^(-t|--timeout)$/, 'timeout'],
  [/^--graceful-timeout$/, 'graceful_timeout'],
  [/^--keep-alive$/, 'keepalive'],
  [/^(-b|--bind)$/, 'bind'],
  [/^(-c|--config)$/, 'config'],
]

/** The settings of gunicorn's command line by their names in its config file. */
export function gunicornFlags(words: readonly Written[]): ReadonlyMap<string, Written> {
  const settings = new Map<string, Written>()
  for (const [index, { text, spot }] of words.entries()) {
    const equals = text.startsWith('--') ? text.indexOf('=') : -1
    const short = /^-[wktbc](?=.)/.exec(text)?.[0]
    const flag = equals > 0 ? text.slice(0, equals) : (short ?? text)
    const name = FLAGS.find(([pattern]) => pattern.test(flag))?.[1]
    const value = equals > 0 ? { text: text.slice(equals + 1), spot } : short ? { text: text.slice(short.length), spot } : words[index + 1]
    if (name !== undefined && value) settings.set(name, value)
  }
  return settings
}

/** gunicorn kills a worker after `timeout`; only a sync worker is busy with one request, so only there it limits one. */
export function gunicornFacts(settings: ReadonlyMap<string, Written>, server: ProcessServer): ProcessFacts {
  const setting = (key: string): Setting => ({ ...server, system: 'gunicorn', key, at: server.at })
  const count = (key: string) => countFact(setting(key), settings.get(key))
  const workers = count('workers')
  const threads = count('threads')
  const family = familyOf(settings.get('worker_class'), threads)
  const slots = slotsOf(family, workers, threads, () => count('worker_connections'))
  const graceful = settings.get('graceful_timeout')
  if (graceful) addNote(server.draft, 'ignored', graceful.spot, 'graceful_timeout limits how long a restart waits, no request')
  const idleMs = family === 'sync' ? undefined : limitFact(setting('keepalive'), settings.get('keepalive'), 'int-s')
  const bind = settings.get('bind')
  return {
    ...requestLimit(family, settings, server),
    ...(slots ? { concurrency: slots } : {}),
    ...(typeof idleMs?.value === 'number' && idleMs.value > 0 ? { idleMs } : {}),
    processes: workers,
    listens: [bind ?? { text: defaultText(setting('bind')).value, spot: server.at }],
  }
}

type Family = 'sync' | 'threads' | 'connections' | 'unlimited' | 'unknown'

function familyOf(written: Written | undefined, threads: Sourced<number | 'unknown'>): Family {
  const name = written?.text ?? 'sync'
  if (name.startsWith('$')) return 'unknown'
  if (/gthread/.test(name) || (/^sync$/.test(name) && typeof threads.value === 'number' && threads.value > 1)) return 'threads'
  if (/^sync$/.test(name)) return threads.value === 'unknown' ? 'unknown' : 'sync'
  return /gevent|eventlet/.test(name) ? 'connections' : 'unlimited'
}

function requestLimit(
  family: Family,
  settings: ReadonlyMap<string, Written>,
  { draft, version, at }: ProcessServer,
): Pick<ProcessFacts, 'limits'> {
  const written = settings.get('timeout')
  if (family === 'sync') {
    const requestMs = limitFact({ draft, system: 'gunicorn', version, key: 'timeout', at }, written, 'int-s', 'none')
    return requestMs ? { limits: { spot: requestMs.origin.spot, requestMs } } : {}
  }
  if (written)
    addNote(
      draft,
      'ignored',
      written.spot,
      `gunicorn timeout limits a worker, and a request only where workers are sync${family === 'unknown' ? '; which they are is not known' : ''}`,
    )
  return {}
}

function slotsOf(
  family: Family,
  workers: Sourced<number | 'unknown'>,
  threads: Sourced<number | 'unknown'>,
  connections: () => Sourced<number | 'unknown'>,
): Sourced<number | 'unknown'> | undefined {
  if (family === 'sync') return workers
  if (family === 'unlimited' || family === 'unknown') return undefined
  const each = family === 'threads' ? threads : connections()
  if (workers.value === 'unknown' || each.value === 'unknown') return { ...workers, value: 'unknown' }
  const unit = family === 'threads' ? 'threads' : 'connections'
  const from = workers.origin.kind === 'declared' ? workers : each
  return { ...from, value: workers.value * each.value, worked: `${workers.value} workers x ${each.value} ${unit}` }
}

/** Where a server listens, as ports and as sockets that are hosts. */
export function addressesOf(listens: readonly Written[]): { readonly ports: readonly number[]; readonly sockets: readonly string[] } {
  const each = listens.flatMap(({ text }) => text.replace(/^\[|\]$/g, '').split(','))
  const plain = each.map((text) => text.trim().replace(/^['"]|['"]$/g, ''))
  return {
    ports: plain.flatMap((text) => /^(?:[^/]*:)?(\d{1,5})$/.exec(text)?.[1] ?? []).map(Number),
    sockets: plain.flatMap((text) => /^(?:unix:)?(?:\/\/)?(\/\S{1,200})$/.exec(text)?.[1] ?? []),
  }
}
