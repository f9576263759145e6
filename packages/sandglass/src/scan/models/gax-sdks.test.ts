import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('Google Cloud over gRPC has a deadline of its own, which the second argument of a call sets', () => {
  const code = `import { CloudTasksClient } from '@google-cloud/tasks'
import { SecretManagerServiceClient, v1 } from '@google-cloud/secret-manager'
import kms from '@google-cloud/kms'
import vision from '@google-cloud/vision'
const tasks = new CloudTasksClient()
await tasks.createTask({ parent: tasks.queuePath('a', 'b', 'c'), task: {} })
await tasks.createTask({ parent: 'a', task: {} }, { timeout: 500 })
await new SecretManagerServiceClient().accessSecretVersion({ name: 'a' })
await new v1.SecretManagerServiceClient({ clientConfig: own }).getSecret({ name: 'a' })
await new kms.KeyManagementServiceClient().encrypt({ name: 'a', plaintext: b })
await new vision.ImageAnnotatorClient().textDetection('a')
for await (const secret of new SecretManagerServiceClient().listSecretsAsync({ parent: 'a' })) use(secret)`
  const versions = { '@google-cloud/tasks': '6.3.0' }
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions }))).toEqual([
    '6 google-cloud-tasks bounded 20000 total',
    '7 google-cloud-tasks bounded 500 total',
    '8 google-cloud-secret-manager bounded 60000 total',
    '9 google-cloud-secret-manager unknown',
    '10 google-cloud-kms bounded 60000 total',
    '11 google-cloud-vision bounded 600000 total',
  ])
})

test('the first tasks had ten seconds', () => {
  const code = `import { CloudTasksClient } from '@google-cloud/tasks'\nawait new CloudTasksClient().createTask({})`
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions: { '@google-cloud/tasks': '2.5.0' } }))).toEqual([
    '2 google-cloud-tasks bounded 10000 total',
  ])
})

test('what its deadline ends are all attempts of a call together', () => {
  const code =
    "import { KeyManagementServiceClient } from '@google-cloud/kms'\nawait new KeyManagementServiceClient().encrypt({ name: 'a' })"
  const scanned = scanTexts({ files: { 'code.ts': code }, versions: { '@google-cloud/kms': '4.5.0' } })
  expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
    'nothing but the default of @google-cloud/kms 4.5.0 ends this call: 60 s for the answer',
  ])
  expect(scanned.calls.map(({ worstMs }) => worstMs)).toEqual([60_000])
})

test('what recognizes speech has five thousand seconds', () => {
  const code = `import speech from '@google-cloud/speech'\nawait new speech.SpeechClient().recognize({ audio: {}, config: {} })`
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions: { '@google-cloud/speech': '4.2.0' } }))).toEqual([
    '2 google-cloud-speech bounded 5000000 total',
  ])
})
