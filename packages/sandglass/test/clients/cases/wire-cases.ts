import { type Bound, boundedBy } from '@sandglass/runtime/core'
import { ends, never } from '../client-case.js'
import { type CaseRow, casesOf } from './case-rows.js'

const UNBOUNDED: Bound = { state: 'unbounded' }

const rows: readonly CaseRow[] = [
  {
    library: 'ssh2-sftp-client',
    at: 'ssh2-sftp-client@12.1.1',
    code: (options) => `
import Client from 'ssh2-sftp-client'
const files = new Client()
export const run = () => files.connect({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), username: 'a', password: 'b', ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(20_000, 'total'), seen: { hang: ends(20_000) } },
      { set: 'readyTimeout: 300', expected: boundedBy(300, 'total'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'mqtt',
    at: 'mqtt@5.16.0',
    code: (options) => `
import mqtt from 'mqtt'
export const run = () => mqtt.connectAsync(\`mqtt://\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, { ${options} }) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(30_000, 'connect'),
        seen: { hang: ends(30_000, { cancelsWork: null }) },
        more: { isOnlyMeasured: true },
      },
      {
        set: 'connectTimeout: 300',
        expected: boundedBy(300, 'connect'),
        seen: { hang: ends(300, { cancelsWork: null }) },
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'nats',
    at: 'nats@2.29.3',
    code: (options) => `
import { connect } from 'nats'
export const run = () => connect({ servers: \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(20_000, 'connect'), seen: { hang: ends(20_000) }, more: { isOnlyMeasured: true } },
      { set: 'timeout: 300', expected: boundedBy(300, 'connect'), seen: { hang: ends(300) }, more: { isOnlyMeasured: true } },
    ],
  },
  {
    library: 'nats',
    at: 'nats@2.29.3',
    code: (options) => `
import { connect } from 'nats'
const nats = await connect({ servers: \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\` })
export const run = () => nats.request('a', 'b', ${options}) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(1000, 'total'),
        seen: { 'nats-hang': ends(1000, { cancelsWork: false }) },
        as: 'request()',
      },
      {
        set: '{ timeout: 300 }',
        expected: boundedBy(300, 'total'),
        seen: { 'nats-hang': ends(300, { cancelsWork: false }) },
        as: 'request(…, { timeout: 300 })',
      },
    ],
  },
  {
    library: 'cassandra-driver',
    at: 'cassandra-driver@4.10.0',
    code: (options) => `
import cassandra from 'cassandra-driver'
const rows = new cassandra.Client({ contactPoints: [\`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`], localDataCenter: 'a', ${options} })
export const run = () => rows.connect() // measured
`,
    cases: [
      { set: '', expected: boundedBy(12_000, 'total'), seen: { hang: ends(12_000) } },
      { set: 'socketOptions: { readTimeout: 300 }', expected: boundedBy(300, 'total'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'imapflow',
    at: 'imapflow@2.10.2',
    code: (options) => `
import { ImapFlow } from 'imapflow'
const mails = new ImapFlow({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), secure: false, auth: { user: 'a', pass: 'b' }, logger: false, ${options} })
mails.on('error', () => {})
export const run = () => mails.connect() // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(16_000, 'headers'),
        seen: { hang: ends(16_000) },
        more: { isOnlyMeasured: true, note: 'its greetingTimeout' },
      },
      {
        set: '',
        expected: boundedBy(90_000, 'connect'),
        seen: { 'black-hole': ends(90_000) },
        as: 'nothing, no connection',
        more: { isOnlyMeasured: true, note: 'its connectionTimeout' },
      },
      {
        set: '',
        expected: boundedBy(300_000, 'silence'),
        seen: { 'imap-hang': ends(300_000) },
        as: 'nothing, greeted',
        more: { isOnlyMeasured: true, note: 'its socketTimeout' },
      },
      {
        set: 'socketTimeout: 300',
        expected: boundedBy(300, 'silence'),
        seen: { 'imap-hang': ends(300) },
        more: { isOnlyMeasured: true },
      },
      { set: 'greetingTimeout: 300', expected: boundedBy(300, 'headers'), seen: { hang: ends(300) }, more: { isOnlyMeasured: true } },
    ],
  },
  {
    library: 'express-http-proxy',
    at: 'express-http-proxy@2.1.2',
    besides: ['express@5.3.0'],
    code: (options) => `
import { get } from 'node:http'
import express from 'express'
import proxy from 'express-http-proxy'
const app = express()
app.use(proxy(process.env.PEER_URL, { ${options} })) // measured
const server = app.listen(0)
export const run = () => new Promise((yes, no) => get({ port: server.address().port, agent: false }, yes).on('error', no))
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: { hang: never } },
      {
        set: 'timeout: 300',
        expected: boundedBy(300, 'headers'),
        seen: { hang: ends(300, { how: 'resolves' }) },
        more: { note: 'it answers 504' },
      },
    ],
  },
  {
    library: 'simple-git',
    at: 'simple-git@4.0.2',
    code: (options) => `
import { simpleGit } from 'simple-git'
const git = simpleGit({ baseDir: '.', ${options} })
export const run = () => git.listRemote([\`\${process.env.PEER_URL}/a.git\`]) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: { hang: never } },
      { set: 'timeout: { block: 300 }', expected: boundedBy(300, 'silence'), seen: { hang: ends(300, { cancelsWork: false }) } },
    ],
  },
]

/** Brokers and servers with a protocol of their own, proxies and git. */
export const wireCases = casesOf(rows)
