import { boundedBy } from '@sandglass/runtime/core'
import { ends } from '../client-case.js'
import { type CaseRow, casesOf } from './case-rows.js'

const gax = (name: string, version: string, client: string, call: (options: string) => string) => ({
  library: `google-cloud-${name}`,
  at: `@google-cloud/${name}@${version}`,
  besides: ['@grpc/grpc-js@1.14.7'],
  code: (options: string) => `
import { ${client} } from '@google-cloud/${name}'
import { credentials } from '@grpc/grpc-js'
const client = new ${client}({ apiEndpoint: process.env.PEER_HOST, servicePath: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), projectId: 'a', sslCreds: credentials.createInsecure() })
await client.initialize()
export const run = () => client.${call(options)} // measured
`,
})

const limits = (defaultMs: number): CaseRow['cases'] => [
  {
    set: '',
    expected: boundedBy(defaultMs, 'total'),
    seen: { 'http2-hang': ends([defaultMs, defaultMs + 2000], { cancelsWork: null }) },
  },
  { set: 'timeout: 300', expected: boundedBy(300, 'total'), seen: { 'http2-hang': ends([300, 2000], { cancelsWork: null }) } },
]

const rows: readonly CaseRow[] = [
  {
    ...gax(
      'tasks',
      '6.3.0',
      'CloudTasksClient',
      (options) => `getTask({ name: 'projects/a/locations/b/queues/c/tasks/d' }, { ${options} })`,
    ),
    cases: limits(20_000),
  },
  {
    ...gax(
      'secret-manager',
      '6.3.0',
      'SecretManagerServiceClient',
      (options) => `accessSecretVersion({ name: 'projects/a/secrets/b/versions/c' }, { ${options} })`,
    ),
    cases: limits(60_000),
  },
  {
    ...gax(
      'kms',
      '5.7.0',
      'KeyManagementServiceClient',
      (options) => `getCryptoKey({ name: 'projects/a/locations/b/keyRings/c/cryptoKeys/d' }, { ${options} })`,
    ),
    cases: limits(60_000),
  },
  {
    ...gax('text-to-speech', '6.4.1', 'TextToSpeechClient', (options) => `synthesizeSpeech({ input: { text: 'a' } }, { ${options} })`),
    cases: limits(300_000),
  },
]

/** What asks Google Cloud over gRPC. */
export const gaxCases = casesOf(rows)
