import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const asking = (around: string) => `import https from 'node:https'
export const load = (url, retries = 3) => new Promise((yes, no) => {
  ${around}
})`

test.each([
  `const request = https.request(url, (answer) => yes(answer)); request.on('error', (e) => { if (retries > 0) setTimeout(() => yes(load(url, retries - 1)), 500); else no(e) })`,
  `https.request(url, (answer) => { answer.on('end', yes); answer.on('error', () => { setTimeout(() => yes(load(url, retries - 1)), 500) }) })`,
])('the pause before another attempt ends nothing, and is no timer of a race: %s', (text) => {
  expect(findingLines(scanTexts(asking(text)))).toEqual(['code.ts:3 unbounded-call'])
})

test('a timer that an event arms beside the work ends it', () => {
  const text = "process.once('ready', () => { setTimeout(no, 500); fetch(url).then(yes) })"
  expect(findingLines(scanTexts(asking(text)))).toContain('code.ts:3 work-not-cancelled')
})
