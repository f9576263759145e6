import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

describe('cancel-only-signal', () => {
  test('the signal of a request ends a call when the client leaves, not by the clock', () => {
    const scanned = scanTexts(`export async function GET(request: Request) {
  return fetch('http://stock.internal', { signal: request.signal })
}`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 cancel-only-signal'])
    expect(scanned.diagnostics[0]?.message).toBe('this signal can only cancel: no clock ends fetch but its own default, if it has one')
  })

  test('a controller that no timer aborts is said where a short default is left, and never beside another finding', () => {
    const text = (call: string) => `import ky from 'ky'
export async function load(leaving: EventTarget) {
  const controller = new AbortController()
  leaving.addEventListener('close', () => controller.abort())
  return ${call}
}`
    expect(findingLines(scanTexts(text("ky('http://a', { signal: controller.signal })")))).toEqual(['code.ts:5 cancel-only-signal'])
    const beside = scanTexts(text("fetch('http://a', { signal: controller.signal })"))
    expect(findingLines(beside)).toEqual(['code.ts:5 default-bound'])
    expect(beside.diagnostics[0]?.related.map(({ label }) => label)).toEqual(['can only cancel: no clock aborts it'])
  })

  test.each([
    ['a limit stands beside it', 'AbortSignal.any([request.signal, AbortSignal.timeout(500)])'],
    ['nobody knows what the signal is', 'context.signal'],
  ])('nothing is said where %s', (_, signal) => {
    const scanned = scanTexts(`export async function GET(request: Request, context: { signal: AbortSignal }) {
  return fetch('http://stock.internal', { signal: ${signal} })
}`)
    expect(scanned.diagnostics).toEqual([])
  })

  test('an own type called Request is nobody’s', () => {
    const scanned = scanTexts(`interface Request { signal: AbortSignal }
export const get = (request: Request) => fetch('http://stock.internal', { signal: request.signal })`)
    expect(scanned.diagnostics).toEqual([])
  })

  test('a limit around the call is enough', () => {
    const scanned = scanTexts(`import pTimeout from 'p-timeout'
export const get = (request: Request) => pTimeout(fetch('http://a', { signal: request.signal }), { milliseconds: 500 })`)
    expect(scanned.diagnostics).toEqual([])
  })
})
