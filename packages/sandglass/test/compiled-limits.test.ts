import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitsFile } from '@sandglass/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { readChainText } from '../src/model/read-chain.js'
import { compiledLimits } from '../src/report/compiled-limits.js'
import { seedTexts } from './fuzz/seeds.js'

const folder = mkdtempSync(join(tmpdir(), 'sandglass-compiled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Has the runtime read what `compile` writes for each service of a chain; the names of the services it took. */
function taken(text: string): string[] {
  const { chain, problems } = readChainText(text)
  if (problems.length > 0) return []
  return [...chain.services.values()].map((service) => {
    const path = join(folder, 'limits.json')
    writeFileSync(path, JSON.stringify(compiledLimits(chain, service).limits))
    const file = limitsFile(path)
    file.close()
    return file.current.service
  })
}

describe('what compile writes', () => {
  it('is read by the runtime for every service of every example', () => {
    const services = seedTexts().flatMap(taken)
    expect(services.length).toBeGreaterThan(30)
    expect(services).toContain('order')
  })

  it('is read by the runtime with every field a call can have', () => {
    const text = `sandglass: 1
defaults: { network: 10ms, reserve: 50ms, floor: 100ms }
services:
  a:
    deadline: propagate
    admission: can-finish
    concurrency: 20
    queue: { limit: 10, timeout: 1s, order: codel }
    operations:
      o:
        does: write
        floor: 20ms
        limits: { request: 3s }
        calls:
          - to: b.get
            timeout: 2s
            attempt: 500ms
            attempts: 3
            backoff: { base: 50ms, max: 1s, factor: 3, jitter: none }
            retryOn: [timeout, connect, reset, 5xx, "429", "503"]
            retryStartWithin: 1s
            retryBudget: { share: 20%, cap: none }
            breaker: { window: 100, failureRate: 50%, minCalls: 20, open: { base: 1s, max: 30s }, probes: 3, slow: 1s, slowRate: 80% }
            bulkhead: 5
            queue: 100ms
            hedge: { after: 100ms }
            fallback: [{ tier: snapshot, maxAge: 10m }, { tier: default }, { tier: empty }]
            reserve: 20ms
            floor: 10ms
          - { to: b.put, timeout: none, attempts: 2, backoff: [25ms, 75ms], retryBudget: default, idempotencyKey: true, fallback: { tier: defer }, breaker: { window: 10s, consecutive: 5, open: 2s } }
  b: { operations: { get: { does: read }, put: { does: idempotent-write } } }
`
    expect(taken(text)).toEqual(['a', 'b'])
  })
})
