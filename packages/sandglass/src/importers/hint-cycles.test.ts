import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

describe('withoutHintCycles', () => {
  it('takes no call from addresses that all services are given, where they would lead back', () => {
    const { edges, notes } = imported({
      '.env': 'SHOP_URL=http://shop:80\nSTOCK_URL=http://stock:80\nMAIL_URL=http://mail:25\n',
      'compose.yaml': `services:
  shop:
    image: acme/shop
    env_file: .env
  stock:
    image: acme/stock
    env_file: .env
  keep:
    image: valkey:8
    env_file: .env
  mail:
    image: acme/mail
`,
    })
    expect(edges).toEqual(['shop.request -> mail.request', 'stock.request -> mail.request'])
    expect(notes).toContainEqual(
      'unknown: shop is given the address of stock, and the way leads back: who calls whom is not told, so that call is not in the chain',
    )
  })

  it('keeps an address that leads nowhere back', () => {
    const compose = `services:
  shop:
    image: acme/shop
    environment: { STOCK_URL: "http://stock:80" }
  stock:
    image: acme/stock
    environment: { SHELF_URL: "http://shelf:80" }
  shelf:
    image: acme/shelf
`
    expect(imported({ 'compose.yaml': compose }).edges).toEqual(['shop.request -> stock.request', 'stock.request -> shelf.request'])
  })
})
