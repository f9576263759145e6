import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const HEAD = `import { Duration, Effect, pipe } from 'effect'\nimport { withTimeout } from './with.js'\n`

test.each([
  [`Effect.tryPromise(() => fetch('http://a')).pipe(Effect.timeout(500))`, 'bounded 500 total'],
  [`Effect.tryPromise(() => fetch('http://a')).pipe(Effect.timeout('5 seconds'))`, 'bounded 5000 total'],
  [`Effect.timeout(Effect.tryPromise(() => fetch('http://a')), Duration.seconds(2))`, 'bounded 2000 total'],
  [
    `pipe(Effect.tryPromise(() => fetch('http://a')), Effect.timeoutFail({ duration: '1 minute', onTimeout: () => 1 }))`,
    'bounded 60000 total',
  ],
  [
    `Effect.gen(function* () { const res = yield* Effect.tryPromise(() => fetch('http://a')); return res }).pipe(Effect.timeout(ms))`,
    'unknown',
  ],
  [`Effect.gen(function* () { yield* Effect.tryPromise(() => fetch('http://a')) }).pipe(withTimeout('a'))`, 'unknown'],
  [`Effect.tryPromise(() => fetch('http://a')).pipe(Effect.map((a) => a))`, 'bounded 300000 silence'],
])('%s', (text, expected) => {
  expect(callLines(scanTexts(`${HEAD}export const load = (ms: number) => ${text}`))).toEqual([`3 fetch ${expected}`])
})
