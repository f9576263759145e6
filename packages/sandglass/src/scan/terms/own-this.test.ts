import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a function that is put on `this` has the same `this` inside', () => {
  const scanned = scanTexts(`import * as request from 'request'
class Mail {
  request = request
  start(kind) {
    if (kind === 'http') this.send = async function (to) { return new Promise((done) => { this.request({ url: 'http://a', to }, done) }) }
    run(function () { this.request({ url: 'http://b' }) })
  }
}`)
  expect(callLines(scanned)).toEqual(['5 request unbounded'])
})
