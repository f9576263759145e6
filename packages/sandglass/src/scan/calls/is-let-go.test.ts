import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const severities = (body: string) =>
  scanTexts(`export async function tell(u: string) { ${body} }`).diagnostics.map(({ severity }) => severity)

test.each(['fetch(u).catch(() => {})', 'void fetch(u)', 'void fetch(u).catch(console.warn)'])('nobody waits for %s', (body) => {
  expect(severities(body)).toEqual(['info'])
})

test.each([
  'await fetch(u).catch(() => {})',
  'return fetch(u)',
  'fetch(u)',
  'fetch(u).then((r) => pass(r)).catch(() => {})',
  'fetch(u).finally(pass)',
  'await Promise.all([fetch(u).catch(() => {})])',
  'const asked = fetch(u); await asked',
])('somebody does, or may have to, for %s', (body) => {
  expect(severities(body)).toEqual(['warning'])
})

test('what has no limit at all stays an error: it is never given back', () => {
  expect(
    scanTexts(`import axios from 'axios'\naxios.post('http://a', {}).catch(() => {})`).diagnostics.map(({ severity }) => severity),
  ).toEqual(['error'])
})
