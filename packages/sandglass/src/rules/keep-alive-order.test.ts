import { describe, expect, test } from 'vitest'
import { keepAliveOrder } from './keep-alive-order.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const three = (nginxIdle = '120s', nodeIdle = '5s'): string => `services:
  lb: { kind: edge, keepAlive: { upstreamIdle: 600s }, operations: { any: { calls: [{ to: nginx.any, timeout: 10s }] } } }
  nginx: { kind: proxy, keepAlive: { idle: ${nginxIdle}, upstreamIdle: 120s }, operations: { any: { calls: [{ to: node.any, timeout: 9s }] } } }
  node: { keepAlive: { idle: ${nodeIdle} }, operations: { any: { does: read } } }
`

const two = (caller: string, server: string): string => `services:
  a: { keepAlive: { ${caller} }, operations: { x: { calls: [{ to: b.y }, { to: b.z }] } } }
  b: { ${server}operations: { y: { does: read }, z: { does: read } } }
`

describe('keep-alive-order', () => {
  test('reports both places where the server closes first, with both numbers and the fix', () => {
    const found = findings(keepAliveOrder, three())
    expect(found.map(({ severity, values }) => ({ severity, ...values }))).toEqual([
      { severity: 'error', idleMs: 120_000, upstreamIdleMs: 600_000 },
      { severity: 'error', idleMs: 5000, upstreamIdleMs: 120_000 },
    ])
    expect(found.map(({ message }) => message)).toEqual([
      'nginx closes idle connections after 2m, but lb keeps and reuses them for 10m',
      'node closes idle connections after 5 s, but nginx keeps and reuses them for 2m',
    ])
    expect(found.map(({ suggestion }) => suggestion?.text)).toEqual([
      'idle of nginx 2m -> more than 10m, or upstreamIdle 10m -> less than 2m',
      'idle of node 5 s -> more than 2m, or upstreamIdle 2m -> less than 5 s',
    ])
    expect(found.map(({ path }) => path)).toEqual([
      ['lb.any', 'nginx.any'],
      ['lb.any', 'nginx.any', 'node.any'],
    ])
  })

  test('is silent in the right order, and reports equal times', () => {
    expect(findings(keepAliveOrder, three('601s', '121s'))).toEqual([])
    expect(findings(keepAliveOrder, three('600s', '121s'))).toHaveLength(1)
  })

  test('reports two services once, however many calls there are between them', () => {
    const found = onlyFinding(keepAliveOrder, two('upstreamIdle: 60s', 'keepAlive: { idle: 5s }, '))
    expect(underlined(found.spot)).toBe('5s')
    expect(factorLines(found)).toEqual(['b keepAlive.idle = 5000 (declared)', 'a keepAlive.upstreamIdle = 60000 (declared)'])
  })

  test('reports a caller that keeps connections for ever, and accepts a server that does', () => {
    expect(onlyFinding(keepAliveOrder, two('upstreamIdle: none', 'keepAlive: { idle: 5s }, ')).message).toContain(
      'a keeps and reuses them for ever',
    )
    expect(findings(keepAliveOrder, two('upstreamIdle: 60s', 'keepAlive: { idle: none }, '))).toEqual([])
  })

  test('takes what a call says of its own connections before what its service says', () => {
    const text = two('upstreamIdle: 60s', 'keepAlive: { idle: 30s }, ')
    expect(findings(keepAliveOrder, text.replaceAll(/(b\.[yz])/g, '$1, keepAlive: 29s'))).toEqual([])
    const found = onlyFinding(keepAliveOrder, text.replace('b.y', 'b.y, keepAlive: 29s').replace('b.z', 'b.z, keepAlive: 45s'))
    expect(found.arithmetic).toBe('b idle 30 s <= a keepAlive 45 s')
    expect(found.suggestion?.text).toBe('idle of b 30 s -> more than 45 s, or keepAlive 45 s -> less than 30 s')
    expect(factorLines(found)).toEqual(['b keepAlive.idle = 30000 (declared)', 'a keepAlive = 45000 (declared)'])
  })

  test('takes the idle limit of a database where the service says nothing', () => {
    const text = two('upstreamIdle: 60s', '').replace('y: { does: read }', 'y: { does: read, limits: { idle: 30s } }')
    expect(onlyFinding(keepAliveOrder, text).values).toEqual({ idleMs: 30_000, upstreamIdleMs: 60_000 })
  })

  test('invents no default, and is silent where a part is unknown', () => {
    expect(findings(keepAliveOrder, two('idle: 5s', 'keepAlive: { idle: 5s }, '))).toEqual([])
    expect(findings(keepAliveOrder, two('upstreamIdle: 60s', ''))).toEqual([])
    expect(findings(keepAliveOrder, two('upstreamIdle: unknown', 'keepAlive: { idle: 5s }, '))).toEqual([])
    expect(findings(keepAliveOrder, two('upstreamIdle: 60s', 'keepAlive: { idle: unknown }, '))).toEqual([])
  })

  test('does not suggest to change what a platform sets', () => {
    const found = onlyFinding(keepAliveOrder, two('upstreamIdle: { value: 60s, fixed: true }', 'keepAlive: { idle: 5s }, '))
    expect(found.suggestion?.text).toBe('idle of b 5 s -> more than 60 s')
  })
})
