import type { Source, Spot } from '../model/sourced.js'
import type { Owner, ServiceFact } from './facts.js'
import type { ProcessFacts } from './gunicorn-settings.js'
import { nameOf, socketHost } from './target.js'

/** A server of an application, as its own config describes it. */
export interface ProcessConfig {
  /** Of the product, where neither an owner nor a folder gives a name. */
  readonly name: string
  readonly source: Source
  readonly owner: Owner | null
  readonly at: Spot
  readonly facts: ProcessFacts
  readonly addresses: { readonly ports: readonly number[]; readonly sockets: readonly string[] }
}

/** The service that a server's config belongs to: its owner's, else the folder's, else one named for the product. */
export function processService({ name, source, owner, at, facts, addresses }: ProcessConfig): ServiceFact {
  const { limits, concurrency, idleMs, processes } = facts
  return {
    name: owner?.name ?? folderName(source.file) ?? name,
    spot: at,
    kind: 'service',
    hosts: addresses.sockets.map(socketHost),
    ports: addresses.ports,
    intercepts: [],
    ...(owner ? {} : { anywhere: true as const }),
    ...(concurrency ? { concurrency } : {}),
    ...(idleMs ? { keepAlive: { spot: idleMs.origin.spot, idleMs } } : {}),
    ...(processes ? { processes } : {}),
    operations: [{ name: 'request', spot: at, path: null, hops: [], ...(limits ? { limits } : {}) }],
  }
}

const NO_NAMES = new Set([
  'conf',
  'config',
  'configs',
  'deploy',
  'deployment',
  'docker',
  'etc',
  'app',
  'src',
  'conf-d',
  'pool-d',
  'ops',
  'infra',
  'php',
  'php-fpm',
  'fpm',
  'uwsgi',
  'gunicorn',
])

/** The nearest folder whose name says whose it is. */
export function folderName(file: string): string | null {
  const folders = file
    .split('/')
    .slice(0, -1)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
  const found = folders.findLast((part) => !NO_NAMES.has(nameOf(part).toLowerCase()) && !/^[\d.]+$/.test(part))
  return found === undefined ? null : nameOf(found)
}
