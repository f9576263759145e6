import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a timer aborts a controller by a function or a bound method; an unbound one throws in the timer', () => {
  const scanned =
    scanTexts(`export const a = () => { const c = new AbortController(); setTimeout(() => c.abort(), 100); return fetch('a', { signal: c.signal }) }
export const b = () => { const c = new AbortController(); setTimeout(c.abort.bind(c), 200); return fetch('b', { signal: c.signal }) }
export const d = () => { const c = new AbortController(); setTimeout(c.abort, 300); return fetch('d', { signal: c.signal }) }
export const e = () => { const c = new AbortController(); setTimeout(() => c.abort, 400); return fetch('e', { signal: c.signal }) }`)
  expect(callLines(scanned)).toEqual([
    '1 fetch bounded 100 total',
    '2 fetch bounded 200 total',
    '3 fetch bounded 300000 silence',
    '4 fetch bounded 300000 silence',
  ])
})

const WRAPPER = `export async function fetchJson(url: string, init: { timeoutMs?: number } = {}) {
  const { timeoutMs = 5000, ...rest } = init
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    return await (await fetch(url, { ...rest, signal: controller.signal })).json()
  } finally { clearTimeout(timer) }
}
`

test('the time of a timer beside a controller is the one that a caller gives', () => {
  const called = (...calls: string[]) => callLines(scanTexts(WRAPPER + calls.map((call) => `await ${call}`).join('\n')))
  expect(called("fetchJson('a', { timeoutMs: 1500 })")).toEqual(['6 fetch bounded 1500 total'])
  expect(called("fetchJson('a')")).toEqual(['6 fetch bounded 5000 total'])
  expect(called("fetchJson('a', { timeoutMs: 1500 })", "fetchJson('b', { timeoutMs: 900 })")).toEqual(['6 fetch bounded 1500 total'])
})

test('a body that is read in the expression of the call is read before the timer is cleared', () => {
  const read = (lines: string) =>
    callLines(
      scanTexts(`export async function a() {
  const c = new AbortController()
  const timer = setTimeout(() => c.abort(), 700)
  ${lines}
}`),
    )
  expect(read("try { return await (await fetch('a', { signal: c.signal })).json() } finally { clearTimeout(timer) }")).toEqual([
    '4 fetch bounded 700 total',
  ])
  expect(read("const r = await fetch('a', { signal: c.signal }); clearTimeout(timer); return await r.json()")).toEqual([
    '4 fetch bounded 700 headers',
  ])
})
