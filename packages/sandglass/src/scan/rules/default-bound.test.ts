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
})
