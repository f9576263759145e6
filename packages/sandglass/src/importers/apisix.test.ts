import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { importSources } from './import-sources.js'

const read = (text: string) => {
  const imported = importSources([{ file: 'apisix.yaml', text }])
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    calls: chain.calls,
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    dead: imported.file.deadSettings ?? [],
  }
}

const APISIX = `routes:
- { name: cart, uri: "/cart/*", upstream_id: 1, timeout: { connect: 0.5, send: 1, read: 2 } }
- { id: stock, uri: /stock, service_id: s }
- { id: odd, uri: /odd, upstream: { nodes: [{ host: odd, port: 80, weight: 1 }], retries: 2, retry_timeout: 3, timeout: { read: 60s } } }
services:
- { id: s, upstream: { name: stock, timeout: { read: 9 }, nodes: { "stock1:80": 1, "stock2:80": 1, "stock3:80": 0 } } }
upstreams:
- { id: 1, nodes: { "cart:8080": 1 }, timeout: { connect: 9, send: 9, read: 9 } }
#END
`

describe('apisix', () => {
  it('counts seconds, and lets a route’s timeouts replace its upstream’s as a whole', () => {
    const { calls, edges } = read(APISIX)
    expect(edges).toEqual(['apisix.cart -> cart.request', 'apisix.stock -> stock.request', 'apisix.odd -> odd.request'])
    expect(calls[0]).toMatchObject({
      connectMs: { value: 500 },
      writeMs: { value: 1000 },
      silenceMs: { value: 2000 },
      attempts: { value: 1 },
    })
    expect(calls[1]).toMatchObject({
      connectMs: { value: 60_000, origin: { kind: 'default', product: 'nginx' } },
      silenceMs: { value: 9000 },
    })
  })

  it('tries each node once unless it is told, those of no weight never', () => {
    const { calls } = read(APISIX)
    expect(calls[1]?.attempts).toMatchObject({ value: 2, origin: { kind: 'default' } })
    expect(calls[2]).toMatchObject({ attempts: { value: 3 }, retryStartWithinMs: { value: 3000 } })
  })

  it('refuses a unit', () => {
    expect(read(APISIX).dead).toMatchObject([{ setting: 'timeout.read', written: '60s', effective: '60 s, the default of nginx' }])
  })

  it('reads any text without an error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('routes:\n', '- ', 'uri: /x', '\n', '  ', 'upstream:', 'nodes:', '{', '}', '[', ']', ':', '#END\n'), {
          maxLength: 40,
        }),
        (words) => {
          expect(importSources([{ file: 'apisix.yaml', text: `routes:\n${words.join('')}` }]).file.problems).toEqual([])
        },
      ),
    )
  })
})
