import { describe, expect, it } from 'vitest'
import { toLabSize } from './lab-size.js'
import { plainChain } from './plain-chain.js'

const chain = plainChain(`
sandglass: 1
journeys: { buy: { promise: 3s, starts: app.buy, rate: 1000/s } }
services:
  app: { kind: client, operations: { buy: { calls: [{ to: shop.buy, timeout: 3s }] } } }
  shop:
    concurrency: 200
    instances: 20
    queue: { limit: 100 }
    operations: { buy: { calls: [{ to: db.read, timeout: 300ms, bulkhead: 5, network: 7ms }] } }
  db: { kind: database, concurrency: 3, operations: { read: { does: read, latency: { p50: 1ms, p99: 9ms } } } }
scenarios:
  bad: { load: { buy: [{ at: 0s, rate: 500/s }, { at: 40s, rate: 1000/s }] }, duration: 100s, warmup: 10s, faults: [{ on: db.read, at: 40s, for: 20s, latency: x20 }] }
`)
const small = toLabSize(chain, 'bad', { ratePerS: 50, durationMs: 10_000, networkMs: 1.5 })

describe('a chain at the size of the lab', () => {
  it('has one instance of each service, with the slots that so much of the load has in the chain', () => {
    expect(small.services['shop']).toMatchObject({ instances: 1, concurrency: 200, queue: { limit: 100 } })
    expect(small.services['shop']?.operations['buy']?.calls).toMatchObject([{ bulkhead: 5 }])
  })

  it('has at least one slot of everything', () => {
    expect(small.services['db']).toMatchObject({ concurrency: 1 })
  })

  it('keeps limits and latencies, and takes the network from the machine', () => {
    expect(small.services['shop']?.operations['buy']?.calls).toMatchObject([{ timeout: '300ms' }])
    expect(small.services['shop']?.operations['buy']?.calls?.[0]).not.toHaveProperty('network')
    expect(small.defaults).toMatchObject({ network: '1.5ms' })
  })

  it('shrinks the scenario in time and in rate', () => {
    expect(small.scenarios?.['lab']).toEqual({
      load: {
        buy: [
          { at: '0ms', rate: '25/s' },
          { at: '4000ms', rate: '50/s' },
        ],
      },
      duration: '10000ms',
      warmup: '1000ms',
      faults: [{ on: 'db.read', at: '4000ms', for: '2000ms', latency: 'x20' }],
    })
  })

  it('leaves the example as it is', () => {
    expect(chain.services['shop']).toMatchObject({ instances: 20 })
  })
})
