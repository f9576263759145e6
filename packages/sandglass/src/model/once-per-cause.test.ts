import { expect, test } from 'vitest'
import type { Diagnostic } from './diagnostic.js'
import { oncePerCause } from './once-per-cause.js'

const spot = { source: { file: 'Shop.java', text: 'call(stock)' }, start: 5, end: 10 }
const finding = (path: readonly string[], rule = 'missing-timeout') => ({ rule, severity: 'error', spot, path }) as unknown as Diagnostic

test('one call that may lead to several operations of a service is one cause, and calls of two services are two', () => {
  const all = [
    finding(['shop.request', 'stock.count']),
    finding(['shop.request', 'stock.reserve']),
    finding(['shop.request', 'mail.send']),
    finding(['desk.request', 'stock.count']),
    finding(['shop.request', 'stock.count'], 'retry-dead'),
  ]
  expect(oncePerCause(all)).toEqual([all[0], all[2], all[3], all[4]])
})

test('one call that asks one of several servers is one cause, and two calls with one setting are two', () => {
  const at = (start: number) => ({ ...spot, start })
  const all = [
    { ...finding(['front.request', 'stock-1.count']), callSpot: at(1) },
    { ...finding(['front.request', 'stock-2.count']), callSpot: at(1) },
    { ...finding(['front.request', 'mail.send']), callSpot: at(2) },
  ]
  expect(oncePerCause(all)).toEqual([all[0], all[2]])
})
