import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('clients that Speakeasy generates have a timeout in milliseconds, and none by default', () => {
  const scanned = scanTexts(`import { Mistral } from '@mistralai/mistralai'
import { Dub } from 'dub'
const ai = new Mistral({ apiKey: 'k' })
const links = new Dub({ token: 't', timeoutMs: 2000 })
await ai.chat.complete({ model: 'm', messages: [] })
await ai.embeddings.create({ model: 'm' }, { timeoutMs: 500 })
await ai.chat.stream({ model: 'm' }, { fetchOptions: { signal: AbortSignal.timeout(700) } })
await links.links.create({ url: 'https://a' })`)
  expect(callLines(scanned)).toEqual([
    '5 mistral bounded 300000 silence',
    '6 mistral bounded 500 total',
    '7 mistral bounded 700 total',
    '8 dub bounded 2000 total',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:3 default-bound'])
})

test('models of LangChain wait as fetch does, unless they have a timeout', () => {
  const code = `import { ChatOpenAI, DallEAPIWrapper, OpenAIEmbeddings } from '@langchain/openai'
const model = new ChatOpenAI({ model: 'm' })
await model.invoke('a')
await model.withStructuredOutput({}).invoke('a', { timeout: 500 })
await new OpenAIEmbeddings({ timeout: 900 }).embedQuery('a')
await new ChatOpenAI({ configuration: { timeout: 1000 } }).invoke('a')
await new DallEAPIWrapper({ model: 'm' }).invoke('a')`
  const at = (version: string) => callLines(scanTexts({ files: { 'code.ts': code }, versions: { '@langchain/openai': version } }))
  const limited = ['4 langchain-openai bounded 500 headers', '5 langchain-openai bounded 900 headers', '6 langchain-openai unknown']
  expect(at('1.5.8')).toEqual(['3 langchain-openai bounded 300000 silence', ...limited, '7 langchain-openai bounded 300000 silence'])
  expect(at('0.3.0')).toEqual(['3 langchain-openai unknown', ...limited, '7 langchain-openai unknown'])
})

test('Ollama, Qdrant and Pinecone', () => {
  const code = `import ollama, { Ollama } from 'ollama'
import { QdrantClient } from '@qdrant/js-client-rest'
import { Pinecone } from '@pinecone-database/pinecone'
await ollama.chat({ model: 'm' })
await new Ollama({ fetch: globalThis.fetch }).generate({ model: 'm' })
await new QdrantClient({ url: 'http://q' }).search('a', { vector: [] })
await new QdrantClient({ url: 'http://q', timeout: 2000 }).upsert('a', { points: [] })
const index = new Pinecone().index('a')
await index.namespace('b').query({ topK: 1 })
await index.upsert([])`
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions: { '@pinecone-database/pinecone': '8.2.0' } }))).toEqual([
    '4 ollama bounded 300000 silence',
    '5 ollama bounded 300000 silence',
    '6 qdrant bounded 300000 total',
    '7 qdrant bounded 2000 total',
    '9 pinecone bounded 300000 silence',
    '10 pinecone bounded 300000 silence',
  ])
})

test('what a client gives has its limits where the client is made: one cause', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import { Pinecone } from '@pinecone-database/pinecone'
const vectors = new Pinecone({ apiKey: 'k' })
const index = vectors.index('a')
export const ask = () => index.namespace('b').query({ topK: 1 })
export const add = () => [vectors.index('c').upsert([]), vectors.listIndexes()]`,
    },
    versions: { '@pinecone-database/pinecone': '8.2.0' },
  })
  expect(findingLines(scanned)).toEqual(['code.ts:2 default-bound'])
})

test('Groq and Together wait a minute, three times', () => {
  const scanned = scanTexts(`import Groq from 'groq-sdk'
import Together from 'together-ai'
await new Groq().chat.completions.create({ model: 'm', messages: [] })
await new Together({ timeout: 2000, maxRetries: 0 }).chat.completions.create({ model: 'm', messages: [] })`)
  expect(callLines(scanned)).toEqual(['3 groq bounded 60000 headers', '4 together bounded 2000 headers'])
  expect(scanned.calls.map(({ worstMs }) => worstMs)).toEqual([181_500, 2000])
})
