import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const gone = (ms: number) => ends(ms, { cancelsWork: true })
const left = (ms: number) => ends(ms, { cancelsWork: false })

const postgres = { library: 'postgres', packages: ['postgres@3.4.9'] } as const
const postgresJs = (options: string, query = 'sql`select pg_sleep(300) as freeze`') => `
import postgres from 'postgres'
const { PEER_HOST, PEER_PORT } = process.env
const sql = postgres({ host: PEER_HOST, port: Number(PEER_PORT), user: 'postgres', database: 'postgres', ${options} })
export const run = () => ${query} // measured
`

/** postgres.js: seconds, not ms; nothing ends a query but the server. */
export const postgresCases: readonly ClientCase[] = [
  {
    ...postgres,
    name: 'postgres: nothing set',
    setting: 'nothing',
    code: postgresJs('max: 5'),
    expected: { state: 'unbounded' },
    seen: { hang: ends(30_000), 'black-hole': ends(30_000), postgres: never, 'frozen-postgres': never },
  },
  {
    ...postgres,
    name: 'postgres: connect_timeout in seconds',
    setting: 'connect_timeout: 1 (seconds)',
    code: postgresJs('connect_timeout: 1'),
    expected: { state: 'unbounded' },
    seen: { hang: ends(1000), 'black-hole': ends(1000), 'frozen-postgres': never },
  },
  {
    ...postgres,
    name: 'postgres: statement_timeout for the connection',
    setting: 'connection: { statement_timeout: 300 }',
    code: postgresJs('connection: { statement_timeout: 300 }'),
    expected: boundedBy(300, 'statement'),
    worstMs: 30_300,
    seen: { postgres: gone(300), 'frozen-postgres': never },
  },
  {
    ...postgres,
    name: 'postgres: every connection taken',
    setting: 'max: 1, connection: { statement_timeout: 300 }; the connection is reserved',
    code: `
import postgres from 'postgres'
const { PEER_HOST, PEER_PORT } = process.env
const sql = postgres({ host: PEER_HOST, port: Number(PEER_PORT), user: 'postgres', database: 'postgres', max: 1, connection: { statement_timeout: 300 } })
const reserved = await sql.reserve()
export const run = () => sql\`select 1 as freeze\` // measured
`,
    expected: boundedBy(300, 'statement'),
    worstMs: null,
    seen: { postgres: never },
    note: 'the wait for a connection has no limit',
  },
  {
    ...postgres,
    name: 'postgres: cancelled by a timer',
    setting: 'query.cancel() after 300',
    code: `
import postgres from 'postgres'
const { PEER_HOST, PEER_PORT } = process.env
const sql = postgres({ host: PEER_HOST, port: Number(PEER_PORT), user: 'postgres', database: 'postgres' })
export function run() {
  const query = sql\`select pg_sleep(300) as freeze\` // measured
  setTimeout(() => query.cancel(), 300)
  return query
}
`,
    expected: { state: 'unbounded' },
    seen: { postgres: gone(300), 'frozen-postgres': never },
    note: 'asks the server; one that is not heard from ends nothing',
  },
]

const mysql = { library: 'mysql2', packages: ['mysql2@3.24.6'] } as const
const mysql2 = (options: string, query = "'select sleep(300) as freeze'") => `
import mysql from 'mysql2/promise'
const { PEER_HOST, PEER_PORT } = process.env
const pool = mysql.createPool({ host: PEER_HOST, port: Number(PEER_PORT), user: 'root', ${options} })
export const run = () => pool.query(${query}) // measured
`

/** mysql2: connecting has 10 s; a query's limit is given with the query. */
export const mysqlCases: readonly ClientCase[] = [
  {
    ...mysql,
    name: 'mysql2: nothing set',
    setting: 'nothing',
    code: mysql2('connectionLimit: 5'),
    expected: { state: 'unbounded' },
    seen: { hang: ends(10_000), 'black-hole': ends(10_000), mariadb: never, 'frozen-mariadb': never },
  },
  {
    ...mysql,
    name: 'mysql2: connectTimeout',
    setting: 'connectTimeout: 300',
    code: mysql2('connectTimeout: 300'),
    expected: { state: 'unbounded' },
    seen: { hang: ends(300), 'black-hole': ends(300), 'frozen-mariadb': never },
  },
  {
    ...mysql,
    name: 'mysql2: timeout of a query',
    setting: 'query({ sql, timeout: 300 })',
    code: mysql2('connectTimeout: 400', "{ sql: 'select sleep(300) as freeze', timeout: 300 }"),
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: { mariadb: left(300), 'frozen-mariadb': left(300) },
  },
  {
    ...mysql,
    name: 'mysql2: timeout of a prepared statement',
    setting: 'execute({ sql, timeout: 300 })',
    code: mysql2('connectTimeout: 400')
      .replace('pool.query(', 'pool.execute(')
      .replace("'select sleep(300) as freeze'", "{ sql: 'select sleep(300) as freeze', timeout: 300 }"),
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: { mariadb: left(300), 'frozen-mariadb': never },
    note: 'does not cover the preparation: one that is not answered has no limit',
  },
  {
    ...mysql,
    name: 'mysql2: timeout of a query whose rows drip',
    setting: 'query({ sql, timeout: 300 }); a row each 100 ms',
    code: mysql2(
      "connectTimeout: 400, database: 'test'",
      '{ sql: "select repeat(\'x\', 20000), sleep(0.1) as freeze from seq_1_to_40", timeout: 300 }',
    ),
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: { mariadb: left(300) },
  },
  {
    ...mysql,
    name: 'mysql2: queryTimeout and acquireTimeout, which it does not have',
    setting: 'queryTimeout: 300, acquireTimeout: 300 (ignored)',
    code: mysql2('queryTimeout: 300, acquireTimeout: 300'),
    expected: { state: 'unbounded' },
    seen: { mariadb: never, 'frozen-mariadb': never },
  },
  {
    ...mysql,
    name: 'mysql2: every connection taken',
    setting: 'connectionLimit: 1, taken; query({ sql, timeout: 300 })',
    code: `
import mysql from 'mysql2/promise'
const { PEER_HOST, PEER_PORT } = process.env
const pool = mysql.createPool({ host: PEER_HOST, port: Number(PEER_PORT), user: 'root', connectionLimit: 1, connectTimeout: 300 })
await pool.getConnection()
export const run = () => pool.query({ sql: 'select 1 as freeze', timeout: 300 }) // measured
`,
    expected: boundedBy(300, 'total'),
    worstMs: null,
    seen: { mariadb: never },
    note: 'the wait for a connection has no limit',
  },
]

const knex = { library: 'knex', packages: ['knex@3.3.0', 'pg@8.23.1'] } as const
const knexed = (options: string, call: string) => `
import createKnex from 'knex'
const { PEER_HOST, PEER_PORT } = process.env
const connection = { host: PEER_HOST, port: Number(PEER_PORT), user: 'postgres', database: 'postgres' }
const knex = createKnex({ client: 'pg', connection, ${options} })
export const run = () => ${call} // measured
`

/** knex over pg. */
export const knexCases: readonly ClientCase[] = [
  {
    ...knex,
    name: 'knex: nothing set',
    setting: 'nothing',
    code: knexed('pool: { min: 0 }', "knex.raw('select pg_sleep(300) as freeze').then(String)"),
    expected: { state: 'unbounded' },
    seen: { hang: left(30_000), postgres: never, 'frozen-postgres': never },
    note: 'opening one connection has 30 s, and that comes before the 60 s of acquireConnectionTimeout',
  },
  {
    ...knex,
    name: 'knex: acquireConnectionTimeout',
    setting: 'acquireConnectionTimeout: 300',
    code: knexed('acquireConnectionTimeout: 300', "knex.raw('select pg_sleep(300) as freeze').then(String)"),
    expected: { state: 'unbounded' },
    seen: { hang: left(300), postgres: never, 'frozen-postgres': never },
  },
  {
    ...knex,
    name: 'knex: timeout of a query',
    setting: '.timeout(300)',
    code: knexed('acquireConnectionTimeout: 600', "knex.select(knex.raw('pg_sleep(300) as freeze')).timeout(300).then(String)"),
    expected: boundedBy(300, 'total'),
    worstMs: 900,
    cancelsWork: false,
    seen: { hang: left(600), postgres: left(300), 'frozen-postgres': ends(300, { cancelsWork: false }) },
  },
  {
    ...knex,
    name: 'knex: timeout of a query that is cancelled',
    setting: '.timeout(300, { cancel: true })',
    code: knexed(
      'acquireConnectionTimeout: 600',
      "knex.select(knex.raw('pg_sleep(300) as freeze')).timeout(300, { cancel: true }).then(String)",
    ),
    expected: boundedBy(300, 'total'),
    worstMs: 900,
    seen: { postgres: gone(300) },
  },
]
