import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const ai = { library: 'ai-sdk', packages: ['ai@6.0.326', '@ai-sdk/openai@3.0.141'] } as const
const ask = (options: string) => `
import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'
const openai = createOpenAI({ apiKey: 'a', baseURL: process.env.PEER_URL })
export const run = () => generateText({ model: openai('gpt'), prompt: 'a', ${options} }) // measured
`

/** The AI SDK over the fetch of Node. */
export const aiCases: readonly ClientCase[] = [
  {
    ...ai,
    name: 'ai-sdk: nothing set',
    setting: 'nothing',
    code: ask(''),
    expected: boundedBy(300_000, 'silence'),
    worstMs: [906_000, 915_000],
    attempts: 3,
    seen: { hang: ends([906_000, 915_000]), busy: ends([6000, 7000]) },
    capMs: 8000,
    note: 'what the fetch of Node does, three times, after 2 s and 4 s',
  },
  {
    ...ai,
    name: 'ai-sdk: timeout',
    setting: 'timeout: 300',
    code: ask('timeout: 300'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
    note: 'from 6 on; 4 and 5 ignore it, and so do objects and embeddings',
  },
  {
    ...ai,
    name: 'ai-sdk: signal of a timeout',
    setting: 'abortSignal: AbortSignal.timeout(300)',
    code: ask('abortSignal: AbortSignal.timeout(300)'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

/** Resend over the fetch of Node. */
export const resendCases: readonly ClientCase[] = [
  {
    library: 'resend',
    packages: ['resend@6.38.0'],
    name: 'resend: nothing set',
    setting: 'nothing',
    code: `
process.env.RESEND_BASE_URL = process.env.PEER_URL
const { Resend } = await import('resend')
const resend = new Resend('re_a')
export const run = () => resend.emails.send({ from: 'a@a.a', to: 'b@b.b', subject: 'a', text: 'a' }) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000, { how: 'resolves' }) },
    note: 'what the fetch of Node does, once; its error is in what it gives',
  },
]
