import { describe, expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'
import { mistakenLimit } from './mistaken-limit.js'

const found = (options: string) =>
  scanTexts(`import { createClient } from 'redis'
const client = createClient(${options})
export const load = (key: string) => client.get(key)`).diagnostics.filter(({ rule }) => rule === mistakenLimit.id)

describe('mistaken-limit', () => {
  test('what a model says of a setting that limits something else is passed on', () => {
    expect(found('{ commandOptions: { timeout: 300 } }').map(({ severity, values }) => [severity, values.commandTimeoutMs])).toEqual([
      ['warning', 300],
    ])
  })

  test('nothing is said where the setting is not there', () => {
    expect(found('{ socket: { socketTimeout: 300 } }')).toEqual([])
  })

  test.each([
    [
      'a signal',
      'fetch(u, { signal: AbortSignal.timeout(3e9) })',
      'AbortSignal.timeout of 3000000 s is more than a timer can hold: it ends at once',
    ],
    [
      'one that is refused',
      'fetch(u, { signal: AbortSignal.timeout(2 ** 32) })',
      'AbortSignal.timeout of 4294967.296 s is more than a timer can hold: it throws a RangeError',
    ],
    [
      'Infinity',
      'fetch(u, { signal: AbortSignal.timeout(Infinity) })',
      'AbortSignal.timeout of Infinity is more than a timer can hold: it throws a RangeError',
    ],
    [
      'a controller',
      '{ const c = new AbortController(); setTimeout(() => c.abort(), 3e9); return fetch(u, { signal: c.signal }) }',
      'setTimeout of 3000000 s is more than a timer can hold: it ends at once',
    ],
    [
      'a race',
      'Promise.race([fetch(u), new Promise((_, reject) => setTimeout(() => reject(new Error()), 3e9))])',
      'setTimeout of 3000000 s is more than a timer can hold: it ends at once',
    ],
  ])('a limit that no timer holds ends at once, and bounds nothing that is known: %s', (_, body, message) => {
    const scanned = scanTexts(`export const load = (u: string) => ${body}`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === mistakenLimit.id).map((each) => each.message)).toEqual([message])
    expect(callLines(scanned)).toEqual(['1 fetch unknown'])
  })

  test.each(['fetch(u, { signal: AbortSignal.timeout(2 ** 31 - 1) })', 'setTimeout(() => tick(u), 3e9)'])(
    'nothing is said of %s',
    (body) => {
      const { diagnostics } = scanTexts(`export const load = (u: string) => ${body}`)
      expect(diagnostics.filter(({ rule }) => rule === mistakenLimit.id)).toEqual([])
    },
  )

  test.each(['axios', 'got'])('%s keeps its limit by a timer: one that is longer bounds nothing', (library) => {
    const options = library === 'got' ? '{ timeout: { request: 3e9 } }' : '{ timeout: 3e9 }'
    expect(callLines(scanTexts(`import it from '${library}'; export const load = (u: string) => it.get(u, ${options})`))).toEqual([
      `1 ${library} unknown`,
    ])
  })
})
