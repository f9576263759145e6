import type { LimitMs, ServerLimits, Service } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import { addNote, type FactsDraft } from './facts.js'
import { limitFact, type Written } from './limit-fact.js'

/** A server's command line, and what its image says it is. */
export interface ServerCommand {
  readonly command: readonly Written[]
  readonly image: string
  readonly draft: FactsDraft
  readonly version: string | null
}

/** What the flags of a server set. */
export interface ServerFlags {
  readonly limits?: ServerLimits
  readonly concurrency?: NonNullable<Service['concurrency']>
  readonly idleMs?: Sourced<LimitMs>
}

/** Reads the flags of servers that are known: postgres `-c name=value`, redis-server, gunicorn. */
export function flagsOf(server: ServerCommand): ServerFlags {
  const words = server.command.map(({ text }) => text)
  if (/postgres|postgis|timescale/.test(server.image)) return postgresFlags(server)
  if (/redis|valkey/.test(server.image)) return redisFlags(server)
  return words.some((word) => /(^|\/)gunicorn$/.test(word)) ? gunicornFlags(server) : {}
}

function valueAfter({ command }: ServerCommand, ...flags: readonly string[]): Written | undefined {
  for (const [index, { text, spot }] of command.entries()) {
    if (flags.includes(text)) return command[index + 1]
    const flag = flags.find((each) => each.startsWith('--') && text.startsWith(`${each}=`))
    if (flag !== undefined) return { text: text.slice(flag.length + 1), spot }
  }
  return undefined
}

function countOf(written: Written | undefined): Sourced<number> | undefined {
  return written && /^[1-9]\d{0,6}$/.test(written.text) ? declared(Number(written.text), written.spot) : undefined
}

function postgresFlags(server: ServerCommand): ServerFlags {
  const setting = (name: string): Written | undefined => {
    const found = server.command.find(({ text }) => text.replaceAll('-', '_').startsWith(`${name}=`) || text.startsWith(`--${name}=`))
    return found && { text: found.text.slice(found.text.indexOf('=') + 1), spot: found.spot }
  }
  const limit = (name: string): Sourced<LimitMs> | undefined => {
    const written = setting(name)
    return (
      written &&
      limitFact(
        { draft: server.draft, system: 'postgresql', version: server.version, key: name, at: written.spot },
        written,
        'postgres-ms',
        'none',
      )
    )
  }
  const statementMs = limit('statement_timeout')
  const lockMs = limit('lock_timeout')
  const spot = (statementMs ?? lockMs)?.origin.spot
  const concurrency = countOf(setting('max_connections'))
  return {
    ...(spot ? { limits: { spot, ...(statementMs ? { statementMs } : {}), ...(lockMs ? { lockMs } : {}) } } : {}),
    ...(concurrency ? { concurrency } : {}),
  }
}

function redisFlags(server: ServerCommand): ServerFlags {
  const written = valueAfter(server, '--timeout')
  const idleMs =
    written &&
    limitFact({ draft: server.draft, system: 'redis', version: server.version, key: 'timeout', at: written.spot }, written, 'int-s', 'none')
  const concurrency = countOf(valueAfter(server, '--maxclients'))
  return { ...(typeof idleMs?.value === 'number' ? { idleMs } : {}), ...(concurrency ? { concurrency } : {}) }
}

/** gunicorn kills a worker after `--timeout`; only a sync worker is busy with one request, so only there it limits one. */
function gunicornFlags(server: ServerCommand): ServerFlags {
  const first = server.command[0]
  if (!first) return {}
  const workerClass = valueAfter(server, '-k', '--worker-class')
  const threads = countOf(valueAfter(server, '--threads'))
  const workers = countOf(valueAfter(server, '-w', '--workers'))
  const isSync = (workerClass === undefined || workerClass.text === 'sync') && (threads?.value ?? 1) === 1
  const written = valueAfter(server, '-t', '--timeout')
  if (written && !isSync)
    addNote(server.draft, 'ignored', written.spot, 'gunicorn --timeout limits a worker, and a request only where workers are sync')
  const requestMs = isSync
    ? limitFact({ draft: server.draft, system: 'gunicorn', version: null, key: 'timeout', at: first.spot }, written, 'int-s', 'none')
    : undefined
  const slots = workers && isSync ? workers : workers && threads ? declared(workers.value * threads.value, workers.origin.spot) : undefined
  return { ...(requestMs ? { limits: { spot: requestMs.origin.spot, requestMs } } : {}), ...(slots ? { concurrency: slots } : {}) }
}
