import { type Bound, boundedBy } from '@sandglass/runtime/core'
import { ends, never, seenAs } from '../client-case.js'
import { type CaseRow, casesOf } from './case-rows.js'

const UNBOUNDED: Bound = { state: 'unbounded' }
const OF_NODE = { seen: { hang: ends([300_000, 302_000]) }, more: { note: 'what the fetch of Node does' } } as const

const rows: readonly CaseRow[] = [
  {
    library: 'cloudinary',
    at: 'cloudinary@2.11.0',
    code: (options) => `
process.env.CLOUDINARY_URL = \`cloudinary://a:b@c?upload_prefix=\${process.env.PEER_URL}\`
const { v2 } = await import('cloudinary')
export const run = () => v2.uploader.upload('https://a/b.png', { ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'silence'), seen: { hang: ends([60_000, 62_000]) } },
      { set: 'timeout: 300', expected: boundedBy(300, 'silence'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'cloudinary',
    at: 'cloudinary@2.11.0',
    code: (options) => `
process.env.CLOUDINARY_URL = \`cloudinary://a:b@c?upload_prefix=\${process.env.PEER_URL}\`
const { v2 } = await import('cloudinary')
export const run = () => v2.api.resources({ ${options} }) // measured
`,
    cases: [
      {
        set: 'timeout: 300',
        as: 'api, timeout: 300',
        expected: UNBOUNDED,
        seen: { hang: never },
        more: { note: 'a timer that nobody listens to' },
      },
    ],
  },
  {
    library: 'paddle',
    at: '@paddle/paddle-node-sdk@3.10.0',
    code: () => `
import { Paddle } from '@paddle/paddle-node-sdk'
const paddle = new Paddle('a', { environment: process.env.PEER_URL, logLevel: 'none' })
export const run = () => paddle.customers.get('a') // measured
`,
    cases: [{ set: '', expected: boundedBy(300_000, 'silence'), ...OF_NODE }],
  },
  {
    library: 'plaid',
    at: 'plaid@47.0.0',
    code: (options) => `
import { Configuration, PlaidApi } from 'plaid'
const plaid = new PlaidApi(new Configuration({ basePath: process.env.PEER_URL, ${options} }))
export const run = () => plaid.itemGet({ access_token: 'a' }) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      { set: 'baseOptions: { timeout: 300 }', expected: boundedBy(300, 'silence'), seen: seenAs.silence(300) },
    ],
  },
  {
    library: 'circle-wallets',
    at: '@circle-fin/developer-controlled-wallets@10.6.0',
    code: () => `
import { initiateDeveloperControlledWalletsClient } from '@circle-fin/developer-controlled-wallets'
const wallets = initiateDeveloperControlledWalletsClient({ apiKey: 'TEST_API_KEY:a:b', entitySecret: 'a'.repeat(64), baseUrl: process.env.PEER_URL })
export const run = () => wallets.getWallet({ id: 'a' }) // measured
`,
    cases: [{ set: '', expected: UNBOUNDED, seen: seenAs.nothing() }],
  },
  {
    library: 'intercom-client',
    at: 'intercom-client@7.0.3',
    code: (options) => `
import { IntercomClient } from 'intercom-client'
const intercom = new IntercomClient({ token: 'a', environment: process.env.PEER_URL, ${options} })
export const run = () => intercom.contacts.find({ contact_id: 'a' }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(20_000, 'headers'), seen: { hang: ends(20_000) } },
      { set: 'timeoutInSeconds: 1', expected: boundedBy(1000, 'headers'), seen: seenAs.headers(1000), more: { capMs: 3000 } },
    ],
  },
  {
    library: 'airtable',
    at: 'airtable@0.12.2',
    code: (options) => `
import Airtable from 'airtable'
const base = new Airtable({ apiKey: 'a', endpointUrl: process.env.PEER_URL, ${options} }).base('a')
export const run = () => base('b').select().firstPage() // measured
`,
    cases: [
      { set: '', expected: boundedBy(300_000, 'headers'), seen: { hang: ends([300_000, 302_000]) } },
      { set: 'requestTimeout: 300', expected: boundedBy(300, 'headers'), seen: { hang: ends(300), drip: never } },
    ],
  },
  {
    library: 'onesignal',
    at: '@onesignal/node-onesignal@5.18.0',
    code: () => `
import { createConfiguration, DefaultApi, ServerConfiguration } from '@onesignal/node-onesignal'
const pushes = new DefaultApi(createConfiguration({ restApiKey: 'a', baseServer: new ServerConfiguration(process.env.PEER_URL, {}) }))
export const run = () => pushes.createNotification({ app_id: 'a', contents: { en: 'a' } }) // measured
`,
    cases: [{ set: '', expected: boundedBy(300_000, 'silence'), ...OF_NODE }],
  },
  {
    library: 'expo-server-sdk',
    at: 'expo-server-sdk@6.1.0',
    code: () => `
process.env.EXPO_BASE_URL = process.env.PEER_URL
const { Expo } = await import('expo-server-sdk')
const expo = new Expo()
export const run = () => expo.sendPushNotificationsAsync([{ to: 'ExponentPushToken[a]', body: 'a' }]) // measured
`,
    cases: [{ set: '', expected: boundedBy(300_000, 'silence'), ...OF_NODE }],
  },
  {
    library: 'memcached',
    at: 'memcached@2.2.2',
    code: (options) => `
import Memcached from 'memcached'
const memcached = new Memcached(\`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, { ${options} })
export const run = () => new Promise((yes, no) => {
  memcached.get('a', (error, value) => (error ? no(error) : yes(value))) // measured
})
`,
    cases: [
      {
        set: 'timeout: 300, idle: 300',
        expected: UNBOUNDED,
        seen: { hang: never },
        more: { note: 'the idle connection is closed, and nobody is called' },
      },
    ],
  },
  {
    library: 'clamscan',
    at: 'clamscan@2.4.0',
    code: (options) => `
import NodeClam from 'clamscan'
import { Readable } from 'node:stream'
const clamdscan = { host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), bypassTest: true, localFallback: false }
export const run = async () => {
  const clam = await new NodeClam().init({ preference: 'clamdscan', clamdscan: { ...clamdscan, ${options} } })
  return clam.scanStream(Readable.from([Buffer.from('a')])) // measured
}
`,
    cases: [
      {
        set: '',
        expected: UNBOUNDED,
        seen: { hang: never },
        more: { note: 'after 60 s it only ends its own side, and waits on for the other' },
      },
    ],
  },
]

/** What stores, pays, scans and tells elsewhere. */
export const accountSdkCases = casesOf(rows)
