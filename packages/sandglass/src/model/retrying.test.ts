import { expect, test } from 'vitest'
import { isByItself, isOwnReconnecting, isReconnecting } from './retrying.js'
import { byDefault, declared } from './sourced.js'

const spot = { source: { file: 'haproxy.cfg', text: 'server a a:80' }, start: 0, end: 6 }

test('connecting again is nobody’s retry where the product does it by itself, and somebody’s where it is written', () => {
  const byItself = byDefault(4, spot, 'haproxy', '2.6')
  expect(isOwnReconnecting({ attempts: byItself, retryOn: byDefault(['connect'], spot) })).toBe(true)
  expect(isOwnReconnecting({ attempts: declared(6, spot), retryOn: byDefault(['connect'], spot) })).toBe(false)
  expect(isOwnReconnecting({ attempts: byItself, retryOn: declared(['connect', 'timeout'], spot) })).toBe(false)
  expect(isOwnReconnecting({ attempts: byItself })).toBe(false)
})

test('tries are a product’s own where nobody wrote how many, whatever they repeat', () => {
  expect(isByItself({ attempts: byDefault(3, spot, 'dubbo', null) })).toBe(true)
  expect(isByItself({ attempts: declared(3, spot) })).toBe(false)
})

test('connecting again reaches the callee once, whoever wrote it; all else may reach it twice', () => {
  expect(isReconnecting({ retryOn: declared(['connect'], spot) })).toBe(true)
  expect(isReconnecting({ retryOn: declared(['connect', '503'], spot) })).toBe(false)
  expect(isReconnecting({})).toBe(false)
})
