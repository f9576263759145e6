import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const mariadb = { library: 'mariadb (node)', packages: ['mariadb@3.5.4'] } as const
const asked = (options: string, query = "'select sleep(300) as freeze'") => `
import mariadb from 'mariadb'
const { PEER_HOST, PEER_PORT } = process.env
const pool = mariadb.createPool({ host: PEER_HOST, port: Number(PEER_PORT), user: 'root', ${options} })
export const run = () => pool.query(${query}) // measured
`

/** mariadb: a pool gives up waiting for a connection; a query ends by silence or at the server. */
const mariadbCases: readonly ClientCase[] = [
  {
    ...mariadb,
    name: 'mariadb: nothing set',
    setting: 'nothing',
    code: asked('connectionLimit: 1'),
    expected: { state: 'unbounded' },
    seen: { hang: ends([9000, 11_000]), mariadb: never, 'frozen-mariadb': never },
    note: 'only the wait for a connection is over after 10 s',
  },
  {
    ...mariadb,
    name: 'mariadb: socketTimeout',
    setting: 'socketTimeout: 300',
    code: asked('connectionLimit: 1, socketTimeout: 300'),
    expected: boundedBy(300, 'silence'),
    worstMs: 10_300,
    seen: { mariadb: ends(300, { cancelsWork: false }), 'frozen-mariadb': ends(300, { cancelsWork: true }) },
    cancelsWork: false,
    note: 'the statement works on at the server',
  },
  {
    ...mariadb,
    name: 'mariadb: timeout of a query',
    setting: 'query({ sql, timeout: 300 })',
    code: asked('connectionLimit: 1', "{ sql: 'select sleep(300) as freeze', timeout: 300 }"),
    expected: boundedBy(300, 'statement'),
    worstMs: 10_300,
    seen: { mariadb: ends(300, { cancelsWork: true }), 'frozen-mariadb': never },
    note: 'the server ends it; one that is not heard from ends nothing',
  },
]

const ldap = { library: 'ldapts', packages: ['ldapts@8.2.0'] } as const
const bound = (options: string) => `
import { Client } from 'ldapts'
const client = new Client({ url: \`ldap://\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, ${options} })
export const run = () => client.bind('cn=a', 'b') // measured
`

/** ldapts: no limits of its own. */
const ldapCases: readonly ClientCase[] = [
  {
    ...ldap,
    name: 'ldapts: nothing set',
    setting: 'nothing',
    code: bound(''),
    expected: { state: 'unbounded' },
    seen: { hang: never, 'black-hole': never },
  },
  {
    ...ldap,
    name: 'ldapts: timeout and connectTimeout',
    setting: 'timeout: 300, connectTimeout: 500',
    code: bound('timeout: 300, connectTimeout: 500'),
    expected: boundedBy(300, 'total'),
    worstMs: 800,
    seen: { hang: ends(300), 'black-hole': ends(500) },
  },
]

const ftp = { library: 'basic-ftp', packages: ['basic-ftp@6.2.6'] } as const
const accessed = (timeout: string) => `
import { Client } from 'basic-ftp'
const client = new Client(${timeout})
export const run = () => client.access({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT) }) // measured
`

/** basic-ftp: its one limit is an argument. */
const ftpCases: readonly ClientCase[] = [
  {
    ...ftp,
    name: 'basic-ftp: nothing set',
    setting: 'nothing',
    code: accessed(''),
    expected: boundedBy(30_000, 'silence'),
    attempts: 0,
    note: 'waits for the greeting and sends nothing before',
    seen: { hang: ends(30_000), 'black-hole': ends(30_000) },
  },
  {
    ...ftp,
    name: 'basic-ftp: timeout',
    setting: 'new Client(300)',
    code: accessed('300'),
    expected: boundedBy(300, 'silence'),
    attempts: 0,
    seen: { hang: ends(300), 'black-hole': ends(300) },
  },
]

/** MinIO: nothing to limit a request with. */
const minioCases: readonly ClientCase[] = [
  {
    library: 'minio',
    packages: ['minio@8.0.7'],
    name: 'minio: nothing set',
    setting: 'nothing',
    code: `
import { Client } from 'minio'
const { PEER_HOST, PEER_PORT } = process.env
const files = new Client({ endPoint: PEER_HOST, port: Number(PEER_PORT), useSSL: false, accessKey: 'a', secretKey: 'b', region: 'us-east-1' })
export const run = () => files.listBuckets() // measured
`,
    expected: { state: 'unbounded' },
    seen: { ...seenAs.nothing(), 'black-hole': never },
  },
]

const manager = { library: 'amqp-connection-manager', packages: ['amqp-connection-manager@5.0.0', 'amqplib@2.3.1'] } as const
const sent = (options: string, more = '') => `
import amqp from 'amqp-connection-manager'
const connection = amqp.connect([\`amqp://guest:guest@\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`])
const channel = connection.createChannel({ ${options} })
export const run = () => channel.sendToQueue('freeze', Buffer.from('a')${more}) // measured
`

/** amqp-connection-manager: a message waits until there is a broker. */
const amqpManagerCases: readonly ClientCase[] = [
  {
    ...manager,
    name: 'amqp-connection-manager: nothing set',
    setting: 'nothing',
    code: sent(''),
    expected: { state: 'unbounded' },
    seen: { hang: never, 'black-hole': never },
  },
  {
    ...manager,
    name: 'amqp-connection-manager: publishTimeout',
    setting: 'createChannel({ publishTimeout: 300 })',
    code: sent('publishTimeout: 300'),
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: { hang: ends(300), 'black-hole': ends(300) },
  },
  {
    ...manager,
    name: 'amqp-connection-manager: timeout of a message',
    setting: 'sendToQueue(queue, content, { timeout: 300 })',
    code: sent('', ', { timeout: 300 }'),
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: { hang: ends(300), 'black-hole': ends(300) },
  },
]

/** Stores, directories and queues whose models are rows of a table. */
export const storeCases: readonly ClientCase[] = [...mariadbCases, ...ldapCases, ...ftpCases, ...minioCases, ...amqpManagerCases]
