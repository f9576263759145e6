import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const messages = (takes: string, callers: string) =>
  scanTexts(`const MAX = 2
export class Source {
  private async load(${takes}) {
    for (let k = 0; k < count; k++) {
      try { return await fetch(url, { signal: AbortSignal.timeout(1000) }) } catch (error) { console.log(error) }
    }
  }
  ${callers}
}`).diagnostics.map(({ message }) => message)

test('a loop that its callers say how often to run makes as many attempts as the one with the most has it', () => {
  const options = '{ url, count = MAX }'
  const all = (count: number) => [
    `each attempt gets a new 1 s: with ${count} attempts it may take ${count} s, and nothing ends them together`,
  ]
  const unknown = ['each attempt gets a new 1 s: a loop may try again, nobody can tell how often, and nothing ends them together']
  expect(messages(options, 'a(url) { return this.load({ url }) }')).toEqual(all(2))
  expect(messages(options, 'a(url) { return this.load({ url }) }\n  b(url) { return this.load({ url, count: 4 }) }')).toEqual(all(4))
  expect(messages(options, 'a(url) { return this.load({ url }) }\n  b(url, count) { return this.load({ url, count }) }')).toEqual(unknown)
  expect(messages(options, 'a(url) { return this.load({ url }) }\n  b(urls) { return urls.map(this.load) }')).toEqual(unknown)
  expect(messages(options, '')).toEqual(unknown)
  expect(messages(options, 'a(url) { return this.load({ url, count: 1 }) }')).toEqual([])
})

test('a loop that may pass over an attempt makes as many as it does where it does not', () => {
  const found = (before: string) =>
    scanTexts(`export async function load(url) {
  for (let k = 0; k < 3; k++) {
    ${before}
    try { return await fetch(url, { signal: AbortSignal.timeout(1000) }) } catch (error) { console.log(error) }
  }
}`).diagnostics.map(({ values }) => values?.['attempts'])
  expect(found('')).toEqual([3])
  expect(found('if (peersOf(k).length === 0) continue')).toEqual([3])
  expect(found('if (peersOf(k).length === 0) { console.log(k); continue }')).toEqual([3])
})
