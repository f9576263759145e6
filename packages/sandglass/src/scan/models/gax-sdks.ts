import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'

/** What asks over the gax of Google: a deadline over all of a call, its second argument, and a default that its configuration names. */
const gax = (name: string, client: string, method: RegExp): PlainSdk => ({
  id: `google-cloud-${name}`,
  packages: [`@google-cloud/${name}`],
  clients: [{ kind: 'client', on: null, made: new RegExp(`^((v\\d+|default)\\.)?${client}$`), types: [client], optionsAt: 0 }],
  calls: [{ on: 'client', method, optionsAt: 1 }],
  over: 'forever',
  limit: { setting: 'timeout', kind: 'total', hasDefault: true },
  limitedBy: ['clientConfig'],
  remedy: '{ timeout: … } (ms) as the second argument of the call',
})

const rows: readonly PlainSdk[] = [
  gax(
    'tasks',
    'CloudTasksClient',
    /^((create|get|delete|run)Task|listTasks|(create|get|update|delete|purge|pause|resume)Queue|listQueues)$/,
  ),
  gax(
    'secret-manager',
    'SecretManagerServiceClient',
    /^(((create|get|update|delete)Secret|listSecrets|addSecretVersion)|(access|get|enable|disable|destroy)SecretVersion|listSecretVersions)$/,
  ),
  gax(
    'kms',
    'KeyManagementServiceClient',
    /^(encrypt|decrypt|asymmetric(Sign|Decrypt)|mac(Sign|Verify)|getPublicKey|(get|create)(KeyRing|CryptoKey)|listKeyRings|listCryptoKeys)$/,
  ),
  gax('translate', 'TranslationServiceClient', /^(translateText|detectLanguage|getSupportedLanguages|translateDocument)$/),
  gax('vision', 'ImageAnnotatorClient', /^(batchAnnotateImages|annotateImage|[a-z]\w*Detection)$/),
  gax('text-to-speech', 'TextToSpeechClient', /^(synthesizeSpeech|listVoices)$/),
  gax('speech', 'SpeechClient', /^(recognize|longRunningRecognize)$/),
  gax('scheduler', 'CloudSchedulerClient', /^((create|get|update|delete|pause|resume|run)Job|listJobs)$/),
]

/** What asks Google Cloud over gRPC. */
export const gaxSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
