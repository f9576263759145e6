import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const severities = (body: string) =>
  scanTexts(`export async function tell(u: string) { ${body} }`).diagnostics.map(({ severity }) => severity)

test.each([
  'fetch(u).catch(() => {})',
  'void fetch(u)',
  'void fetch(u).catch(console.warn)',
  "socket.on('close', function () { if (u) fetch(u) })",
  'fetch(u).then((r) => { if (!r.ok) throw new Error(r.statusText) }).catch((e) => req.log.error(e))',
])('nobody waits for %s', (body) => {
  expect(severities(body)).toEqual(['info'])
})

test.each([
  'await fetch(u).catch(() => {})',
  'return fetch(u)',
  'fetch(u)',
  'fetch(u).then((r) => pass(r)).catch(() => {})',
  'fetch(u).then((r) => { last = r.status }).catch(() => {})',
  'fetch(u).then(pass).catch(() => {})',
  'fetch(u).then((r) => { if (r.ok) new Job(u) }).catch(() => {})',
  'fetch(u).finally(pass)',
  "socket.on('close', async () => { fetch(u) })",
  "socket.on('close', () => fetch(u))",
  'await Promise.all([fetch(u).catch(() => {})])',
  'const asked = fetch(u); await asked',
])('somebody does, or may have to, for %s', (body) => {
  expect(severities(body)).toEqual(['warning'])
})

test.each([
  [`axios.post('http://a', {}).catch(() => {})`, 'warning'],
  [`void axios.post('http://a', {})`, 'warning'],
  [`axios.post('http://a', {})`, 'error'],
  [`const api = axios.create()\nvoid api.post('http://a', {})`, 'warning'],
  [`const api = axios.create()\nvoid api.post('http://a', {})\nawait api.get('http://a')`, 'error'],
])('what has no limit at all is never given back, but holds up nobody who does not wait: %s', (text, severity) => {
  expect(scanTexts(`import axios from 'axios'\n${text}`).diagnostics.map((one) => one.severity)).toEqual([severity])
})

test.each([
  ['void fetch(u)', true],
  ["socket.on('close', () => { fetch(u) })", true],
  ['fetch(u).then(pass)', true],
  ['fetch(u).then(pass, fail)', false],
  ['fetch(u).catch(fail)', false],
  ['await fetch(u)', false],
  ['const asked = fetch(u); pass(asked)', false],
])('a promise that is dropped must not be rejected without anybody who hears it: %s', (body, isTold) => {
  const [only] = scanTexts(`export async function tell(u: string) { ${body} }`).diagnostics
  expect(only?.suggestion?.text).toBe(
    `set a limit: signal: AbortSignal.timeout(…)${isTold ? '; and catch what it then rejects with: .catch(…)' : ''}`,
  )
})
