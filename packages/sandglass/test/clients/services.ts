import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Service } from './service-proxy.js'

/** The real servers that cases use, by name; how many statements run is asked with the clients that are installed in `home`. */
export function servicesOf(home: string) {
  const load = createRequire(join(home, 'node_modules', 'x.js'))
  async function askPostgres(text: string, localPorts: readonly number[]): Promise<number | undefined> {
    const { Client } = load('pg') as PgModule
    const options = { host: '127.0.0.1', user: 'postgres', database: 'postgres', connectionTimeoutMillis: 15_000, query_timeout: 15_000 }
    const client = new Client(options)
    await client.connect()
    const { rows } = await client.query(text, [localPorts])
    await client.end()
    return rows[0]?.n
  }
  async function statementsOf(localPorts: readonly number[], isEnded = false): Promise<number[]> {
    const { createConnection } = load('mysql2/promise') as MysqlModule
    const connection = await createConnection({ host: '127.0.0.1', user: 'root', connectTimeout: 15_000 })
    const text = "select id, host from information_schema.processlist where command in ('Query', 'Execute')"
    const [rows] = await connection.query({ sql: text, timeout: 15_000 })
    const ids = rows.filter(({ host }) => localPorts.includes(Number(host.split(':')[1]))).map(({ id }) => id)
    if (isEnded) for (const id of ids) await connection.query({ sql: `kill ${id}`, timeout: 15_000 }).catch(() => {})
    await connection.end()
    return ids
  }
  return {
    postgres: {
      name: 'PostgreSQL',
      host: '127.0.0.1',
      port: 5432,
      url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
      working: async (localPorts) =>
        (await askPostgres(
          "select count(*)::int as n from pg_stat_activity where client_port = any($1) and state = 'active'",
          localPorts,
        )) ?? 0,
      async end(localPorts) {
        await askPostgres('select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where client_port = any($1)', localPorts)
      },
    },
    mariadb: {
      name: 'MariaDB',
      host: '127.0.0.1',
      port: 3306,
      url: (port) => `mysql://root@127.0.0.1:${port}/test`,
      working: async (localPorts) => (await statementsOf(localPorts)).length,
      end: async (localPorts) => void (await statementsOf(localPorts, true)),
    },
    redis: { name: 'Redis', host: '127.0.0.1', port: 6379, url: (port) => `redis://127.0.0.1:${port}`, working: null, end: null },
    rabbitmq: {
      name: 'RabbitMQ',
      host: '127.0.0.1',
      port: 5672,
      url: (port) => `amqp://guest:guest@127.0.0.1:${port}`,
      working: null,
      end: null,
    },
  } as const satisfies Record<string, Service>
}

/** The name of a service. */
export type ServiceName = keyof ReturnType<typeof servicesOf>

/** Whether somebody listens there. */
export function isThere({ host, port }: Service): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.on('connect', () => end(true))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
  })
}

interface PgModule {
  readonly Client: new (
    options: object,
  ) => {
    connect(): Promise<void>
    query(text: string, values: readonly unknown[]): Promise<{ rows: { n: number }[] }>
    end(): Promise<void>
  }
}

interface MysqlModule {
  createConnection(options: object): Promise<{ query(options: object): Promise<[{ id: number; host: string }[]]>; end(): Promise<void> }>
}
