import { uniform } from '../arms/uniform.js'
import type { Backing } from '../service/messages.js'
import { type LabChain, labChain } from './lab-chain.js'

/** How long the probe's service waits before it answers (ms). */
export const PROBE_WORK_MS = 5

/** No real servers. */
export const NO_BACKING: Backing = { postgresUrl: null, redisUrl: null, prefix: '' }

/** A chain of one service that only waits: what it takes longer is what a hop costs. */
export function probeChain(ratePerS = 100, durationMs = 2000): LabChain {
  const chain = {
    sandglass: 1,
    journeys: { probe: { promise: '30s', starts: 'client.probe', rate: `${ratePerS}/s` } },
    services: {
      client: { kind: 'client', operations: { probe: { calls: [{ to: 'echo.work', timeout: '30s' }] } } },
      echo: { operations: { work: { does: 'read', latency: { constant: `${PROBE_WORK_MS}ms` } } } },
    },
    scenarios: { probe: { duration: `${durationMs}ms`, warmup: '500ms' } },
  }
  return labChain(chain, 'probe', { ...uniform, chainOf: (plain) => plain }, { ratePerS, durationMs, networkMs: 0 }, [], true)
}
