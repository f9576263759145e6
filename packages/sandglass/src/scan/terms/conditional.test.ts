import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test.each([
  ['a constant', 'const ms = 500', '500 total'],
  ['the default of a look-up', 'const ms = Number(process.env.T ?? 500)', '500 total'],
  ['a constant that switches it off', 'const ms = 0', '300000 silence'],
  ['a number that is never missing', 'const ms = parseInt(process.env.T) ?? 500', '300000 silence'],
  ['nothing that is known', 'const ms = Number(process.env.T)', '300000 silence'],
])('a signal under a condition that %s decides', (_, text, expected) => {
  const scanned = scanTexts(`${text}\nfetch('http://a', { signal: ms > 0 ? AbortSignal.timeout(ms) : undefined })`)
  expect(callLines(scanned)).toEqual([`2 fetch bounded ${expected}`])
})

test('the default of an option that no caller gives decides', () => {
  const scanned = scanTexts(`class Api {
  constructor(options: { timeoutMs?: number }) { this.timeoutMs = options.timeoutMs ?? 700 }
  get(url: string) {
    const signal = this.timeoutMs > 0 ? AbortSignal.timeout(this.timeoutMs) : undefined
    return fetch(url, { signal })
  }
}
export const api = new Api({})
api.get('http://a')`)
  expect(callLines(scanned)).toEqual(['5 fetch bounded 700 total'])
})
