import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'
import { expect, it } from 'vitest'
import { type Bundle, bundled, runChain } from './run-chain.fixture.js'

/** The simulator with one text of the runtime's core replaced by another. */
function withCore(core: string, from: string, to: string): Promise<Bundle> {
  const change: Plugin = {
    name: 'change-core',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`core/${core}\\.ts$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!text.includes(from)) throw new Error(`${core}.ts no longer says "${from}"`)
        return { contents: text.replace(from, to), loader: 'ts' }
      })
    },
  }
  return bundled([change])
}

function failing(call: string, server = ''): string {
  return `
sandglass: 1
journeys: { ask: { starts: client.ask } }
services:
  client: { kind: client, operations: { ask: { does: read, calls: [{ to: server.work, attempts: 3, timeout: 1s${call} }] } } }
  server: { concurrency: 10, deadline: propagate${server}, operations: { work: { does: read, errors: 30%, latency: { exponential: 20ms } } } }
scenarios:
  usual: { load: { ask: 400/s }, duration: 60s }
`
}

it.each([
  { what: 'what a retry costs', core: 'retry-budget', from: 'errorCost: 3', to: 'errorCost: 30', call: ', retryBudget: default' },
  {
    what: 'how long a breaker stays open',
    core: 'breaker-options',
    from: 'baseMs: 1_000',
    to: 'baseMs: 20_000',
    call: ', breaker: { consecutive: 5 }',
  },
  {
    what: 'how waits are spread',
    core: 'backoff',
    from: 'return random * largestMs',
    to: 'return largestMs',
    call: ', backoff: { base: 50ms }',
  },
])('$what is decided in the runtime: another default in its core, another simulation', async ({ core, from, to, call }) => {
  const before = runChain(failing(call))
  const after = runChain(failing(call), {}, await withCore(core, from, to))
  expect(after.events).not.toBe(before.events)
  expect(after.journeys).not.toEqual(before.journeys)
})

it('how many samples admission waits for is decided in the runtime', async () => {
  const text = failing(', deadline: propagate, cancel: stops-here', ', admission: can-finish').replace('400/s', '700/s')
  const never = await withCore('admission', 'minSamples: 20', 'minSamples: 1_000_000')
  expect(runChain(text, {}, never).operations['server.work']!.expiredDropped).not.toBe(
    runChain(text).operations['server.work']!.expiredDropped,
  )
})
