import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('what is assigned to a member of an object after it was written counts; under a condition it may be there', () => {
  const scanned = scanTexts(`export function a(url: string) {
  const options: RequestInit = { method: 'GET' }
  options.signal = AbortSignal.timeout(500)
  return fetch(url, options)
}
export function b(url: string, isShort: boolean) {
  const options: RequestInit = { method: 'GET' }
  if (isShort) options.signal = AbortSignal.timeout(500)
  return fetch(url, options)
}
export function c(url: string, body?: object) {
  const options: RequestInit = { method: 'GET' }
  if (body) { options.method = 'POST'; options.body = JSON.stringify(body) }
  return fetch(url, options)
}
export function d(url: string, name: string, value: unknown) {
  const options: Record<string, unknown> = { method: 'GET' }
  options[name] = value
  return fetch(url, options)
}`)
  expect(callLines(scanned)).toEqual([
    '4 fetch bounded 500 total',
    '9 fetch unknown',
    '14 fetch bounded 300000 silence',
    '19 fetch unknown',
  ])
})
