import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_DISPATCHER, BY_RACE, onClient } from './row-parts.js'

/** What clients that one generator writes have in common: seconds, and a `fetch` that may be replaced. */
const IN_SECONDS = {
  limit: { setting: 'timeoutInSeconds', kind: 'headers', unitMs: 1000, hasDefault: true },
  signal: 'abortSignal',
  replacedBy: ['fetch', 'fetcher'],
  remedy: 'timeoutInSeconds: … where the client is made',
} as const satisfies Partial<PlainSdk>

const rows: readonly PlainSdk[] = [
  {
    id: 'deepgram',
    packages: ['@deepgram/sdk'],
    clients: [{ kind: 'client', on: null, made: ['DeepgramClient'], types: ['DeepgramClient'], optionsAt: 0 }],
    calls: [onClient(/^([a-z]\w*\.)+(?!connect|createConnection)[a-z]\w*$/)],
    optionsOf: lastObject,
    over: { '>=5': 'forever' },
    ...IN_SECONDS,
  },
  {
    id: 'elevenlabs',
    packages: ['@elevenlabs/elevenlabs-js'],
    clients: [{ kind: 'client', on: null, made: ['ElevenLabsClient'], types: ['ElevenLabsClient'], optionsAt: 0 }],
    calls: [onClient(/^([a-z]\w*\.)+[a-z]\w*$/)],
    optionsOf: lastObject,
    over: { '>=2': 'forever' },
    ...IN_SECONDS,
  },
  {
    id: 'assemblyai',
    packages: ['assemblyai'],
    clients: [{ kind: 'client', on: null, made: ['AssemblyAI'], types: ['AssemblyAI'], optionsAt: -1 }],
    calls: [onClient(/^(transcripts|files|lemur)\.(?!transcribe$|waitUntilReady$)[a-z]\w*$/)],
    over: { '>=4': 'fetch' },
    remedy: BY_DISPATCHER,
  },
  {
    id: 'exa',
    packages: ['exa-js'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'Exa'], types: ['', 'default', 'Exa'], optionsAt: -1 }],
    calls: [onClient(/^(search\w*|findSimilar\w*|getContents|answer)$/)],
    over: { '>=1': 'fetch' },
    remedy: BY_DISPATCHER,
  },
  {
    id: 'huggingface-inference',
    packages: ['@huggingface/inference'],
    clients: [
      { kind: 'client', on: null, made: ['InferenceClient', 'HfInference'], types: ['InferenceClient', 'HfInference'], optionsAt: 1 },
    ],
    calls: [onClient(/^(?!endpoint$)[a-z]\w*$/, 1)],
    over: { '>=2': 'fetch' },
    signal: 'signal',
    replacedBy: ['fetch'],
    remedy: '{ signal: AbortSignal.timeout(…) } as the second argument of the call',
  },
  {
    id: 'apify-client',
    packages: ['apify-client'],
    clients: [{ kind: 'client', on: null, made: ['ApifyClient'], types: ['ApifyClient'], optionsAt: 0 }],
    calls: [
      onClient(
        /^\w+\(\)(\.\w+\(\))*\.(get|list|listItems|downloadItems|pushItems|create|update|delete|getOrCreate|getRecord|setRecord|addRequest|start|abort)$/,
      ),
    ],
    over: { '>=2': 'forever' },
    limit: { setting: 'timeoutSecs', kind: 'silence', unitMs: 1000, hasDefault: true },
    retries: 'unknown',
    remedy: 'timeoutSecs: … and maxRetries: … where the client is made',
  },
  {
    id: 'ibm-watson',
    packages: ['ibm-watson', 'ibm-watson/*'],
    clients: [
      { kind: 'client', on: null, made: /^(default|([A-Z]\w*V\d)?)$/, types: ['', 'default'], optionsAt: 0, isJudged: true },
      { kind: 'client', on: null, made: /^[A-Z]\w*V\d\.default$/, optionsAt: 0, isJudged: true },
    ],
    calls: [],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    replacedBy: ['httpsAgent', 'httpAgent'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'livekit-server-sdk',
    packages: ['livekit-server-sdk'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['RoomServiceClient', 'EgressClient', 'IngressClient'],
        types: ['RoomServiceClient', 'EgressClient', 'IngressClient'],
        optionsAt: -1,
      },
    ],
    calls: [onClient(/^(create|list|delete|update|get|remove|mute|send|start|stop)[A-Z]\w*$/)],
    over: { '<2': 'forever' },
    remedy: BY_RACE,
  },
]

function lastObject({ args }: Site): Term | undefined {
  return args.findLast(({ kind }) => kind === 'object')
}

/** What hears, speaks, searches and reads for a program. */
export const voiceSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
