import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const C017 = `export const f1 = (u: string, init: RequestInit = {}) => fetch(u, { signal: AbortSignal.timeout(300), ...init });
export const f2 = (u: string, init: RequestInit = {}) => fetch(u, { ...init, signal: AbortSignal.timeout(300) });
export const f3 = (u: string, init: RequestInit = {}) => fetch(u, { ...init, signal: init.signal ?? AbortSignal.timeout(300) });
export const f4 = (u: string, init: RequestInit = {}) => fetch(u, { ...init,
  signal: init.signal ? AbortSignal.any([init.signal, AbortSignal.timeout(300)]) : AbortSignal.timeout(300) });`

describe('replaceable-limit', () => {
  test('C017: a spread after it and a fallback let a caller replace the limit; what comes last only drops the cancellation; both together are clean', () => {
    const scanned = scanTexts(C017)
    expect(findingLines(scanned)).toEqual(['code.ts:1 replaceable-limit', 'code.ts:2 drops-cancellation', 'code.ts:3 replaceable-limit'])
    expect(scanned.diagnostics.map(({ severity }) => severity).toSorted()).toEqual(['info', 'warning', 'warning'])
    expect(callLines(scanned)).toContain('2 fetch bounded 300 total')
    expect(callLines(scanned)).toContain('4 fetch bounded 300 total')
    expect(scanned.diagnostics[0]?.message).toBe(
      'the limit of 300 ms holds only as long as no caller brings a signal: what is spread after it takes its place',
    )
  })

  test('C017: where a caller passes a signal that only cancels, the error is there, and nowhere else', () => {
    const scanned = scanTexts({
      files: {
        'http.ts': C017,
        'user.ts': `import { f1, f2, f3, f4 } from './http.js'
export async function load(u: string, leaving: EventTarget) {
  const controller = new AbortController()
  leaving.addEventListener('close', () => controller.abort())
  await f1(u, { signal: controller.signal })
  await f3(u, { signal: controller.signal })
  await f4(u, { signal: controller.signal })
}`,
      },
    })
    expect(findingLines(scanned)).toEqual(['http.ts:2 drops-cancellation', 'user.ts:5 replaceable-limit', 'user.ts:6 replaceable-limit'])
    const errors = scanned.diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ message }) => message)).toEqual(
      Array(2).fill('this signal can only cancel, and takes the place of the limit of 300 ms: nothing ends fetch by the clock'),
    )
  })

  test('a limit that is only known at run time is replaced all the same, also through a method', () => {
    const scanned = scanTexts(`export class Gateway {
  constructor(private options: { timeoutMs: number }) {}
  private signal(options?: { signal?: AbortSignal }) { return options?.signal ?? AbortSignal.timeout(this.options.timeoutMs) }
  async post(path: string, options?: { signal?: AbortSignal }) {
    return fetch(path, { method: 'POST', signal: this.signal(options) })
  }
  async remove(path: string, options?: { signal?: AbortSignal }) {
    return fetch(path, { method: 'DELETE', signal: this.signal(options) })
  }
}`)
    // The signal is made once, so that it is one cause.
    expect(findingLines(scanned)).toEqual(['code.ts:5 replaceable-limit'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'the limit holds only as long as no caller brings a signal: a signal that is handed in takes its place',
    )
  })

  test.each([
    ['a condition', 'fetch(u, { ...init, signal: init.signal ? init.signal : AbortSignal.timeout(300) })'],
    ['Object.assign', 'fetch(u, Object.assign({ signal: AbortSignal.timeout(300) }, init))'],
    ['a variable', 'send(u, init)'],
  ])('%s replaces it as well', (_, call) => {
    const { diagnostics } = scanTexts(`function send(u: string, init: RequestInit) {
  const options = { signal: AbortSignal.timeout(300), ...init }
  return fetch(u, options)
}
export const get = (u: string, init: RequestInit) => ${call}`)
    expect(new Set(diagnostics.map(({ rule }) => rule))).toEqual(new Set(['replaceable-limit']))
  })

  test('callers that bring no signal, or another limit, leave nothing to say', () => {
    const scanned = scanTexts(`const get = (u: string, init: RequestInit = {}) => fetch(u, { signal: AbortSignal.timeout(300), ...init })
export const a = () => get('http://a')
export const b = () => get('http://b', { method: 'POST' })
export const c = () => get('http://c', { signal: AbortSignal.timeout(900) })`)
    expect(scanned.diagnostics).toEqual([])
  })
})
