import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const drive = { library: '@googleapis', packages: ['@googleapis/drive@26.0.1'] } as const
const listed = (options: string) => `
import { drive } from '@googleapis/drive'
const files = drive({ version: 'v3', rootUrl: process.env.PEER_URL + '/', ${options} })
export const run = () => files.files.list({ pageSize: 1 }) // measured
`

/** The APIs of Google over gaxios. */
export const googleapisCases: readonly ClientCase[] = [
  {
    ...drive,
    name: '@googleapis: nothing set',
    setting: 'nothing',
    code: listed(''),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...drive,
    name: '@googleapis: timeout',
    setting: 'timeout: 300',
    code: listed('timeout: 300'),
    expected: boundedBy(300, 'total'),
    attempts: 3,
    seen: { hang: ends([900, 2000]) },
    capMs: 4000,
    note: 'tried again twice, where it only asks, after 100 ms and more',
  },
  {
    ...drive,
    name: '@googleapis: timeout, no retries',
    setting: 'timeout: 300, retry: false',
    code: listed('timeout: 300, retry: false'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

const gemini = { library: 'google-genai', packages: ['@google/genai@2.32.0'] } as const
const told = (options: string) => `
import { GoogleGenAI } from '@google/genai'
const ai = new GoogleGenAI({ apiKey: 'a', httpOptions: { baseUrl: process.env.PEER_URL, ${options} } })
export const run = () => ai.models.generateContent({ model: 'a', contents: 'a' }) // measured
`

/** Gemini over the fetch of Node, whose limits it takes away. */
export const geminiCases: readonly ClientCase[] = [
  {
    ...gemini,
    name: 'google-genai: nothing set',
    setting: 'nothing',
    code: told(''),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...gemini,
    name: 'google-genai: timeout',
    setting: 'httpOptions: { timeout: 300 }',
    code: told('timeout: 300'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

const supabase = { library: 'supabase', packages: ['@supabase/supabase-js@2.109.0'] } as const
const selected = (more: string) => `
import { createClient } from '@supabase/supabase-js'
const db = createClient(process.env.PEER_URL, 'a', { realtime: { transport: class {} } })
export const run = async () => await db.from('orders').select('*')${more} // measured
`

/** Supabase over the fetch of Node. */
export const supabaseCases: readonly ClientCase[] = [
  {
    ...supabase,
    name: 'supabase: nothing set',
    setting: 'nothing',
    code: selected(''),
    expected: boundedBy(300_000, 'silence'),
    attempts: [1, 4],
    seen: { hang: ends([1_206_000, 1_212_000], { how: 'resolves' }) },
    note: 'what the fetch of Node does, up to four times: read, not waited for; its error is in what it gives',
  },
  {
    ...supabase,
    name: 'supabase: signal of a timeout',
    setting: '.abortSignal(AbortSignal.timeout(300))',
    code: selected('.abortSignal(AbortSignal.timeout(300))'),
    expected: boundedBy(300, 'total'),
    seen: { hang: ends(300, { how: 'resolves' }), stall: ends(300, { how: 'resolves' }), drip: ends(300, { how: 'resolves' }) },
  },
]

const groq = { library: 'groq', packages: ['groq-sdk@1.6.0'] } as const
const answered = (options: string) => `
import Groq from 'groq-sdk'
const ai = new Groq({ apiKey: 'a', baseURL: process.env.PEER_URL, ${options} })
export const run = () => ai.chat.completions.create({ model: 'a', messages: [] }) // measured
`

/** Groq, as OpenAI and Anthropic are generated. */
export const groqCases: readonly ClientCase[] = [
  {
    ...groq,
    name: 'groq: nothing set',
    setting: 'nothing',
    code: answered(''),
    expected: boundedBy(60_000, 'headers'),
    worstMs: [181_000, 182_000],
    attempts: 3,
    seen: { hang: ends([181_000, 182_000]) },
  },
  {
    ...groq,
    name: 'groq: timeout, no retries',
    setting: 'timeout: 300, maxRetries: 0',
    code: answered('timeout: 300, maxRetries: 0'),
    expected: boundedBy(300, 'headers'),
    seen: seenAs.headers(300),
  },
]

/** Ollama over the fetch of Node. */
export const ollamaCases: readonly ClientCase[] = [
  {
    library: 'ollama',
    packages: ['ollama@0.6.4'],
    name: 'ollama: nothing set',
    setting: 'nothing',
    code: `
import { Ollama } from 'ollama'
const ai = new Ollama({ host: process.env.PEER_URL })
export const run = () => ai.chat({ model: 'a', messages: [] }) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000) },
    note: 'what the fetch of Node does, once',
  },
]

const qdrant = { library: 'qdrant', packages: ['@qdrant/js-client-rest@1.18.0'] } as const
const near = (options: string) => `
import { QdrantClient } from '@qdrant/js-client-rest'
const points = new QdrantClient({ url: process.env.PEER_URL, checkCompatibility: false, ${options} })
export const run = () => points.search('a', { vector: [1] }) // measured
`

/** Qdrant over the fetch of undici. */
export const qdrantCases: readonly ClientCase[] = [
  {
    ...qdrant,
    name: 'qdrant: nothing set',
    setting: 'nothing',
    code: near(''),
    expected: boundedBy(300_000, 'total'),
    seen: { hang: ends(300_000) },
  },
  {
    ...qdrant,
    name: 'qdrant: timeout',
    setting: 'timeout: 300',
    code: near('timeout: 300'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

const meili = { library: 'meilisearch', packages: ['meilisearch@0.62.0'] } as const
const found = (options: string) => `
import { Meilisearch } from 'meilisearch'
const search = new Meilisearch({ host: process.env.PEER_URL, ${options} })
export const run = () => search.index('a').search('b') // measured
`

/** Meilisearch over the fetch of Node. */
export const meiliCases: readonly ClientCase[] = [
  {
    ...meili,
    name: 'meilisearch: nothing set',
    setting: 'nothing',
    code: found(''),
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000) },
  },
  {
    ...meili,
    name: 'meilisearch: timeout',
    setting: 'timeout: 300',
    code: found('timeout: 300'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]
