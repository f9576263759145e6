import { describe, expect, test } from 'vitest'
import { poolOversized } from './pool-oversized.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = ({ instances = '6', size = '20', db = 'kind: database, concurrency: 100', more = '' } = {}): string => `services:
  shop:
    instances: ${instances}
    pools: { orders: ${size} }
    operations:
      buy: { does: write, calls: [{ to: db.insert, timeout: 1s, pool: orders }] }
      look: { does: read, calls: [{ to: db.insert, timeout: 1s, pool: orders }] }
  db: { ${db}, operations: { insert: { does: write } } }
${more}`

const WORKER = `  worker: { instances: 2, pools: { jobs: 30 }, operations: { run: { calls: [{ to: db.insert, timeout: 1s, pool: jobs }] } } }
`

describe('pool-oversized', () => {
  test('multiplies a pool by its instances, and compares with what the database takes', () => {
    const found = onlyFinding(poolOversized, chain())
    expect(found.severity).toBe('error')
    expect(found.message).toBe('the pool of shop may open 120 connections to db, which takes 100')
    expect(found.arithmetic).toBe('shop 6 instances x 20 = 120 > 100')
    expect(found.values).toEqual({ connections: 120, slots: 100, overBy: 20 })
    expect(factorLines(found)).toEqual([
      'shop pools.orders = 20 (declared)',
      'shop instances = 6 (declared)',
      'db concurrency = 100 (declared)',
    ])
    expect(underlined(found.spot)).toBe('20')
    expect(found.suggestion?.text).toBe(
      'pool orders of shop 20 -> 16, or db takes 100 -> at least 120, or a connection pooler in front of it',
    )
    expect(findings(poolOversized, mended(found, chain()))).toEqual([])
  })

  test('is silent where all connections fit, to the last one', () => {
    expect(findings(poolOversized, chain({ instances: '5' }))).toEqual([])
  })

  test('adds up the pools of several services, and says which one to shrink', () => {
    const found = onlyFinding(poolOversized, chain({ instances: '3', more: WORKER }))
    expect(found.message).toBe('2 pools may open 120 connections to db, which takes 100')
    expect(found.arithmetic).toBe('shop 3 instances x 20 + worker 2 instances x 30 = 120 > 100')
    expect(found.suggestion?.text).toContain('pool orders of shop 20 -> 13')
  })

  test('says so where smaller is not small enough', () => {
    const text = chain({ instances: '3', db: 'kind: database, concurrency: 50', more: WORKER })
    expect(onlyFinding(poolOversized, text).suggestion?.text).toContain('fewer or smaller pools')
  })

  test('counts what is known, and needs no other part', () => {
    expect(findings(poolOversized, chain({ instances: 'unknown', more: WORKER }))).toEqual([])
    const known = onlyFinding(poolOversized, chain({ instances: 'unknown', db: 'kind: database, concurrency: 50', more: WORKER }))
    expect(known.values).toEqual({ connections: 60, slots: 50, overBy: 10 })
  })

  test('takes a database of two instances for twice the slots', () => {
    expect(findings(poolOversized, chain({ db: 'kind: database, concurrency: 100, instances: 2' }))).toEqual([])
    const found = onlyFinding(poolOversized, chain({ instances: '11', db: 'kind: database, concurrency: 100, instances: 2' }))
    expect(found.arithmetic).toBe('shop 11 instances x 20 = 220 > 2 instances x 100 = 200')
  })

  test('asks about connections alone: a service works on fewer requests than it takes connections', () => {
    for (const db of ['concurrency: 100', 'kind: proxy, concurrency: 100', 'kind: database', 'kind: database, concurrency: unknown'])
      expect(findings(poolOversized, chain({ db }))).toEqual([])
  })

  test('asks a pooler, which is a proxy that calls a database and nothing else', () => {
    const pooler = (to: string) =>
      chain({ db: 'kind: proxy, concurrency: 100' })
        .replace('insert: { does: write }', `insert: { does: write, calls: [{ to: ${to}, timeout: 1s }] }`)
        .concat('  pg: { kind: database, operations: { query: {} } }\n  web: { operations: { ask: {} } }\n')
    expect(onlyFinding(poolOversized, pooler('pg.query')).suggestion?.text).not.toContain('pooler')
    expect(findings(poolOversized, pooler('web.ask'))).toEqual([])
  })
})
