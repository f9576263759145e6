import { declared, type Sourced } from '../model/sourced.js'
import type { FactsDraft, HopFact } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import { statementOfUrl } from './postgres-url.js'

/** Variables of the environment by name. */
export type Environment = ReadonlyMap<string, Written>

/** The pool that each process of a program has to its databases, as variables of known meaning say. */
interface EnvironmentPool {
  readonly name: string
  readonly size: Sourced<number>
  readonly fields: Pick<HopFact['fields'], 'queue' | 'pool'>
}

/** Names whose meaning is known, by the program that reads them; a name that only sounds like it is nobody's. */
const SIZES: readonly { readonly size: RegExp; readonly overflow?: RegExp; readonly wait?: RegExp }[] = [
  { size: /^SQLALCHEMY_POOL_SIZE$/, overflow: /^SQLALCHEMY_(POOL_)?MAX_OVERFLOW$/, wait: /^SQLALCHEMY_POOL_TIMEOUT$/ },
  {
    size: /^AIRFLOW__(CORE|DATABASE)__SQL_ALCHEMY_POOL_SIZE$/,
    overflow: /^AIRFLOW__(CORE|DATABASE)__SQL_ALCHEMY_MAX_OVERFLOW$/,
  },
  { size: /^KC_DB_POOL_MAX_SIZE$/ },
  { size: /^GF_DATABASE_MAX_OPEN_CONN$/ },
]

/** What SQLAlchemy, Airflow, Keycloak and Grafana are told of their pool; null where nothing is. */
function environmentPool(environment: Environment, draft: FactsDraft): EnvironmentPool | null {
  for (const { size, overflow, wait } of SIZES) {
    const written = valueOf(environment, size)
    if (!written) continue
    const own = countFact({ ...setting(draft, written, 'pool_size'), shown: nameOf(environment, size) }, written)
    const more = overflow ? countFact(setting(draft, written, 'max_overflow'), valueOf(environment, overflow)) : null
    if (typeof own.value !== 'number' || own.value < 1 || more?.value === 'unknown') return null
    const extra = more?.value ?? 0
    const size_: Sourced<number> = {
      origin: own.origin,
      value: own.value + extra,
      ...(extra > 0 ? { worked: `${own.value} + ${extra}${more?.origin.kind === 'default' ? ' max_overflow by default' : ''}` } : {}),
    }
    const waitMs = wait ? limitFact(setting(draft, written, 'pool_timeout'), valueOf(environment, wait), 'decimal-s') : undefined
    return {
      name: 'database',
      size: size_,
      fields: {
        pool: { value: 'database', origin: own.origin },
        ...(waitMs ? { queue: { spot: waitMs.origin.spot, totalMs: waitMs } } : {}),
      },
    }
  }
  return null
}

function setting(draft: FactsDraft, written: Written, key: string): Setting {
  return { draft, system: 'sqlalchemy', version: null, key, at: written.spot }
}

function nameOf(environment: Environment, pattern: RegExp): string {
  return [...environment.keys()].find((name) => pattern.test(name)) ?? ''
}

function valueOf(environment: Environment, pattern: RegExp): Written | undefined {
  const found = environment.get(nameOf(environment, pattern))
  return found && found.text !== '' ? found : undefined
}

/** Hops with the pools that their callers have to databases, and what each process of the caller has. */
export interface Pooled {
  readonly hops: readonly HopFact[]
  readonly processPools?: ReadonlyMap<string, Sourced<number>>
}

/** Programs without a pool have so many connections in each process. */
function ownConnection(each: Sourced<number>): EnvironmentPool {
  return { name: 'database', size: each, fields: { pool: { value: 'database', origin: each.origin } } }
}

/** Gives the hops to databases the pool that the environment or their address speaks of, else the connections that each process has. */
export function pooledHops(
  hops: readonly HopFact[],
  environment: Environment,
  draft: FactsDraft,
  isDatabase: (hop: HopFact) => boolean,
  each?: Sourced<number>,
): Pooled {
  const shared = environmentPool(environment, draft) ?? (each ? ownConnection(each) : null)
  const processPools = new Map<string, Sourced<number>>()
  const pooled = hops.map((hop) => {
    if (hop.hint === 'order' || !isDatabase(hop)) return hop
    const statement = statementOfUrl(hop.target, draft)
    const pool = addressPool(hop.target) ?? shared
    if (pool) processPools.set(pool.name, pool.size)
    return { ...hop, fields: { ...hop.fields, ...(statement ? { attemptMs: statement } : {}), ...pool?.fields } }
  })
  return { hops: pooled, ...(processPools.size > 0 ? { processPools } : {}) }
}

/** Pools that an address names: Prisma's `connection_limit`, pgx's `pool_max_conns`, each for one process. */
function addressPool(address: Written): EnvironmentPool | null {
  const found = /[?&](connection_limit|pool_max_conns)=([1-9]\d{0,5})(?=&|$)/.exec(address.text)
  if (!found) return null
  const size = declared(Number(found[2]), address.spot)
  const name = `database-${/@([\w-]{1,60})/.exec(address.text)?.[1] ?? 'pool'}`
  const wait = /[?&]pool_timeout=(\d{1,6})(?=&|$)/.exec(address.text)
  const waitMs = wait && wait[1] !== '0' ? declared(Number(wait[1]) * SECOND_MS, address.spot) : undefined
  return {
    name,
    size,
    fields: { pool: { value: name, origin: size.origin }, ...(waitMs ? { queue: { spot: address.spot, totalMs: waitMs } } : {}) },
  }
}

const SECOND_MS = 1e3
