import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkChain } from '../model/link.js'
import { importSources } from './import-sources.js'

const read = (text: string) => {
  const imported = importSources([{ file: 'kong.yml', text }])
  const { chain, problems } = linkChain([imported.file])
  expect(problems).toEqual([])
  return {
    calls: chain.calls,
    edges: chain.calls.map(({ from, to }) => `${from.id} -> ${to.value}`),
    dead: imported.file.deadSettings ?? [],
  }
}

const KONG = `_format_version: "3.0"
services:
- name: orders
  host: orders-upstream
  port: 80
  read_timeout: 5000
  retries: 2
  routes: [{ paths: [/orders, /orders/v2] }]
  plugins: [{ name: upstream-timeout, config: { read_timeout: 1500 } }]
- { name: plain, url: "http://plain:8080/base" }
- { name: odd, url: "http://odd", read_timeout: 60s, retries: 0 }
upstreams:
- { name: orders-upstream, targets: [{ target: "orders:8000" }, { target: "orders:8000" }] }
`

describe('kong', () => {
  it('counts milliseconds, adds the first try, and lets the plugin win', () => {
    const { calls, edges } = read(KONG)
    expect(edges).toEqual([
      'kong.orders/orders -> orders.request',
      'kong.orders/orders/v2 -> orders.request',
      'kong.plain -> plain.request',
      'kong.odd -> odd.request',
    ])
    expect(calls[0]).toMatchObject({
      connectMs: { value: 60_000 },
      writeMs: { value: 60_000 },
      silenceMs: { value: 1500 },
      attempts: { value: 3 },
    })
  })

  it('makes six tries of 60 s each where nothing is set, and one where there are no retries', () => {
    const { calls } = read(KONG)
    expect(calls[2]).toMatchObject({ silenceMs: { value: 60_000, origin: { kind: 'default', product: 'kong' } }, attempts: { value: 6 } })
    expect(calls[3]?.attempts.value).toBe(1)
  })

  it('refuses a unit', () => {
    expect(read(KONG).dead).toMatchObject([{ setting: 'read_timeout', written: '60s', effective: '60 s, the default of kong' }])
  })

  it('reads any text without an error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('services:', '- ', 'name: x', '\n', '  ', 'url: http://a', 'routes:', '{', '}', '[', ']', ':'), {
          maxLength: 40,
        }),
        (words) => {
          expect(importSources([{ file: 'k.yml', text: `_format_version: "3.0"\n${words.join('')}` }]).file.problems).toEqual([])
        },
      ),
    )
  })
})
