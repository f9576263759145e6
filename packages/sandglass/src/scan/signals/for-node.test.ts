import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const FETCH = "import fetch from 'node-fetch'\nexport const get = () => fetch('http://a')"
const GOT = "import got from 'got'\nexport const get = () => got('http://a')"

const adviceOf = (code: string, versions: Record<string, string>, engines?: string) =>
  scanTexts({
    files: { 'package.json': JSON.stringify(engines ? { engines: { node: engines } } : {}), 'code.ts': code },
    versions,
  }).diagnostics[0]?.suggestion?.text

const REPLACED =
  'set a limit: signal: limit.signal, with const limit = new AbortController() and setTimeout(() => limit.abort(), …), cleared after the call: Node 16.13 has no AbortSignal.timeout'

test('a Node without AbortSignal.timeout is told the option of the library, or a controller with a timer', () => {
  expect(adviceOf(FETCH, { 'node-fetch': '2.7.0', node: '16.13' })).toBe('set a limit: timeout: … (ms)')
  expect(adviceOf(FETCH, { 'node-fetch': '3.0.0', node: '16.13' })).toBe(REPLACED)
  expect(adviceOf(FETCH, { 'node-fetch': '3.0.0' }, '^14.17.0 || ~16.13.0')).toBe(REPLACED)
  expect(adviceOf(FETCH, { 'node-fetch': '3.0.0', node: '12' })).toContain('new AbortController() (of the package abort-controller) and')
})

test('any other Node is told the signal', () => {
  const told = 'set a limit: signal: AbortSignal.timeout(…)'
  for (const node of ['16', '16.14.0', '17', '17.3', '18.0.0', '22']) expect(adviceOf(FETCH, { 'node-fetch': '2.7.0', node })).toBe(told)
  expect(adviceOf(FETCH, { 'node-fetch': '2.7.0' }, '>=12')).toBe(told)
  expect(adviceOf(FETCH, { 'node-fetch': '2.7.0', node: '20' }, '^12')).toBe(told)
  expect(adviceOf(GOT, { got: '11.8.0', node: '14' })).not.toContain('AbortController')
})

test('a Node without AbortSignal.any joins two signals by hand', () => {
  const code = 'export const GET = (request: Request) => fetch("http://a", { signal: request.signal })'
  expect(adviceOf(code, { node: '18.12' })).toMatch(
    /^put a limit beside it: limit\.signal with signal\?\.addEventListener\('abort', \(\) => limit\.abort\(\)\), const limit = .* has no AbortSignal\.any$/,
  )
  expect(adviceOf(code, { node: '18' })).toContain('AbortSignal.any([')
})

test('the timer of a race is told no signal that Node lacks', () => {
  const race = 'export const get = (work: Promise<void>) => Promise.race([work, new Promise((_, reject) => setTimeout(reject, 5000))])'
  expect(adviceOf(race, { node: '14' })).toBe('keep its handle and clear it in a finally')
  expect(adviceOf(race, { node: '20' })).toContain('AbortSignal.timeout')
})
