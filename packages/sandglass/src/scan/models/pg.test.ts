import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const messages = (text: string) => scanTexts(text).diagnostics.map(({ rule, message }) => `${rule}: ${message}`)

describe('pg', () => {
  test('C005: a pool without any limit is one finding that names all three, a limit of the client alone does not cancel, both are clean', () => {
    const scanned = scanTexts(`import { Pool } from "pg";
const a = new Pool({ max: 20 });
const b = new Pool({ max: 20, connectionTimeoutMillis: 1000, query_timeout: 2000 });
const c = new Pool({ connectionTimeoutMillis: 1000, query_timeout: 2000, statement_timeout: 1800 });
await c.query('select 1')`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call', 'code.ts:3 work-not-cancelled'])
    const [missing, abandoned] = scanned.diagnostics
    expect(missing?.message).toBe('pg waits without a limit for a free client, the answer of a query and the statement at the server')
    expect(abandoned?.message).toBe('query_timeout gives up after 2 s but does not cancel: the statement and the connection stay busy')
    expect(abandoned?.severity).toBe('warning')
    expect(abandoned?.suggestion?.text).toBe('add statement_timeout below 2000')
    expect(scanned.calls).toMatchObject([{ outcome: { state: 'bounded', ms: 2000, kind: 'total' }, worstMs: 3000 }])
  })

  test('a statement_timeout that is not below query_timeout comes too late', () => {
    expect(
      messages(`import pg from 'pg'
new pg.Pool({ connectionTimeoutMillis: 1000, query_timeout: 2000, statement_timeout: 2000 })`),
    ).toEqual([
      'work-not-cancelled: query_timeout gives up after 2 s but does not cancel: the statement and the connection stay busy; statement_timeout 2 s comes too late',
    ])
  })

  test('limits in the connection string and in the options for the server count, those that only the environment has do not', () => {
    const lines = (pool: string) =>
      callLines(scanTexts(`const { Pool } = require('pg')\nconst pool = new Pool(${pool})\npool.query('select 1')`))
    const wait = 'connectionTimeoutMillis: 500'
    expect(lines(`{ ${wait}, connectionString: 'postgres://db/x?statement_timeout=800' }`)).toEqual(['3 pg bounded 800 statement'])
    expect(lines(`{ ${wait}, connectionString: \`postgres://\${u}@db/x?statement_timeout=800\` }`)).toEqual(['3 pg bounded 800 statement'])
    expect(lines(`{ ${wait}, connectionString: 'postgres://db/x?options=-c%20statement_timeout%3D3s' }`)).toEqual([
      '3 pg bounded 3000 statement',
    ])
    expect(lines(`{ ${wait}, options: '-c search_path=x -c statement_timeout=700' }`)).toEqual(['3 pg bounded 700 statement'])
    expect(lines(`{ ${wait}, connectionString: process.env.DATABASE_URL }`)).toEqual(['3 pg unbounded'])
    expect(lines(`{ connectionString: 'postgres://db/x?statement_timeout=800' }`)).toEqual(['3 pg unbounded'])
    expect(lines(`{ ${wait}, ...config }`)).toEqual(['3 pg unknown'])
    expect(lines(`{ ${wait}, query_timeout: 0, statement_timeout: false }`)).toEqual(['3 pg unbounded'])
  })

  test('a statement beside the pool that sets the limit leaves it unknown', () => {
    const lines = (options: string) =>
      callLines(
        scanTexts(`import { Pool } from 'pg'
const pool = new Pool({ ${options} })
pool.on('connect', (client) => client.query('SET statement_timeout = 5000'))
pool.query('select 1')`),
      ).slice(-1)
    expect(lines('connectionTimeoutMillis: 500')).toEqual(['4 pg unknown'])
    expect(lines('')).toEqual(['4 pg unbounded'])
  })

  test('a query’s own query_timeout overrides that of its client', () => {
    const scanned = scanTexts(`import { Client } from 'pg'
const client = new Client('postgres://db/x?statement_timeout=100&query_timeout=900')
await client.connect()
await client.query({ text: 'select 1', query_timeout: 300 })
await client.query('select 1', [1])`)
    expect(callLines(scanned)).toEqual(['3 pg unbounded', '4 pg bounded 300 total', '5 pg bounded 900 total'])
    expect(scanned.diagnostics.map(({ message }) => message)).toEqual(['pg waits without a limit for the connection'])
  })

  test('a client of a pool has the limits of the pool, however it is handed over', () => {
    const scanned = scanTexts(`import { Pool } from 'pg'
const pool = new Pool({ connectionTimeoutMillis: 500, statement_timeout: 400 })
async function transfer() { const client = await pool.connect()
  await client.query('begin') }
pool.connect((err, client, release) => { client.query('select 1', () => release()) })
pool.connect().then((client) => client.query('select 2'))`)
    expect(callLines(scanned)).toEqual([
      '3 pg bounded 500 queue',
      '4 pg bounded 400 statement',
      '5 pg bounded 500 queue',
      '5 pg bounded 400 statement',
      '6 pg bounded 500 queue',
      '6 pg bounded 400 statement',
    ])
    expect(scanned.diagnostics).toEqual([])
  })
})

describe('where clients of a database are kept', () => {
  test.each([
    ['a lazy getter', `let pool; export function getPool() { if (!pool) { pool = new Pool({ max: 5 }) } return pool }`, 'getPool()'],
    ['a default export', `export default new Pool({ max: 5 })`, 'db'],
    ['a global', `const g = globalThis as any; export const pool = g.pool ?? new Pool({ max: 5 }); if (dev) g.pool = pool`, 'pool'],
    [
      'an own class',
      `export class Db { private pool: Pool; constructor() { this.pool = new Pool({ max: 5 }) } get client() { return this.pool } }`,
      'new Db().client',
    ],
    ['a static field', `export class Db { static pool = new Pool({ max: 5 }) }`, 'Db.pool'],
    [
      'a static field that a method fills',
      `export class Db { private static pool: Pool; static get() { if (!Db.pool) Db.pool = new Pool({ max: 5 }); return Db.pool } }`,
      'Db.get()',
    ],
    [
      'a static field, by this',
      `export class Db { static pool = null; static get() { this.pool ??= new Pool({ max: 5 }); return this.pool } }`,
      'Db.get()',
    ],
    ['an object', `export const db = { pool: new Pool({ max: 5 }), query: (text) => db.pool.query(text) }`, 'db.pool'],
    ['a factory', `export const make = ({ max = 5 } = {}) => new Pool({ max })`, 'make()'],
  ])('in %s', (_, made, used) => {
    const [name = 'db'] = /^(new )?\w+/.exec(used)?.[0].split(' ').slice(-1) ?? []
    const imported = made.startsWith('export default') ? name : `{ ${name} }`
    const scanned = scanTexts({
      files: {
        'db.ts': `import { Pool } from 'pg'\n${made}`,
        'main.ts': `import ${imported} from './db'\nexport const load = (id: string) => ${used}.query('select $1', [id])`,
      },
    })
    expect(callLines(scanned)).toContain('2 pg unbounded')
    expect(findingLines(scanned)).toEqual(['db.ts:2 unbounded-call'])
  })

  test('handed in as an own class by a container, and through a chain of own classes', () => {
    const scanned = scanTexts({
      files: {
        'database.ts': `import { Pool } from 'pg'
export class Database {
  readonly pool: Pool
  constructor(config: { url: string }) { this.pool = new Pool({ connectionString: config.url }) }
  query(text: string) { return this.pool.query(text) }
}`,
        'users.ts': `import type { Database } from './database'
export class Users { constructor(private readonly database: Database) {}
  find() { return this.database.pool.query('select 1') } }`,
        'service.ts': `import { Users } from './users'
export class Service { private users: Users
  raw() { return this.users['database'].pool.query('select 2') } }`,
      },
    })
    expect(callLines(scanned)).toEqual(['3 pg unbounded', '3 pg unbounded', '5 pg unbounded'])
    expect(findingLines(scanned)).toEqual(['database.ts:4 unbounded-call'])
  })

  test('one of several configs by the environment is known where all agree', () => {
    const scanned = scanTexts(`import { Pool } from 'pg'
const configs = { development: { max: 2 }, production: { max: 20 } }
const limited = { development: { max: 2, connectionTimeoutMillis: 1, statement_timeout: 5 }, production: { connectionTimeoutMillis: 2, statement_timeout: 4 } }
new Pool(configs[process.env.NODE_ENV]).query('')
new Pool(limited[process.env.NODE_ENV]).query('')`)
    expect(callLines(scanned)).toEqual(['4 pg unbounded', '5 pg bounded 5 statement'])
  })

  test('a client that is handed in as such, or comes from a file that is not there, is nobody’s fault', () => {
    const scanned = scanTexts(`import type { Pool, PoolClient } from 'pg'
import { pool as shared } from './not-there'
export class Repo { constructor(private pool: Pool) {}
  a() { return this.pool.query('') } }
export const b = (client: PoolClient) => client.query('')
export const c = () => shared.query('')`)
    expect(callLines(scanned)).toEqual(['4 pg unknown', '5 pg unknown'])
    expect(scanned.diagnostics).toEqual([])
  })
})

test('the fix of a client is for all that its calls wait for', () => {
  const text = `import { Client } from 'pg'
export async function load() {
  const client = new Client({ connectionString: process.env.URL })
  await client.connect()
  await client.query('select 1')
}`
  expect(scanTexts(text).diagnostics.map(({ suggestion }) => suggestion?.text)).toEqual([
    'set a limit: connectionTimeoutMillis: …, query_timeout: …, and statement_timeout: … below that (ms)',
  ])
})
