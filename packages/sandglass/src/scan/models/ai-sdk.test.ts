import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (model: string, options = '', version = '6.0.230') =>
  scanTexts({
    files: {
      'code.ts': `import { extractReasoningMiddleware, generateText, wrapLanguageModel } from 'ai'
import { createOpenAI, openai } from '@ai-sdk/openai'
import { settings } from './settings'
const quick = createOpenAI({ fetch: (u) => fetch(u, { signal: AbortSignal.timeout(500) }) })
const plain = createOpenAI({ apiKey: process.env.KEY })
const byName = { small: plain('small'), large: plain('large') }
const chosen = (name: string) => (name === 'gpt' ? openai(name) : plain(name))
const quickOrPlain = (name: string) => (name === 'gpt' ? quick(name) : plain(name))
async function loaded() { return (await import('./more')).model }
async function loadedQuick() { return pick(createOpenAI({ fetch: other })) }
const owned = { doGenerate: async () => ({}) }
export const ask = async (name: string, given: object) => generateText({ model: ${model}, prompt: 'hi', ${options} })`,
    },
    versions: { ai: version },
  })

test.each([
  "openai('gpt')",
  'openai(name)',
  'plain(name)',
  "plain.chat('gpt')",
  "'openai/gpt'",
  'given',
  'settings.model',
  'settings.modelFor(name)',
  'chosen(name)',
  'byName[name]',
  'await loaded()',
  "wrapLanguageModel({ model: plain('gpt'), middleware: extractReasoningMiddleware({ tagName: 'think' }) })",
])('nothing but the fetch of Node ends a call of the AI SDK with %s', (model) => {
  const scanned = scan(model)
  expect(callLines(scanned).at(-1)).toBe('12 ai-sdk bounded 300000 silence')
  expect(findingLines(scanned)).toEqual(['code.ts:12 default-bound'])
})

test.each([
  "quick('gpt')",
  'quickOrPlain(name)',
  'await loadedQuick()',
  "createOpenAI({ ...settings })('gpt')",
  "wrapLanguageModel({ model: quick('gpt'), middleware: [] })",
  "wrapLanguageModel({ model: plain('gpt'), middleware: settings.middleware })",
  'owned',
])('of %s, which brings a way of its own, nothing is said', (model) => {
  const scanned = scan(model)
  expect(callLines(scanned).at(-1)).toBe('12 ai-sdk unknown')
  expect(findingLines(scanned)).toEqual([])
})

test('a signal ends all attempts, and so does a timeout from version 6 on', () => {
  const model = "openai('gpt')"
  expect(callLines(scan(model, 'abortSignal: AbortSignal.timeout(800)'))).toContain('12 ai-sdk bounded 800 total')
  expect(callLines(scan(model, 'timeout: 700'))).toContain('12 ai-sdk bounded 700 total')
  expect(callLines(scan(model, 'timeout: { totalMs: 600 }'))).toContain('12 ai-sdk bounded 600 total')
  expect(callLines(scan(model, 'timeout: 700', '5.0.173'))).toContain('12 ai-sdk bounded 300000 silence')
  expect(callLines(scan(model, 'timeout: settings.ms'))).toContain('12 ai-sdk unknown')
})

test('a timeout of what is no text is ignored', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import { embed, generateObject } from 'ai'
await generateObject({ model: 'openai/gpt', prompt: 'hi', timeout: 700 })
await embed({ model: 'openai/small', value: 'hi', timeout: 700 })`,
    },
    versions: { ai: '6.0.326' },
  })
  expect(callLines(scanned)).toEqual(['2 ai-sdk bounded 300000 silence', '3 ai-sdk bounded 300000 silence'])
})

test('a model that callers give is judged for each of them', () => {
  const ask = `import { generateText } from 'ai'
export const ask = (model: object) => generateText({ model, prompt: 'hi' })`
  const call = (model: string) =>
    scanTexts({
      files: {
        'ask.ts': ask,
        'code.ts': `import { createOpenAI } from '@ai-sdk/openai'
import { ask } from './ask'
const quick = createOpenAI({ fetch: (u) => fetch(u, { signal: AbortSignal.timeout(500) }) })
export const answer = () => ask(${model})`,
      },
    })
  expect(callLines(call("quick('gpt')"))).toContain('2 ai-sdk unknown')
  expect(callLines(call('process.env.MODEL'))).toContain('2 ai-sdk bounded 300000 silence')
})

test('an agent asks as texts do, with the model and the retries it was made with', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import { ToolLoopAgent } from 'ai'
import { models } from './models'
const agent = new ToolLoopAgent({ model: models.fast, maxRetries: 0 })
await agent.generate({ prompt: 'hi' })
await agent.stream({ prompt: 'hi', timeout: 900 })
const prepared = new ToolLoopAgent({ model: models.fast, prepareCall: (call) => ({ ...call, model: models.slow }) })
await prepared.generate({ prompt: 'hi' })`,
    },
    versions: { ai: '6.0.326' },
  })
  expect(callLines(scanned)).toEqual(['4 ai-sdk bounded 300000 silence', '5 ai-sdk bounded 900 total', '7 ai-sdk unknown'])
  expect(scanned.calls[0]?.worstMs).toBe(300_000)
})

test('an agent is limited in each call: what it was made with has no signal and no timeout', () => {
  const text = `import { ToolLoopAgent } from 'ai'
import { anthropic } from '@ai-sdk/anthropic'
const agent = new ToolLoopAgent({ model: anthropic('a'), timeout: 500 })
export const get = () => agent.stream({ prompt: 'hi' })`
  expect(findingLines(scanTexts({ files: { 'code.ts': text }, versions: { ai: '7.0.57' } }))).toEqual(['code.ts:4 default-bound'])
})

test.each([
  "'openai/gpt'",
  "gateway('openai/gpt')",
  "gateway.languageModel('openai/gpt')",
  "made('openai/gpt')",
  "wrapLanguageModel({ model: gateway('openai/gpt'), middleware: extractReasoningMiddleware({ tagName: 'think' }) })",
  "given ? gateway('a') : 'b'",
])('a model of the gateway, as %s, is not asked again after silence', (model) => {
  const text = `import { extractReasoningMiddleware, generateText, wrapLanguageModel } from 'ai'
import { createGateway, gateway } from '@ai-sdk/gateway'
const made = createGateway({ apiKey: 'a' })
export const ask = (given: boolean) => generateText({ model: ${model}, prompt: 'hi' })`
  expect(scanTexts({ files: { 'code.ts': text }, versions: { ai: '6.0.37' } }).diagnostics.map(({ message }) => message)).toEqual([
    'nothing but the fetch of Node ends this call of ai 6.0.37: 300 s for the answer',
  ])
})

test('a provider with a client of its own that hears of no signal is unknown', () => {
  const of = (provider: string) =>
    callLines(
      scanTexts({
        files: {
          'code.ts': `import { generateText } from 'ai'
import { createPortkey } from '${provider}'
const client = createPortkey({ apiKey: 'a' })
export const ask = () => generateText({ model: client.completionModel('a'), prompt: 'hi' })`,
        },
        versions: { ai: '3.4.33' },
      }),
    )
  expect(of('@portkey-ai/vercel-provider')).toEqual(['4 ai-sdk unknown'])
  expect(of('@ai-sdk/openai')).toEqual(['4 ai-sdk bounded 300000 silence'])
})
