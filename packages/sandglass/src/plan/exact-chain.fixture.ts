/** The exact-answer chain: auth, then catalog and price together, then pay, within 560 ms. */
export const EXACT_CHAIN = `
sandglass: 1
defaults: { network: 0ms, reserve: 0ms, floor: 0ms }
journeys: { buy: { promise: 560ms, starts: shop.buy } }
services:
  shop:
    operations:
      buy:
        does: write
        calls:
          - { to: auth.check }
          - parallel: [{ to: catalog.get }, { to: price.get }]
          - { to: pay.charge }
  auth: { operations: { check: { does: read, latency: { exponential: 20ms, shift: 5ms }, errors: 0.002 } } }
  catalog: { operations: { get: { does: read, latency: { exponential: 60ms, shift: 10ms }, errors: 0.01 } } }
  price: { operations: { get: { does: read, latency: { exponential: 40ms, shift: 10ms }, errors: 0.005 } } }
  pay: { operations: { charge: { does: external-effect, latency: { exponential: 100ms, shift: 30ms }, errors: 0.01 } } }
`
