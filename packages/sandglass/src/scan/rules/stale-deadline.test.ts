import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const stale = (text: string) => scanTexts(text).diagnostics.filter(({ rule }) => rule === 'stale-deadline')

describe('stale-deadline', () => {
  test('C011: an absolute deadline that is computed once at load is over 2 s after the start', () => {
    const scanned = scanTexts(`const stale = { deadline: Date.now() + 2000 };
export function handler(call: any, cb: any) {
  client.getB(req, stale, cb);
  client.getC(req, { deadline: Date.now() + 2000 }, cb);
  client.getD(req, { deadline: Date.now() + 2000, parent: call }, cb);
}`)
    expect(findingLines(scanned).filter((line) => line.includes('stale'))).toEqual(['code.ts:3 stale-deadline'])
    const [finding] = scanned.diagnostics
    expect([finding?.severity, finding?.values.ms]).toEqual(['error', 2000])
    expect(finding?.message).toBe(
      'this deadline is made once, when the module is loaded: it is over 2 s after the start, and every later call fails at once',
    )
  })

  test('a timed signal at the top of a module is one finding, however many calls have it', () => {
    const found = stale(`const signal = AbortSignal.timeout(5000)
const OPTIONS = { signal, headers: {} }
export const a = () => fetch('http://a', { signal })
export const b = () => fetch('http://b', OPTIONS)
export const c = () => fetch('http://c', { ...OPTIONS, method: 'POST' })`)
    expect(found.map(({ values }) => values)).toEqual([{ ms: 5000, calls: 3 }])
  })

  test.each(['new Date(Date.now() + 2000)', 'new Date().getTime() + 2000', 'new Date(new Date().valueOf() + 2 * 1000)'])(
    '%s at the top of a module is a deadline of that moment',
    (deadline) => {
      const found = stale(`const options = { deadline: ${deadline} }
export const a = (client, request, done) => client.get(request, options, done)`)
      expect(found.map(({ values }) => values.ms)).toEqual([2000])
    },
  )

  test('a client that is made with such a signal has it in every call', () => {
    const found = stale(`import axios from 'axios'
const api = axios.create({ timeout: 500, signal: AbortSignal.timeout(5000) })
export const a = () => api.get('/a')`)
    expect(found.map(({ spot }) => spot.source.text.slice(spot.start, spot.start + 12))).toEqual(['axios.create'])
  })

  test.each([
    ['a signal that is made in the function', "export const a = () => fetch('http://a', { signal: AbortSignal.timeout(5000) })"],
    [
      'a script that runs once',
      "const signal = AbortSignal.timeout(5000)\nasync function main() { await fetch('http://a', { signal }) }\nmain().catch(console.error)",
    ],
    [
      'a script that goes through a list',
      "const signal = AbortSignal.timeout(5000)\nconst all = await Promise.all(['a', 'b'].map(async (u) => fetch(u, { signal })))",
    ],
    [
      'a script in functions',
      "const signal = AbortSignal.timeout(5000)\nconst one = (u: string) => fetch(u, { signal })\nasync function main(urls: string[]) { for (const u of urls) await one(u); await Promise.all(urls.map(one)) }\nmain(['a'])",
    ],
    ['a script in one expression', "const signal = AbortSignal.timeout(5000);\n(async () => { await fetch('http://a', { signal }) })()"],
    ['a call at the top', "await fetch('http://a', { signal: AbortSignal.timeout(5000) })"],
    [
      'a field of a class, which is made with each object',
      "export class A { deadline = Date.now() + 2000; signal = AbortSignal.timeout(500)\n  load() { return fetch('http://a', { signal: this.signal }) } }",
    ],
    ['a duration', 'const OPTIONS = { deadline: 2000 }\nexport const a = (client) => client.get({}, OPTIONS)'],
    ['an instant that no call gets as a deadline', 'const startedAt = Date.now()\nexport const a = (log) => log({ startedAt })'],
  ])('%s is not reported', (_, text) => {
    expect(stale(text)).toEqual([])
  })
})
