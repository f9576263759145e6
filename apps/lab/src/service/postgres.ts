import pg from 'pg'
import { sleep } from './sleep.js'
import type { Spend } from './work.js'

/** A database that is really there. */
export interface Postgres {
  readonly version: string
  readonly spend: Spend
  /** Locks this share of the rows, as a transaction somewhere else does, until it is called with 0. */
  lock(share: number): Promise<void>
  close(): Promise<void>
}

/** Rows of the table; a request asks for one of them. */
export const ROWS = 1000

/** How long a connection attempt may take (ms). */
const CONNECT_MS = 1500

/**
 * Opens `slots` connections to PostgreSQL. Work is a query that takes so long; aborting it sends a cancel request on another connection.
 * The table is made by {@link createStock}. Rejects when there is no such server.
 */
export async function openPostgres(url: string, schema: string, slots: number): Promise<Postgres> {
  const options = { connectionString: url, application_name: schema, connectionTimeoutMillis: CONNECT_MS }
  // A backend that sleeps does not notice that its client was killed; this makes it look.
  const pool = new pg.Pool({ ...options, max: slots, options: '-c client_connection_check_interval=500' })
  const control = new pg.Pool({ ...options, max: 2 })
  for (const one of [pool, control]) one.on('error', () => undefined)
  const { rows } = await control.query<{ server_version: string }>('show server_version')
  let locker: pg.PoolClient | undefined

  async function spend(ms: number, request: number, signal: AbortSignal | undefined): Promise<void> {
    const client = await pool.connect()
    const onAbort = (): void =>
      void control.query('select pg_cancel_backend($1)', [(client as unknown as { processID: number }).processID]).catch(() => undefined)
    try {
      if (signal?.aborted === true) throw signal.reason
      signal?.addEventListener('abort', onAbort)
      // A lock that somebody holds on the row is waited for: `for share` is what an order needs of the stock it counts on.
      await client.query(`select quantity, pg_sleep($1) from ${schema}.stock where sku = $2 for share`, [ms / 1000, request % ROWS])
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      throw error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      client.release()
    }
  }

  return {
    version: rows[0]?.server_version.split(' ')[0] ?? '?',
    spend,
    async lock(share) {
      await locker?.query('rollback').catch(() => undefined)
      locker?.release()
      locker = undefined
      if (share === 0) return
      locker = await control.connect()
      await locker.query('begin')
      await locker.query(`select sku from ${schema}.stock where sku < $1 for update`, [Math.round(share * ROWS)])
    },
    async close() {
      await Promise.race([Promise.all([pool.end(), control.end()]), sleep(500)])
    },
  }
}

/** Makes the table the lab asks, and removes those of labs that were killed. Rejects when there is no such server. */
export async function createStock(url: string, schema: string, isAlive: (pid: number) => boolean): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select nspname as name from pg_namespace where nspname like 'sandglass\\_lab\\_%'",
    )
    for (const { name } of rows) if (!isAlive(Number(name.split('_').pop()))) await client.query(`drop schema if exists ${name} cascade`)
    await client.query(`create schema if not exists ${schema}`)
    await client.query(`create unlogged table if not exists ${schema}.stock (sku int primary key, quantity int not null)`)
    await client.query(`insert into ${schema}.stock select n, 100 from generate_series(0, ${ROWS - 1}) n on conflict do nothing`)
  })
}

/** Ends every connection of the lab and removes its table. */
export async function dropStock(url: string, schema: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [schema])
    await client.query(`drop schema if exists ${schema} cascade`)
  })
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
