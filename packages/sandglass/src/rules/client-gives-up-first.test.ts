import { describe, expect, it } from 'vitest'
import { clientGivesUpFirst } from './client-gives-up-first.js'
import { inverted } from './inverted.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (client: string, server: string) => `
defaults: { network: 20ms, reserve: 30ms }
services:
  app: { kind: client, operations: { load: { calls: [{ to: gateway.load, ${client} }] } } }
  gateway: { kind: proxy, operations: { load: { calls: [{ to: a.load, ${server} }] } } }
  a: { operations: { load: { calls: [{ to: db.select, timeout: 10s }] } } }
  db: { kind: database, operations: { select: { does: read } } }
`

describe('client-gives-up-first', () => {
  it('reports a server that outlives the client, with the same values as an inversion', () => {
    const found = onlyFinding(clientGivesUpFirst, chain('timeout: 3s', 'timeout: 30s'))
    expect(found).toMatchObject({
      severity: 'error',
      path: ['app.load', 'gateway.load', 'a.load'],
      values: { boundMs: 30_000, callerBoundMs: 3000, orphanedMs: 27_000, tightest: 'app.load' },
      message: 'the client leaves before the answer: app.load waits 3 s, gateway.load may wait 30 s for a.load, 27 s longer',
    })
    expect(underlined(found.spot)).toBe('30s')
    expect(found.consequences.map(({ values }) => values)).toEqual([{ boundMs: 10_000, callerBoundMs: 3000, orphanedMs: 7000 }])
  })

  it('names every factor with its origin and suggests what the client leaves', () => {
    const text = chain('timeout: 3s', 'timeout: 30s')
    const found = onlyFinding(clientGivesUpFirst, text)
    expect(factorLines(found)).toEqual(['timeout = 30000 (declared)', 'app.load timeout = 3000 (declared)'])
    expect(found.suggestion?.text).toBe('timeout 30 s -> 2.95 s')
    expect(findings(clientGivesUpFirst, mended(found, text))).toEqual([])
  })

  it('does not report equal values, a shorter server, or what is unknown', () => {
    for (const server of ['timeout: 3s', 'timeout: 2s', 'timeout: unknown', 'timeout: none'])
      expect(findings(clientGivesUpFirst, chain('timeout: 3s', server))).toEqual([])
    expect(findings(clientGivesUpFirst, chain('timeout: unknown', 'timeout: 30s'))).toEqual([])
  })

  it('is reported instead of an inversion, not besides', () => {
    expect(findings(inverted, chain('timeout: 3s', 'timeout: 5s'))).toHaveLength(1)
    expect(findings(inverted, chain('timeout: 3s', 'timeout: 5s'))[0]?.path).toEqual(['app.load', 'gateway.load', 'a.load', 'db.select'])
  })

  it('never suggests to change what a platform fixes', () => {
    const found = onlyFinding(clientGivesUpFirst, chain('timeout: 3s', 'timeout: { value: 30s, fixed: true }'))
    expect(found.suggestion?.text).toBe('app.load: timeout 3 s -> 30.05 s')
  })
})
