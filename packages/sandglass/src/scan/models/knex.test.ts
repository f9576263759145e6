import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (config: string, use: string) => scanTexts(`import knex from 'knex'\nexport const db = knex(${config})\n${use}`)
const pg = `{ client: 'pg', connection: process.env.DATABASE_URL }`

describe('knex', () => {
  test('a query ends by its own timeout, or by the limits that the driver is given', () => {
    const scanned = scan(
      `{ client: 'pg', connection: process.env.DATABASE_URL, acquireConnectionTimeout: 600 }`,
      `export const load = (id) => db('users').where({ id }).first()
export const all = async () => { const rows = await db.select('*').from('users').timeout(300, { cancel: true }); return rows }
export const raw = () => db.raw('select 1').timeout(400)`,
    )
    expect(callLines(scanned)).toEqual(['3 knex unbounded', '4 knex bounded 300 total', '5 knex bounded 400 total'])
    expect(scanned.calls[1]?.worstMs).toBe(900)
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call', 'code.ts:5 work-not-cancelled'])
    const limited = scan(
      `{ client: 'pg', connection: { host: 'db', statement_timeout: 200 } }`,
      `await db('users'); await db('a').timeout(900)`,
    )
    expect(limited.diagnostics).toEqual([])
    expect(callLines(limited)).toEqual(['3 knex bounded 200 statement', '3 knex bounded 900 total'])
    expect(limited.calls[0]?.worstMs).toBe(60_200)
  })

  test('parts of a query are none; those of a transaction have its connection', () => {
    const scanned = scan(
      pg,
      `await db('a').whereIn('id', db('b').select('id')).update({ n: db.raw('n + 1') })
await Promise.all([db('c'), db('d').insert({})])
await db.transaction(async (trx) => { await trx('e').del() })
db.schema.createTable('f', (t) => t.increments())`,
    )
    expect(callLines(scanned)).toEqual(['3 knex unbounded', '4 knex unbounded', '4 knex unbounded', '5 knex unbounded'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
  })

  test('a file as a database has no network to wait for, and what database it is must be known', () => {
    expect(findingLines(scan(`{ client: 'better-sqlite3', connection: { filename: 'x.db' } }`, `await db('a')`))).toEqual([])
    expect(callLines(scan('config', `await db('a')`))).toEqual(['3 knex unknown'])
    expect(scan(`{ client: 'mysql2', connection: {} }`, '').diagnostics[0]?.suggestion?.text).toBe(
      'set a limit: .timeout(…, { cancel: true }) (ms) in each query',
    )
    expect(findingLines(scan(`{ client: 'mysql2', connection: {} }`, ''))).toEqual(['code.ts:2 unbounded-call'])
  })

  test('a knexfile in another file, by the environment', () => {
    const scanned = scanTexts({
      files: {
        'knexfile.js': `module.exports = { development: { client: 'pg', connection: {} }, production: { client: 'pg', connection: {}, pool: { max: 20 } } }`,
        'db.js': `const config = require('./knexfile')\nmodule.exports = require('knex')(config[process.env.NODE_ENV || 'development'])`,
        'users.js': `const db = require('./db')\nexports.find = (id) => db('users').where('id', id)`,
      },
    })
    expect(callLines(scanned)).toEqual(['2 knex unbounded'])
    expect(findingLines(scanned)).toEqual(['db.js:2 unbounded-call'])
  })

  test('one of two clients by a condition has the limits of both, and a caller may switch them off', () => {
    const scanned = scanTexts(`import knex from 'knex'
const config = (timeoutMs) => ({ client: process.env.CLIENT || 'pg', connection: { connectionString: url, statement_timeout: timeoutMs } })
export class Db { knex; readOnly
  constructor({ timeoutMs } = { timeoutMs: 900 }) {
    this.knex = knex(config(timeoutMs))
    if (readUrl) { const read = config(timeoutMs); read.connection.connectionString = readUrl; this.readOnly = knex(read) } else this.readOnly = this.knex } }
await new Db().readOnly('a')`)
    expect(callLines(scanned)).toEqual(['7 knex bounded 900 statement'])
    expect(scanned.diagnostics).toEqual([])
  })

  test('what is made of an address is no more than that, and two names of one database are one', () => {
    const made = (more: string) =>
      scanTexts(`import knex from 'knex'
import address from 'pg-connection-string'
const connection = address.parse(process.env.DATABASE_URL) as Connection
if (process.env.HOST) connection.host = process.env.HOST
${more}
let config = process.env.CI ? { client: 'postgresql', connection } : { client: 'pg', connection, pool: { max: 5 } }
export const db = knex(config)`)
    expect(findingLines(made(''))).toEqual(['code.ts:7 unbounded-call'])
    expect(findingLines(made('connection.statement_timeout = 500'))).toEqual([])
    expect(findingLines(made(`config = { client: 'mysql2', connection: {} }`))).toEqual([])
  })
})
