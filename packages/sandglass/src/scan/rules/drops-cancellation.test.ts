import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const found = (text: string) => scanTexts(text).diagnostics.filter(({ rule }) => rule === 'drops-cancellation')

describe('drops-cancellation', () => {
  test('C017: the limit after the spread drops what the caller brings, which is an info', () => {
    const [finding, ...others] = found(
      'export const f2 = (u: string, init: RequestInit = {}) => fetch(u, { ...init, signal: AbortSignal.timeout(300) });',
    )
    expect(others).toEqual([])
    expect([finding?.severity, finding?.values.ms]).toEqual(['info', 300])
    expect(finding?.message).toContain("drops the caller's cancellation")
  })

  test('without a type it is said only where a caller brings a signal', () => {
    const text = 'export const get = (u, init = {}) => fetch(u, { ...init, signal: AbortSignal.timeout(300) })'
    expect(found(text)).toEqual([])
    expect(found(`${text}\nexport const load = (u, signal) => get(u, { signal })`)).toHaveLength(1)
  })

  test('nothing is said where every caller is seen, and none hands a signal in', () => {
    const text = `const get = (u: string, init: RequestInit = {}) => fetch(u, { ...init, signal: AbortSignal.timeout(300) })
export const list = () => get('http://a/')
export const add = (body: string) => get('http://a/', { method: 'POST', body })`
    expect(found(text)).toEqual([])
    expect(found(`${text}\nexport const load = (init: RequestInit) => get('http://b/', init)`)).toHaveLength(1)
    expect(found(`${text}\nexport const stop = (signal: AbortSignal) => get('http://b/', { signal })`)).toHaveLength(1)
  })

  test.each([
    ['both count', 'fetch(u, { ...init, signal: AbortSignal.any([init.signal, AbortSignal.timeout(300)]) })'],
    ['nothing is handed on', 'fetch(u, { signal: AbortSignal.timeout(300) })'],
    ['an own constant is spread', 'fetch(u, { ...JSON_HEADERS, signal: AbortSignal.timeout(300) })'],
  ])('nothing is said where %s', (_, call) => {
    expect(found(`const JSON_HEADERS = { headers: {} }\nexport const get = (u: string, init: RequestInit) => ${call}`)).toEqual([])
  })

  test('a signal that the wrapper listens to is not dropped', () => {
    const text = (listen: string) => `export async function get(u: string, init: RequestInit, outer?: AbortSignal) {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(), 300)
  ${listen}
  try { return await fetch(u, { ...init, signal: own.signal }) } finally { clearTimeout(timer) }
}`
    expect(found(text(''))).toHaveLength(1)
    expect(found(text("outer?.addEventListener('abort', () => own.abort(), { once: true })"))).toEqual([])
  })
})
