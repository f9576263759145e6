import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (model: string, options = '', version = '6.0.230') =>
  scanTexts({
    files: {
      'code.ts': `import { generateText, wrapLanguageModel } from 'ai'
import { createOpenAI, openai } from '@ai-sdk/openai'
import { settings } from './settings'
const quick = createOpenAI({ fetch: (u) => fetch(u, { signal: AbortSignal.timeout(500) }) })
const plain = createOpenAI({ apiKey: process.env.KEY })
export const ask = (name: string, given: object) => generateText({ model: ${model}, prompt: 'hi', ${options} })`,
    },
    versions: { ai: version },
  })

test.each(["openai('gpt')", 'openai(name)', 'plain(name)', "plain.chat('gpt')", "'openai/gpt'"])(
  'nothing but the fetch of Node ends a call of the AI SDK with %s',
  (model) => {
    const scanned = scan(model)
    expect(callLines(scanned).at(-1)).toBe('6 ai-sdk bounded 300000 silence')
    expect(findingLines(scanned)).toEqual(['code.ts:6 default-bound'])
  },
)

test.each(["quick('gpt')", 'given', 'settings.model', "wrapLanguageModel({ model: quick('gpt'), middleware: [] })"])(
  'of %s, which may bring a fetch of its own, nothing is said',
  (model) => {
    const scanned = scan(model)
    expect(callLines(scanned).at(-1)).toBe('6 ai-sdk unknown')
    expect(findingLines(scanned)).toEqual([])
  },
)

test('a signal ends all attempts, and so does a timeout from version 6 on', () => {
  const model = "openai('gpt')"
  expect(callLines(scan(model, 'abortSignal: AbortSignal.timeout(800)'))).toContain('6 ai-sdk bounded 800 total')
  expect(callLines(scan(model, 'timeout: 700'))).toContain('6 ai-sdk bounded 700 total')
  expect(callLines(scan(model, 'timeout: { totalMs: 600 }'))).toContain('6 ai-sdk bounded 600 total')
  expect(callLines(scan(model, 'timeout: 700', '5.0.173'))).toContain('6 ai-sdk bounded 300000 silence')
  expect(callLines(scan(model, 'timeout: settings.ms'))).toContain('6 ai-sdk unknown')
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
