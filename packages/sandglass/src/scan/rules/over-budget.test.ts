import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

describe('over-budget', () => {
  test('C015: 1 500 > 800, over by 700; two attempts fit, the next would start with nothing left', () => {
    const scanned = scanTexts(
      `import pRetry from "p-retry";
export const load = () => pRetry(
  () => fetch("http://b.internal", { signal: AbortSignal.timeout(300) }),
  { retries: 3, minTimeout: 100, factor: 1 });`,
      { budgetMs: 800 },
    )
    const [finding] = scanned.diagnostics
    expect(findingLines(scanned)).toEqual(['code.ts:2 over-budget'])
    expect(finding?.severity).toBe('error')
    expect(finding?.message).toBe(
      'fetch may take 1.5 s, the budget is 800 ms: over by 700 ms; 2 attempts fit (0-300, 400-700 ms), the next would start at 800 ms with 0 ms left',
    )
    expect(finding?.arithmetic).toBe('4 attempts x 300 ms + waits 300 ms = 1.5 s > 800 ms')
    expect(finding?.values).toEqual({ worstMs: 1500, budgetMs: 800, overMs: 700, calls: 1 })
  })

  test('a budget that has no room for one attempt says so', () => {
    const scanned = scanTexts(
      `import pRetry from "p-retry";
export const load = () => pRetry(() => fetch("http://b.internal", { signal: AbortSignal.timeout(900) }), { retries: 1, minTimeout: 0 });`,
      { budgetMs: 800 },
    )
    expect(scanned.diagnostics[0]?.message).toMatch(/: over by 1 s; not one attempt fits$/)
  })

  test('the calls of one client are one finding, where its limit is written', () => {
    const scanned = scanTexts(
      `import axios from 'axios'
const api = axios.create({ timeout: 5000 })
export const a = () => api.get('/a')
export const b = () => api.get('/b')
export const c = () => api.get('/c', { timeout: 700 })`,
      { budgetMs: 800 },
    )
    expect(findingLines(scanned)).toEqual(['code.ts:2 over-budget'])
    expect(scanned.diagnostics[0]?.message).toBe('axios (2 calls) may take 5 s, the budget is 800 ms: over by 4.2 s')
    expect(scanned.diagnostics[0]?.arithmetic).toBe('timeout 5 s = 5 s > 800 ms')
  })

  test('what never gives up is over every budget', () => {
    const scanned = scanTexts(
      `export async function load(u: string) {
  while (true) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch {} }
}`,
      { budgetMs: 800 },
    )
    expect(scanned.diagnostics.map(({ rule, message }) => [rule, message])).toEqual([
      ['over-budget', 'fetch tries for ever, the budget is 800 ms'],
    ])
  })

  test('where the waits are not known the sum is a lower bound', () => {
    const scanned = scanTexts(
      `import { pauseMs, sleep } from './elsewhere.js'
export async function load(u: string) {
  for (let i = 0; i < 3; i++) { try { return await fetch(u, { signal: AbortSignal.timeout(300) }) } catch { await sleep(pauseMs(i)) } }
}`,
      { budgetMs: 800 },
    )
    expect(scanned.diagnostics.map(({ message, arithmetic }) => [message, arithmetic])).toEqual([
      ['fetch may take at least 900 ms, the budget is 800 ms: over by 100 ms', '3 attempts x 300 ms + waits = at least 900 ms > 800 ms'],
    ])
  })

  test('a limit around the call is what is too long where that decides', () => {
    const scanned = scanTexts(
      `import pTimeout from 'p-timeout'
export const load = (signal: AbortSignal) => pTimeout(fetch('http://a', { signal }), { milliseconds: 2000 })`,
      { budgetMs: 800 },
    )
    expect(scanned.diagnostics.map(({ rule, values }) => [rule, values.worstMs])).toEqual([['over-budget', 2000]])
  })

  test('one cause is one finding: what has no limit, or only a long default, is said by the rules for that', () => {
    const text = `import axios from 'axios'
export const a = () => axios.get('/a')
export const b = () => fetch('http://b')
export const c = () => fetch('http://c', { signal: AbortSignal.timeout(800) })`
    expect(findingLines(scanTexts(text, { budgetMs: 800 }))).toEqual(['code.ts:2 unbounded-call', 'code.ts:3 default-bound'])
  })
})
