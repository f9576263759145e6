import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { simulateJson } from '../../src/report/simulate-json.js'
import { bundled, runChain } from './run-chain.fixture.js'

const node24 = fileURLToPath(new URL('../../../../tools/nodes/node_modules/node24/bin/node', import.meta.url))

const chain = `
sandglass: 1
defaults: { network: 3ms }
journeys: { ask: { promise: 2s, starts: client.ask } }
services:
  client: { kind: client, operations: { ask: { does: read, calls: [{ to: a.x, timeout: 2s, attempt: 600ms, attempts: 4, backoff: { base: 20ms, max: 1s }, retryBudget: default }] } } }
  a:
    concurrency: 40
    deadline: propagate
    admission: can-finish
    operations:
      x:
        does: read
        work: { p50: 5ms, p90: 20ms, p99: 60ms }
        calls:
          - parallel:
              - { to: b.x, timeout: 500ms, breaker: { failureRate: 30%, minCalls: 20, open: 1s } }
              - { to: c.x, timeout: 300ms, optional: true, share: 40% }
  b: { concurrency: 12, operations: { x: { does: read, errors: 5%, latency: { lognormal: { p50: 10ms, p99: 200ms } } } } }
  c: { operations: { x: { does: read, hangs: 1%, latency: { exponential: 30ms, shift: 2ms } } } }
scenarios:
  slow: { load: { ask: 500/s }, duration: 60s, warmup: 5s, faults: [{ on: b.x, at: 20s, for: 10s, latency: x8 }, { on: b, at: 40s, for: 5s, slots: 3 }] }
`

it('the same seed gives the same bytes, another seed others', () => {
  const text = simulateJson(runChain(chain, { seed: 7 }))
  expect(simulateJson(runChain(chain, { seed: 7 }))).toBe(text)
  expect(simulateJson(runChain(chain, { seed: 8 }))).not.toBe(text)
})

it('only timing differs from run to run', () => {
  let now = 0
  const { eventsPerSecond, ...rest } = runChain(chain, { seed: 7, clock: () => (now += 500) })
  expect(eventsPerSecond).toBe(rest.events * 2)
  expect(rest).toEqual(runChain(chain, { seed: 7 }))
})

it.skipIf(!existsSync(node24))('Node 24 gives the bytes that this Node gives', async () => {
  const { path } = await bundled()
  const script = `import { readChainText, simulate, simulateJson } from ${JSON.stringify(path)}
const { chain } = readChainText(${JSON.stringify(chain)})
process.stdout.write(simulateJson(simulate(chain, chain.scenarios[0], { seed: 7 }).result))`
  const other = execFileSync(node24, ['--input-type=module', '-e', script], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  expect(other).toBe(simulateJson(runChain(chain, { seed: 7 })))
})
