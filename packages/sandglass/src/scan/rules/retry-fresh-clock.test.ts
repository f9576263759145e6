import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const C015 = `import pRetry from "p-retry";
// route budget: 800 (annotation or config)
export const load = () => pRetry(
  () => fetch("http://b.internal", { signal: AbortSignal.timeout(300) }),
  { retries: 3, minTimeout: 100, factor: 1 });`

describe('retry-fresh-clock', () => {
  test('C015: four attempts of 300 ms with three waits of 100 ms last 1 500 ms, which is an info without a budget', () => {
    const scanned = scanTexts(C015)
    expect(findingLines(scanned)).toEqual(['code.ts:3 retry-fresh-clock'])
    const [finding] = scanned.diagnostics
    expect(finding?.severity).toBe('info')
    expect(finding?.message).toBe('each attempt gets a new 300 ms: with 4 attempts it may take 1.5 s, and nothing ends them together')
    expect(finding?.arithmetic).toBe('4 attempts x 300 ms + waits 300 ms = 1.5 s')
    expect(finding?.values).toMatchObject({ attempts: 4, attemptMs: 300, worstMs: 1500 })
  })

  test('with a budget it is over-budget that speaks', () => {
    expect(findingLines(scanTexts(C015, { budgetMs: 800 }))).toEqual(['code.ts:3 over-budget'])
    expect(findingLines(scanTexts(C015, { budgetMs: 1500 }))).toEqual([])
  })

  test('a loop without an end and one whose waits are not known are told as what they are', () => {
    const scanned = scanTexts(`import { waitMs } from './elsewhere.js'
const pause = (ms: number) => new Promise((yes) => setTimeout(yes, ms))
export async function a(u: string) {
  while (true) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch { await pause(100) } }
}
export async function b(u: string) {
  for (let i = 0; i < 3; i++) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch { await pause(waitMs()) } }
}`)
    expect(findingLines(scanned)).toEqual(['code.ts:4 retry-fresh-clock', 'code.ts:7 retry-fresh-clock'])
    expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
      'each attempt gets a new 300 ms: a loop tries for ever, and nothing ends them together',
      'each attempt gets a new 300 ms: with 3 attempts it may take at least 900 ms, and nothing ends them together',
    ])
  })

  test.each([
    ['one signal for all attempts', 'const signal = AbortSignal.timeout(300); return pRetry(() => fetch(u, { signal }))'],
    [
      'a limit around all attempts',
      "return call('b', { does: 'read', timeoutMs: 500 }, () => pRetry(() => fetch(u, { signal: AbortSignal.timeout(300) })))()",
    ],
    [
      'a loop that looks at the clock',
      'const end = Date.now() + 2000; while (Date.now() < end) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch {} }',
    ],
    [
      'a loop that counts and looks at the clock',
      'const start = performance.now(); for (let i = 0; i < 9; i++) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch { if (performance.now() - start > 1000) break } }',
    ],
    [
      'a loop that asks a signal',
      'const all = AbortSignal.timeout(2000); while (!all.aborted) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch {} }',
    ],
    [
      'p-retry with a time for all attempts',
      'return pRetry(() => fetch(u, { signal: AbortSignal.timeout(300) }), { retries: 3, maxRetryTime: 1000 })',
    ],
    [
      'p-retry with a signal for all attempts',
      'const signal = AbortSignal.timeout(1000); return pRetry(() => fetch(u, { signal: AbortSignal.any([signal, AbortSignal.timeout(300)]) }), { retries: 3, signal })',
    ],
    ['no retry', 'return fetch(u, { signal: AbortSignal.timeout(300) })'],
  ])('%s is not reported', (_, body) => {
    const scanned = scanTexts(`import pRetry from 'p-retry'
import { call } from '@sandglass/runtime'
export async function get(u: string) { ${body} }`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'retry-fresh-clock')).toEqual([])
  })

  test.each([
    [
      'leaves at the first failure',
      'for (const id of ids) { const at = id.indexOf(key); if (at !== 3) { continue } const a = await get(id); if (!a) return null; return a }',
    ],
    ['leaves a case only', 'for (const id of ids) { switch (id) { case key: await get(id); break; default: break } }'],
    [
      'leaves because of something else',
      'for (const id of ids) { const a = await quiet(id); const b = await store(a); if (!b) return null }',
    ],
  ])('a loop over a list that %s is no retry', (_, body) => {
    const scanned = scanTexts(`import { store } from './elsewhere.js'
const get = (id: string) => fetch('http://a/' + id, { signal: AbortSignal.timeout(300) })
const quiet = async (id: string) => { try { return await get(id) } catch { return null } }
export async function all(ids: string[], key: string) { ${body} }`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'retry-fresh-clock')).toEqual([])
  })

  test('a loop over a list that tries one after the other is one', () => {
    const scanned = scanTexts(`export async function any(urls: string[]) {
  for (const u of urls) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch {} }
}`)
    const found = scanned.diagnostics.filter(({ rule }) => rule === 'retry-fresh-clock')
    expect(found.map(({ message, label }) => [message, label])).toEqual([
      [
        'each attempt gets a new 300 ms: a loop goes on to the next of a list, nobody can tell how many there are, and nothing ends them together',
        'one after the other',
      ],
    ])
  })

  test.each([
    ['for (const u of hostsOf(host))', 'with 2 attempts it may take 600 ms'],
    ['for (let i = 0; i < config.hosts.length; i++)', 'a loop goes on to the next of a list, nobody can tell how many there are'],
    ['for (let i = 0; i < config.most; i++)', 'a loop may try again, nobody can tell how often'],
  ])('%s is told as what it is', (head, lasting) => {
    const scanned = scanTexts(`import { config } from './elsewhere.js'
const hostsOf = (host: string) => (host.startsWith('www.') ? [host, host.slice(4)] : [host, 'www.' + host])
export async function any(host: string) {
  ${head} { try { return await fetch('http://a', { signal: AbortSignal.timeout(300) }) } catch {} }
}`)
    expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
      `each attempt gets a new 300 ms: ${lasting}, and nothing ends them together`,
    ])
  })

  test('a loop around another one counts its own passes', () => {
    const text = (last: string) => `const pause = (ms: number) => new Promise((yes) => setTimeout(yes, ms))
export async function any(host: string) {
  for (const u of [host, 'www.' + host]) {
    for (let i = 0; i < 3; i++) {
      try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch (error) { ${last} await pause(100) }
    }
  }
}`
    const said = (last: string) => scanTexts(text(last)).diagnostics.map(({ message }) => message.split(': ')[1]?.split(',')[0])
    expect(said('if (i === 2) break;')).toEqual(['with 2 attempts it may take 2.2 s'])
    expect(said('if (i === 2) throw error;')).toEqual(['with 3 attempts it may take 1.1 s'])
  })

  test('of a limit that a condition chooses the larger one is told as the most it may be', () => {
    const scanned = scanTexts(`import axios from 'axios'
import { isSlow } from './elsewhere.js'
export async function any(u: string) {
  for (let i = 0; i < 2; i++) { try { return await axios.get(u, { timeout: isSlow ? 900 : 300 }) } catch {} }
}`)
    const [found] = scanned.diagnostics.filter(({ rule }) => rule === 'retry-fresh-clock')
    expect(found?.message).toBe(
      'each attempt gets a new limit of up to 900 ms: with 2 attempts it may take 1.8 s, and nothing ends them together',
    )
  })

  test.each([
    ['gives up but for errors of another kind', "if (isManaged || !(e.type === 'system')) throw e", 0],
    ['gives up but for a status', 'if (e.response?.status !== 429) throw e', 0],
    ['goes on for one code of a database alone', "if (e.code === '40001') continue; throw e", 0],
    ['tries again after a timeout', "if (e.code !== 'ETIMEDOUT') throw e", 1],
    ['tries again after a busy gateway', 'if (e.status !== 504) throw e', 1],
    ['asks something else', "if (u === 'a') throw e", 1],
  ])('a loop whose catch %s', (_, inCatch, count) => {
    const scanned = scanTexts(`import { isManaged } from './elsewhere.js'
export async function any(u: string) {
  for (;;) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch (e: any) { ${inCatch} } }
}`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'retry-fresh-clock')).toHaveLength(count)
  })

  test('a timer from before the first attempt is no new clock for the others, though the first answer clears it', () => {
    const scanned = scanTexts(`export async function any(urls: string[]) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), 300)
  for (const u of urls) { try { const res = await fetch(u, { signal: controller.signal }); clearTimeout(timer); return await res.json() } catch {} }
}`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'retry-fresh-clock')).toEqual([])
  })
})

test('where the call takes no signal the fix names none', () => {
  const retry = (ask: string) => `import pRetry from 'p-retry'
import { Client } from 'pg'
const db = new Client({ connectionTimeoutMillis: 500, query_timeout: 500, statement_timeout: 400 })
export const load = (u: string) => pRetry(() => ${ask}, { retries: 2, minTimeout: 100, factor: 1 })`
  const fixOf = (ask: string) => scanTexts(retry(ask)).diagnostics.find(({ rule }) => rule === 'retry-fresh-clock')?.suggestion?.text
  expect(fixOf("db.query('select 1')")).toBe(
    'put one race with a timer around all attempts, or give each only what is left of one deadline: the call takes no signal',
  )
  expect(fixOf('fetch(u, { signal: AbortSignal.timeout(300) })')).toContain('make one signal before the first attempt')
})
