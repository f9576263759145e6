import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const INI = `;; connections
[databases]
shop = host=pg port=5432 dbname=shop pool_size=30 reserve_pool=5
* = host=pg

[pgbouncer]
listen_port = 6432
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 25
query_wait_timeout = 10
query_timeout = 2.5
server_connect_timeout = 3
server_idle_timeout = 300
client_idle_timeout = 600
; query_timeout = 99
idle_transaction_timeout = 60
`
const ini = (text: string, more: Readonly<Record<string, string>> = {}) => imported({ 'pgbouncer/pgbouncer.ini': text, ...more })

describe('pgbouncer', () => {
  it('is a proxy between the pool of an application and PostgreSQL', () => {
    const { edges, service, call } = ini(INI, {
      'application.yml': 'spring:\n  application.name: app\n  datasource: { url: "jdbc:postgresql://pgbouncer:6432/shop" }\n',
    })
    expect(edges).toEqual(['pgbouncer.query-shop -> pg.query', 'pgbouncer.query -> pg.query', 'app.request -> pgbouncer.query-shop'])
    expect(service('pgbouncer')).toMatchObject({
      kind: { value: 'proxy' },
      concurrency: { value: 1000 },
      keepAlive: { idleMs: { value: 600_000 } },
    })
    expect(call('pgbouncer.query-shop -> pg.query')).toMatchObject({
      connectMs: { value: 3000 },
      attemptMs: { value: 2500 },
      keepAliveMs: { value: 300_000 },
      queue: { totalMs: { value: 10_000 } },
      pool: { value: 'shop' },
    })
  })

  it('counts the pool of a line with its reserve, and the default for the others', () => {
    const pools = ini(INI).service('pgbouncer')?.pools
    expect(pools?.get('shop')).toMatchObject({ value: 35, worked: '30 + 5 in reserve' })
    expect(pools?.get('default')?.value).toBe(25)
  })

  it('opens no more connections than all users of a database may have', () => {
    const most = (text: string) => ini(INI.replace('[pgbouncer]', `[pgbouncer]\n${text}`)).service('pgbouncer')?.pools
    expect(most('max_db_connections = 30')?.get('shop')).toMatchObject({ value: 30, worked: 'a pool of 35, max_db_connections 30' })
    expect(most('max_db_connections = 30')?.get('default')?.value).toBe(25)
    expect(most('max_db_connections = 0')?.get('shop')?.value).toBe(35)
    const line = ini(INI.replace('reserve_pool=5', 'reserve_pool=5 max_db_connections=12')).service('pgbouncer')?.pools
    expect(line?.get('shop')?.value).toBe(12)
  })

  it('waits 120 s for a connection, and takes 100 clients, unless it is told otherwise', () => {
    const { call, service } = ini('[databases]\n* = host=pg\n[pgbouncer]\npool_mode = transaction\n')
    expect(call('pgbouncer.query -> pg.query')?.queue?.totalMs).toMatchObject({
      value: 120_000,
      origin: { kind: 'default', product: 'pgbouncer', setting: 'query_wait_timeout' },
    })
    expect(service('pgbouncer')?.concurrency).toMatchObject({ value: 100, origin: { kind: 'default' } })
  })

  it('serves no more clients than connections where it pools sessions, which it does by default', () => {
    const { service } = ini('[databases]\nshop = host=pg\n[pgbouncer]\ndefault_pool_size = 15\nmax_client_conn = 500\n')
    expect(service('pgbouncer')?.concurrency).toMatchObject({
      value: 15,
      worked: 'pool shop 15, pool_mode session: a client keeps its connection until it leaves',
    })
  })

  it('counts seconds with fractions, and refuses units as PgBouncer does', () => {
    expect(
      ini('[databases]\n* = host=pg\n[pgbouncer]\nquery_wait_timeout = 1.5\n').call('pgbouncer.query -> pg.query')?.queue?.totalMs?.value,
    ).toBe(1500)
    expect(ini('[databases]\n* = host=pg\n[pgbouncer]\nquery_wait_timeout = 60s\n').dead).toEqual([
      { setting: 'query_wait_timeout', written: '60s', effective: '2m, the default of pgbouncer', line: 4 },
    ])
  })

  it('takes 0 for no limit of a wait', () => {
    expect(
      ini('[databases]\n* = host=pg\n[pgbouncer]\nquery_wait_timeout = 0\n').call('pgbouncer.query -> pg.query')?.queue?.totalMs?.value,
    ).toBe('none')
  })

  it('says of timers near a limit that they are none', () => {
    expect(ini(INI).notes).toEqual(['ignored: idle_transaction_timeout ends a client that does nothing inside a transaction, no statement'])
  })

  it('is read from the environment of its images too', () => {
    const { service, edges, call } = imported({
      'compose.yaml':
        'services:\n  pg: { image: "postgres:16" }\n  pool:\n    image: edoburu/pgbouncer:1.22.1\n    environment: { DB_HOST: pg, POOL_MODE: transaction, DEFAULT_POOL_SIZE: 40, MAX_CLIENT_CONN: 400 }\n  app:\n    image: app\n    environment: { DATABASE_URL: "postgres://u:p@pool:6432/shop" }\n',
    })
    expect(edges).toEqual(['pool.query -> pg.query', 'app.request -> pool.query'])
    expect(service('pool')).toMatchObject({ kind: { value: 'proxy' }, concurrency: { value: 400 } })
    expect(service('pool')?.pools.get('default')?.value).toBe(40)
    expect(call('pool.query -> pg.query')?.pool?.value).toBe('default')
  })

  it('logs in as its callers do, where they are one user', () => {
    const files = (second: string) => ({
      'compose.yaml': `services:
  pg: { image: "postgres:16", volumes: ["./init.sql:/docker-entrypoint-initdb.d/init.sql"] }
  pool: { image: edoburu/pgbouncer, volumes: ["./pgbouncer.ini:/etc/pgbouncer/pgbouncer.ini"] }
  web: { image: web, environment: { DATABASE_URL: "postgres://app:x@pool:6432/shop" } }
  job: { image: job, environment: { DATABASE_URL: "postgres://${second}:x@pool:6432/shop" } }
`,
      'init.sql': "ALTER ROLE app SET statement_timeout = '5s';\n",
      'pgbouncer.ini': '[databases]\n* = host=pg\n[pgbouncer]\npool_mode = transaction\n',
    })
    expect(imported(files('app')).edges).toContain('pool.query -> pg.query-as-app')
    expect(imported(files('job')).edges).toContain('pool.query -> pg.query')
  })

  it('reads any text without an error', () => {
    const words = [
      '[databases]',
      '[pgbouncer]',
      '\n',
      '=',
      ' ',
      'a',
      '*',
      'host=',
      "'",
      'pool_size=',
      '5',
      ';',
      '#',
      '%include x',
      'query_wait_timeout',
      '$X',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        expect(ini(`[pgbouncer]\n${parts.join('')}`).chain).toBeDefined()
      }),
    )
  })
})
