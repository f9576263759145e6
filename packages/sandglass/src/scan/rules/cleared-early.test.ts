import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const START = 'const c = new AbortController(); const t = setTimeout(() => c.abort(), 1000)'
const found = (body: string) =>
  scanTexts(`export async function load(u: string) { ${START}\n${body} }`)
    .diagnostics.filter(({ rule }) => rule === 'cleared-early')
    .map(({ severity, message }) => `${severity} ${message}`)

const TEXT = 'the timer of 1 s is cleared when the headers are there: nothing ends reading the body but the default of 300 s for each part'

test.each([
  ['read after it', 'const res = await fetch(u, { signal: c.signal }); clearTimeout(t); return await res.json()', 'warning'],
  ['given away', 'try { const res = await fetch(u, { signal: c.signal }); return res } finally { clearTimeout(t) }', 'info'],
  ['given away at once', 'try { return await fetch(u, { signal: c.signal }) } finally { clearTimeout(t) }', 'info'],
])('is told where the body is %s', (_, body, severity) => {
  expect(found(body)).toEqual([`${severity} ${TEXT}`])
})

test.each([
  ['read before it', 'const res = await fetch(u, { signal: c.signal }); const all = await res.json(); clearTimeout(t); return all'],
  ['read in the same try', 'try { const res = await fetch(u, { signal: c.signal }); return await res.json() } finally { clearTimeout(t) }'],
  ['not read', 'const res = await fetch(u, { signal: c.signal }); clearTimeout(t); return res.ok'],
])('is not told where the body is %s', (_, body) => {
  expect(found(body)).toEqual([])
})

test('node-fetch has no default that ends reading its body, but may be given a timeout', () => {
  const told = (options: string) =>
    scanTexts({
      files: {
        'code.ts': `import fetch from 'node-fetch'
export async function load(u: string) { ${START}
const res = await fetch(u, { ${options}signal: c.signal }); clearTimeout(t); return await res.buffer() }`,
      },
      versions: { 'node-fetch': '2.7.0' },
    }).diagnostics.map(({ rule, message }) => `${rule} ${message}`)
  expect(told('')).toEqual(['cleared-early the timer of 1 s is cleared when the headers are there: nothing ends reading the body'])
  expect(told('timeout: 900, ')).toEqual([])
})
