import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const load = { 'code.ts': 'export const load = (u: string) => fetch(u)' }

describe('default-bound', () => {
  test('the default of the installed version is told as a number', () => {
    const [now] = scanTexts({ files: load, versions: { node: '20.20.2' } }).diagnostics
    expect([now?.rule, now?.severity, now?.values.ms]).toEqual(['default-bound', 'warning', 300_000])
    expect(now?.message).toContain('300 s for the headers')
    const [before] = scanTexts({ files: load, versions: { node: '18.14.1' } }).diagnostics
    expect(before?.message).toContain('30 s for the headers')
  })

  test.each([
    ['a default shorter than 15 s', "import ky from 'ky'\nexport const f = (u: string) => ky(u)"],
    ['a limit that is written', 'export const f = (u: string) => fetch(u, { signal: AbortSignal.timeout(500) })'],
    [
      'a limit around the call',
      "import pTimeout from 'p-timeout'\nexport const f = (u: string) => pTimeout(fetch(u), { milliseconds: 500 })",
    ],
  ])('%s is not reported', (_, text) => {
    expect(findingLines(scanTexts(text)).filter((line) => line.endsWith('default-bound'))).toEqual([])
  })

  test('signals that are gathered in a list may well have a limit among them', () => {
    const combine = `const combine = (signals: AbortSignal[]) => {
  if (signals.length === 0) return undefined
  if (signals.length === 1) return signals[0]
  return AbortSignal.any(signals)
}`
    const gathering = (gather: string) => `${combine}
export const load = (u: string, options: { signal?: AbortSignal; timeout?: number }) => {
  const signals: AbortSignal[] = []
  ${gather}
  return fetch(u, { signal: combine(signals) })
}`
    const withTimer = `if (options.timeout) {
    const limit = new AbortController()
    setTimeout(() => limit.abort(), options.timeout)
    signals.push(limit.signal)
  }`
    expect(findingLines(scanTexts(gathering(withTimer)))).toEqual([])
    expect(findingLines(scanTexts(gathering('')))).toEqual(['code.ts:9 default-bound'])
  })

  test('a limit that is written into a list holds whatever else is put in', () => {
    const { calls } = scanTexts(`export const load = (u: string, parent?: AbortSignal) => {
  const signals = [AbortSignal.timeout(500)]
  if (parent) signals.push(parent)
  return fetch(u, { signal: AbortSignal.any(signals) })
}`)
    expect(calls.map(({ outcome }) => outcome)).toEqual([{ state: 'bounded', ms: 500, kind: 'total' }])
  })
})
