import { expect, test } from 'vitest'
import { isOwnReconnecting } from './retrying.js'
import { byDefault, declared } from './sourced.js'

const spot = { source: { file: 'haproxy.cfg', text: 'server a a:80' }, start: 0, end: 6 }

test('connecting again is nobody’s retry where the product does it by itself, and somebody’s where it is written', () => {
  const byItself = byDefault(4, spot, 'haproxy', '2.6')
  expect(isOwnReconnecting({ attempts: byItself, retryOn: byDefault(['connect'], spot) })).toBe(true)
  expect(isOwnReconnecting({ attempts: declared(6, spot), retryOn: byDefault(['connect'], spot) })).toBe(false)
  expect(isOwnReconnecting({ attempts: byItself, retryOn: declared(['connect', 'timeout'], spot) })).toBe(false)
  expect(isOwnReconnecting({ attempts: byItself })).toBe(false)
})
