import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('what got repeats is told by retry.methods where they are written, else POST and PATCH are not', () => {
  const { calls } = scanTexts(`import got from 'got'
import { methods } from './settings'
const timeout = { request: 1000 }
const api = got.extend({ prefixUrl: 'http://a', timeout, retry: { limit: 1, methods: ['GET', 'POST'] } })
await api.post('x')
await api.get('x')
await api.put('x')
await got.post('http://a', { timeout, retry: { limit: 1 } })
await got.put('http://a', { timeout, retry: { limit: 1 } })
await got('http://a', { timeout, method: 'POST', retry: { limit: 1, methods: ['post'] } })
await got.post('http://a', { timeout, retry: { limit: 1, methods } })
await got.post('http://a', { timeout, retry: { limit: 0, methods } })
await got({ url: 'http://a', timeout, method: 'PATCH', retry: { limit: 1 } })`)
  const tries = calls.map(({ worstMs }) => (worstMs === null ? 'unknown' : worstMs > 2000 ? 'twice' : 'once'))
  expect(tries).toEqual(['twice', 'twice', 'once', 'once', 'twice', 'twice', 'unknown', 'once', 'once'])
})

test('a call of got whose repeats are not known keeps the limit of each attempt', () => {
  const text = `import got from 'got'\nawait got.post('http://a', { timeout: { request: 900 }, retry: { methods: process.env.M } })`
  expect(callLines(scanTexts(text))).toEqual(['2 got bounded 900 total'])
})
