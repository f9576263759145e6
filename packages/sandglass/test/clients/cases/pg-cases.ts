import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const base = { library: 'pg', packages: ['pg@8.23.1'], isQuick: true } as const

/** A pool with these options, and the query that is measured: it sleeps for long, and its text freezes a frozen peer. */
const pooled = (options: string, query = "'select pg_sleep(300) as freeze'") => `
import pg from 'pg'
const peer = { host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), user: 'postgres', database: 'postgres' }
const pool = new pg.Pool({ ...peer, ${options} })
pool.on('error', () => {})
export const run = () => pool.query(${query}) // measured
`
const taken = (options: string) => `
import pg from 'pg'
const peer = { host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), user: 'postgres', database: 'postgres' }
const pool = new pg.Pool({ ...peer, max: 1, ${options} })
await pool.connect()
export const run = () => pool.query('select 1 as freeze') // measured
`
const gone = (ms: number) => ends(ms, { cancelsWork: true })
const left = (ms: number) => ends(ms, { cancelsWork: false })
const waiting = (ms: number, attempts = 0) => ends(ms, { attempts })

/** pg: the wait for a client, the answer, and the statement at the server each have a limit of their own, and none by default. */
export const pgCases: readonly ClientCase[] = [
  {
    ...base,
    name: 'pg: nothing set',
    setting: 'nothing',
    code: pooled('max: 5'),
    expected: { state: 'unbounded' },
    seen: { hang: never, 'black-hole': never, postgres: never, 'frozen-postgres': never },
  },
  {
    ...base,
    name: 'pg: no free client and nothing set',
    setting: 'nothing; every client is taken',
    code: taken(''),
    expected: { state: 'unbounded' },
    seen: { postgres: never },
  },
  {
    ...base,
    name: 'pg: no free client',
    setting: 'connectionTimeoutMillis: 300; every client is taken',
    code: taken('connectionTimeoutMillis: 300, query_timeout: 600'),
    expected: boundedBy(600, 'total'),
    worstMs: 900,
    attempts: 0,
    seen: { postgres: waiting(300) },
  },
  {
    ...base,
    name: 'pg: connectionTimeoutMillis',
    setting: 'connectionTimeoutMillis: 300',
    code: pooled('connectionTimeoutMillis: 300'),
    expected: { state: 'unbounded' },
    seen: { hang: ends(300), 'black-hole': ends(300), postgres: never, 'frozen-postgres': never },
    note: 'covers the wait for a client and connecting',
  },
  {
    ...base,
    name: 'pg: query_timeout alone',
    setting: 'query_timeout: 300',
    code: pooled('query_timeout: 300'),
    expected: { state: 'unbounded' },
    cancelsWork: false,
    seen: { hang: never, postgres: left(300), 'frozen-postgres': gone(300) },
    note: 'the wait for a client has none; the pool closes the connection, and the server works on all the same',
  },
  {
    ...base,
    name: 'pg: statement_timeout alone',
    setting: 'statement_timeout: 300',
    code: pooled('statement_timeout: 300'),
    expected: { state: 'unbounded' },
    seen: { hang: never, postgres: gone(300), 'frozen-postgres': never },
    note: 'ends the statement at the server; a server that is not heard from ends nothing',
  },
  {
    ...base,
    name: 'pg: connectionTimeoutMillis and statement_timeout',
    setting: 'connectionTimeoutMillis: 400, statement_timeout: 300',
    code: pooled('connectionTimeoutMillis: 400, statement_timeout: 300'),
    expected: boundedBy(300, 'statement'),
    worstMs: 700,
    seen: { hang: ends(400), postgres: gone(300), 'frozen-postgres': never },
  },
  {
    ...base,
    name: 'pg: connectionTimeoutMillis and query_timeout',
    setting: 'connectionTimeoutMillis: 400, query_timeout: 300',
    code: pooled('connectionTimeoutMillis: 400, query_timeout: 300'),
    expected: boundedBy(300, 'total'),
    worstMs: 700,
    cancelsWork: false,
    seen: { hang: ends(400, { cancelsWork: true }), postgres: left(300), 'frozen-postgres': gone(300) },
  },
  {
    ...base,
    name: 'pg: all three',
    setting: 'connectionTimeoutMillis: 500, query_timeout: 400, statement_timeout: 250',
    code: pooled('connectionTimeoutMillis: 500, query_timeout: 400, statement_timeout: 250'),
    expected: boundedBy(400, 'total'),
    worstMs: 900,
    seen: { hang: ends(500), postgres: gone(250), 'frozen-postgres': gone(400) },
  },
  {
    ...base,
    name: 'pg: query_timeout of one query',
    setting: 'connectionTimeoutMillis: 400; query({ text, query_timeout: 300 })',
    code: pooled('connectionTimeoutMillis: 400', "{ text: 'select pg_sleep(300) as freeze', query_timeout: 300 }"),
    expected: boundedBy(300, 'total'),
    worstMs: 700,
    cancelsWork: false,
    seen: { postgres: left(300), 'frozen-postgres': gone(300) },
  },
  {
    ...base,
    name: 'pg: limits in the address',
    setting: '?connectionTimeoutMillis=400&query_timeout=300',
    code: `
import pg from 'pg'
const { PEER_HOST, PEER_PORT } = process.env
const pool = new pg.Pool({ connectionString: \`postgres://postgres@\${PEER_HOST}:\${PEER_PORT}/postgres?connectionTimeoutMillis=400&query_timeout=300\` })
pool.on('error', () => {})
export const run = () => pool.query('select pg_sleep(300) as freeze') // measured
`,
    expected: { state: 'unbounded' },
    cancelsWork: false,
    seen: { postgres: left(300), 'frozen-postgres': gone(300), hang: never },
    note: 'the pool does not look for connectionTimeoutMillis in the address',
  },
  {
    ...base,
    name: 'pg: options for the server',
    setting: "connectionTimeoutMillis: 400, options: '-c statement_timeout=300'",
    code: pooled("connectionTimeoutMillis: 400, options: '-c statement_timeout=300'"),
    expected: boundedBy(300, 'statement'),
    worstMs: 700,
    seen: { postgres: gone(300), 'frozen-postgres': never },
  },
  {
    ...base,
    name: 'pg: a client without a pool',
    setting: 'Client, connectionTimeoutMillis: 300',
    code: `
import pg from 'pg'
const peer = { host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), user: 'postgres', database: 'postgres' }
const client = new pg.Client({ ...peer, connectionTimeoutMillis: 300 })
client.on('error', () => {})
export const run = () => client.connect() // measured
`,
    expected: boundedBy(300, 'connect'),
    seen: { hang: ends(300), 'black-hole': ends(300) },
  },
]
