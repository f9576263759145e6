import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const check = (timer: string, work: string) => `const request = require('request')
const LIMIT = 300
function check(callback) {
  let called = false
  ${timer}
  ${work}
}
module.exports = { check }`
const said = (text: string) => callLines(scanTexts(text)).map((line) => line.replace(/^\d+ \w+ /, ''))

const TIMER = 'setTimeout(() => { if (called) return; called = true; callback(false) }, LIMIT)'
const WORK = 'request(url, (error) => { if (called) return; called = true; callback(!error) })'

test('who is called back by a timer before the work gives up, and the work goes on', () => {
  expect(said(check(TIMER, WORK))).toEqual(['bounded 300 total'])
  expect(findingLines(scanTexts(check(TIMER, WORK)))).toEqual(['code.ts:6 work-not-cancelled'])
})

test.each([
  ['a condition around the call', 'setTimeout(function () { if (!called) { called = true; callback(false) } }, LIMIT)', WORK],
  ['one more condition', TIMER, 'request(url, (error) => { if (!error && !called) { called = true; callback(true) } })'],
  [
    'a timer that the work clears',
    'const timer = setTimeout(() => callback(false), LIMIT)',
    'request(url, (e) => { clearTimeout(timer); callback(!e) })',
  ],
  ['work further in', TIMER, `resolve((name) => { ${WORK} })`],
])('it is the same with %s', (_, timer, work) => {
  expect(said(check(timer, work))).toEqual(['bounded 300 total'])
})

test.each([
  ['calls something else', 'setTimeout(() => { called = true; log(false) }, LIMIT)', WORK],
  ['says nothing that the work asks', 'setTimeout(() => callback(false), LIMIT)', WORK],
  ['is only set under a condition', `if (url) { ${TIMER} }`, WORK],
  ['comes after the work', '', `${WORK}\n  ${TIMER}`],
  ['belongs to another call', TIMER, 'request(url, (error) => { if (error) log(error) })'],
  ['starts the work', '', `setTimeout(() => { if (called) return; called = true; ${WORK} }, LIMIT)`],
])('a timer that %s ends nothing', (_, timer, work) => {
  expect(said(check(timer, work))).toEqual(['unbounded'])
})
