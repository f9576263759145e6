import { describe, expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const rules = (text: string) => scanTexts(text).diagnostics.map(({ rule }) => rule)

describe('an address without a host', () => {
  test.each([
    ['a path', "export const load = () => fetch('/api/orders')"],
    ['a path with a value in it', "export const load = (id: string) => fetch('/api/orders/' + id)"],
    ['a constant', "const ORDERS = '/api/orders'\nexport const load = () => fetch(ORDERS, { method: 'POST' })"],
    ['what every caller gives', "const ask = (path: string) => fetch(path)\nexport const load = () => ask('/api/orders')"],
  ])('is asked by a page: %s', (_, text) => {
    expect(rules(text)).toEqual([])
  })

  test.each([
    ['an address', "export const load = () => fetch('http://orders/api')"],
    ['a path of a base', "export const load = () => fetch(new URL('/api/orders', process.env.ORDERS_URL))"],
    ['one of both', "const at = isLocal ? 'http://orders/' : '/orders'\nexport const load = () => fetch(at)"],
    ['an address without a scheme', "export const load = () => fetch('//orders/api')"],
    ['what begins with something unknown', "export const load = (base: string) => fetch(base + '/api/orders')"],
    ['what one caller gives', "const ask = (path: string) => fetch(path)\nexport const load = () => [ask('/a'), ask('http://orders/')]"],
  ])('is none of a page: %s', (_, text) => {
    expect(rules(text)).toEqual(['default-bound'])
  })
})
