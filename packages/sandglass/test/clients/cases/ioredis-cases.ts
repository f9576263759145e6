import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const gone = (ms: number) => ends(ms, { cancelsWork: true })
const left = (ms: number) => ends(ms, { cancelsWork: false })

function ioredisCases(version: string): ClientCase[] {
  const base = { library: 'ioredis', packages: [`ioredis@${version}`], isQuick: version.startsWith('6') } as const
  const name = (what: string) => `ioredis ${version.split('.')[0]}: ${what}`
  const client = (options: string) => `
import { Redis } from 'ioredis'
const redis = new Redis({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), ${options} })
redis.on('error', () => {})
export const run = () => redis.get('freeze') // measured
`
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: client(''),
      expected: { state: 'unbounded' },
      seen: { hang: never, 'frozen-redis': never },
    },
    {
      ...base,
      name: name('commandTimeout'),
      setting: 'commandTimeout: 300',
      code: client('commandTimeout: 300'),
      expected: boundedBy(300, 'total'),
      cancelsWork: false,
      seen: { hang: ends([0, 300], { cancelsWork: false }), refuse: ends(300), 'black-hole': ends(300), 'frozen-redis': left(300) },
      note: 'the wait for a connection counts, from when the client was made; the command is not cancelled',
    },
    {
      ...base,
      name: name('commandTimeout without an offline queue'),
      setting: 'commandTimeout: 300, enableOfflineQueue: false',
      code: client('commandTimeout: 300, enableOfflineQueue: false'),
      expected: boundedBy(300, 'total'),
      cancelsWork: false,
      seen: { hang: ends([0, 20], { attempts: [0, 1], cancelsWork: null }), refuse: ends(0) },
      note: 'fails at once while there is no connection',
    },
    {
      ...base,
      name: name('maxRetriesPerRequest'),
      setting: 'maxRetriesPerRequest: 2',
      code: client('maxRetriesPerRequest: 2'),
      expected: { state: 'unbounded' },
      seen: { refuse: ends([0, 600]), 'accept-and-close': ends([0, 600], { attempts: 3 }), hang: never, 'frozen-redis': never },
      note: 'counts connections that were lost, not time',
    },
    {
      ...base,
      name: name('maxRetriesPerRequest off'),
      setting: 'maxRetriesPerRequest: null',
      code: client('maxRetriesPerRequest: null'),
      expected: { state: 'unbounded' },
      seen: { refuse: never, hang: never, 'frozen-redis': never },
    },
    {
      ...base,
      name: name('connectTimeout'),
      setting: 'connectTimeout: 300',
      code: client('connectTimeout: 300, maxRetriesPerRequest: 0'),
      expected: { state: 'unbounded' },
      seen: { 'black-hole': ends([0, 300]), hang: never },
    },
    {
      ...base,
      name: name('socketTimeout'),
      setting: 'socketTimeout: 300',
      code: client('socketTimeout: 300, maxRetriesPerRequest: 0'),
      expected: boundedBy(300, 'silence'),
      seen: { 'frozen-redis': gone(300), hang: ends([0, 300], { cancelsWork: null }) },
      note: 'loses the connection, and that is what ends the command: with the default of 20 retries it is sent again',
    },
    {
      ...base,
      name: name('blocking command under a commandTimeout'),
      setting: 'commandTimeout: 300; blpop for 5 s',
      code: `
import { Redis } from 'ioredis'
const redis = new Redis({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), commandTimeout: 300 })
redis.on('error', () => {})
export const run = () => redis.blpop('sandglass:freeze', 5) // measured
`,
      expected: boundedBy(300, 'total'),
      cancelsWork: false,
      seen: { redis: ends(300, { cancelsWork: false, attempts: [0, 1] }) },
    },
    {
      ...base,
      name: name('pipeline'),
      setting: 'commandTimeout: 300; pipeline',
      code: `
import { Redis } from 'ioredis'
const redis = new Redis({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), commandTimeout: 300 })
redis.on('error', () => {})
export const run = () => redis.pipeline().get('freeze').get('b').exec().then(([[error]]) => { if (error) throw error }) // measured
`,
      expected: boundedBy(300, 'total'),
      cancelsWork: false,
      seen: { 'frozen-redis': left(300) },
    },
    {
      ...base,
      name: name('cluster whose nodes do not answer'),
      setting: 'Cluster, commandTimeout: 300',
      code: `
import { Cluster } from 'ioredis'
const node = { host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT) }
const cluster = new Cluster([node], { redisOptions: { commandTimeout: 300 } })
cluster.on('error', () => {})
export const run = () => cluster.get('freeze') // measured
`,
      expected: { state: 'unbounded' },
      seen: { hang: never, refuse: never, 'black-hole': never },
      note: 'commands wait in the queue of the cluster, which has no limit',
    },
  ]
}

/** ioredis in two majors. */
export const allIoredisCases: readonly ClientCase[] = [...ioredisCases('6.0.0'), ...ioredisCases('5.11.1')]
