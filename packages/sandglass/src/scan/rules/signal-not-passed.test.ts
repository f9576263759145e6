import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const found = (body: string) =>
  scanTexts(`export async function load(u: string, track: (x: unknown) => void) { ${body} }`).diagnostics.filter(
    ({ rule }) => rule === 'signal-not-passed',
  )

describe('signal-not-passed', () => {
  test.each([
    [
      'a controller that is only aborted',
      'const controller = new AbortController(); const t = setTimeout(() => controller.abort(), 500); const r = await fetch(u); clearTimeout(t); return r',
      'nothing gets the signal of this controller: to abort it ends nothing',
    ],
    [
      'a controller that nobody looks at',
      'const controller = new AbortController(); return fetch(u)',
      'nothing gets the signal of this controller: to abort it ends nothing',
    ],
    [
      'a timed signal that nobody looks at',
      'const signal = AbortSignal.timeout(500); return fetch(u)',
      'nothing gets this signal: when its time is up, nothing ends',
    ],
    [
      'a timed signal that is dropped',
      'AbortSignal.timeout(500); return fetch(u)',
      'nothing gets this signal: when its time is up, nothing ends',
    ],
  ])('%s is reported', (_, body, message) => {
    expect(found(body).map((each) => each.message)).toEqual([message])
  })

  test.each([
    ['passed by its member', 'const controller = new AbortController(); return fetch(u, { signal: controller.signal })'],
    ['taken apart', 'const { signal } = new AbortController(); return fetch(u, { signal })'],
    ['handed on whole', 'const controller = new AbortController(); track(controller); return fetch(u)'],
    ['kept in an object', 'const controller = new AbortController(); track({ controller }); return fetch(u)'],
    [
      'asked by a loop',
      'const controller = new AbortController(); setTimeout(() => controller.abort(), 500); while (!controller.signal.aborted) { await fetch(u) }',
    ],
    ['returned', 'return AbortSignal.timeout(500)'],
    ['given at once', 'return fetch(u, { signal: AbortSignal.timeout(500) })'],
    ['given by its short name', 'const signal = AbortSignal.timeout(500); return fetch(u, { signal })'],
  ])('one that is %s is not reported', (_, body) => {
    expect(found(body)).toEqual([])
  })
})
