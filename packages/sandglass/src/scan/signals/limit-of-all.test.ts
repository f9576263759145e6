import { expect, test } from 'vitest'
import { limitOfAll } from './limit-of-all.js'

const none = (name: string) => ({
  state: 'none' as const,
  name,
  spot: { source: { file: 'a.ts', text: '' }, start: 0, end: 0 },
  isOff: false,
})

test.each([
  [none('abortSignal'), 'abortSignal: AbortSignal.timeout(…) in each call'],
  [none('request.signal'), 'request: { signal: AbortSignal.timeout(…) } in each call'],
  [null, 'around the call'],
])('a limit over all attempts: %#', (overall, text) => expect(limitOfAll({ overall })).toBe(text))
