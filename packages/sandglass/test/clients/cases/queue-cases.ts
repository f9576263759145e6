import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const kafka = { library: 'kafkajs', packages: ['kafkajs@2.2.4'] } as const
const produced = (options: string, producer: string, message = '') => `
import { Kafka, logLevel } from 'kafkajs'
const kafka = new Kafka({ brokers: [\`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`], logLevel: logLevel.NOTHING, ${options} })
const producer = kafka.producer({ ${producer} })
await producer.connect()
export const run = () => producer.send({ topic: 'freeze', messages: [{ value: 'a' }]${message} }) // measured
`

/** kafkajs: `timeout` of a send is for the broker; the client has requestTimeout, six times. */
export const kafkaCases: readonly ClientCase[] = [
  {
    ...kafka,
    name: 'kafkajs: timeout of a send',
    setting: 'requestTimeout: 400, retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 }; send({ timeout: 100 })',
    code: produced('requestTimeout: 400', 'retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 }', ', timeout: 100'),
    expected: boundedBy(400, 'attempt'),
    worstMs: [1408, 1608],
    attempts: 3,
    cancelsWork: false,
    seen: { 'kafka-hang': ends([1408, 1608], { cancelsWork: null }) },
    capMs: 3000,
    note: 'what send is given bounds the broker, not the caller; each attempt anew',
  },
  {
    ...kafka,
    name: 'kafkajs: requestTimeout without retries',
    setting: 'requestTimeout: 400, retry: { retries: 0 }',
    code: produced('requestTimeout: 400', 'retry: { retries: 0 }'),
    expected: boundedBy(400, 'attempt'),
    seen: { 'kafka-hang': ends(400, { cancelsWork: null }) },
  },
  {
    ...kafka,
    name: 'kafkajs: nothing set',
    setting: 'nothing',
    code: produced('', ''),
    expected: boundedBy(30_000, 'attempt'),
    worstMs: [183_700, 200_300],
    attempts: 6,
    seen: { 'kafka-hang': ends([183_700, 200_300], { cancelsWork: null }) },
  },
]

const amqp = { library: 'amqplib', packages: ['amqplib@2.3.1'] } as const
const connecting = (options: string) => `
import amqp from 'amqplib'
const url = \`amqp://guest:guest@\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`
export const run = () => amqp.connect(url${options}).then(() => 'open') // measured
`
const asking = (options: string) => `
import amqp from 'amqplib'
const url = \`amqp://guest:guest@\${process.env.PEER_HOST}:\${process.env.PEER_PORT}${options}\`
const connection = await amqp.connect(url, { timeout: 2000 })
connection.on('error', () => {})
const channel = await connection.createChannel()
channel.on('error', () => {})
export const run = () => channel.checkQueue('freeze').then(() => 'there') // measured
`

/** amqplib: the handshake can be limited, what follows only dies with its connection. */
export const amqpCases: readonly ClientCase[] = [
  {
    ...amqp,
    name: 'amqplib: nothing set',
    setting: 'nothing',
    code: connecting(''),
    expected: { state: 'unbounded' },
    seen: { hang: never, 'black-hole': never },
  },
  {
    ...amqp,
    name: 'amqplib: timeout of the socket',
    setting: 'connect(url, { timeout: 300 })',
    code: connecting(', { timeout: 300 }'),
    expected: boundedBy(300, 'connect'),
    seen: { hang: ends(300), 'black-hole': ends(300) },
  },
  {
    ...amqp,
    name: 'amqplib: a question on a channel',
    setting: 'connect(url, { timeout: 2000 }), then checkQueue',
    code: asking('?heartbeat=0'),
    expected: { state: 'unbounded' },
    seen: { 'frozen-rabbitmq': never },
  },
  {
    ...amqp,
    name: 'amqplib: a question on a channel with a heartbeat',
    setting: '?heartbeat=1 (seconds), then checkQueue',
    code: asking('?heartbeat=1'),
    expected: boundedBy(2000, 'silence'),
    seen: { 'frozen-rabbitmq': ends([1000, 3500]) },
    capMs: 5000,
    note: 'the connection is given up after two beats without a byte',
  },
]

const bull = { library: 'bullmq', packages: ['bullmq@6.7.0'] } as const
const queued = (options: string) => `
import { Queue } from 'bullmq'
const queue = new Queue('sandglass-freeze', { connection: { host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), ${options} } })
queue.on('error', () => {})
export const run = () => queue.add('mail', {}) // measured
`

/** BullMQ over ioredis. */
export const bullCases: readonly ClientCase[] = [
  {
    ...bull,
    name: 'bullmq: nothing set',
    setting: 'nothing',
    code: queued(''),
    expected: { state: 'unbounded' },
    seen: { hang: never, 'black-hole': never, 'frozen-redis': never },
  },
  {
    ...bull,
    name: 'bullmq: commandTimeout of the connection',
    setting: 'connection: { commandTimeout: 300 }',
    code: queued('commandTimeout: 300'),
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: { 'frozen-redis': ends([0, 600]) },
  },
]
