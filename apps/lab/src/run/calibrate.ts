import { cpus, loadavg } from 'node:os'
import { uniform } from '../arms/uniform.js'
import { quantile } from '../measure/quantile.js'
import { labChain } from './lab-chain.js'
import type { Processes } from './processes.js'
import { runArm } from './run-arm.js'

/** What the lab has found out about the machine. */
export interface Calibration {
  /** One hop there and back (ms): the median over what a request takes beyond the work it asks for. */
  readonly hopMs: number
  /** CPU time of one hop, both sides (ms). */
  readonly cpuPerHopMs: number
  readonly cores: number
  /** Load of the machine by others, before the lab began. */
  readonly loadBefore: number
  /** Requests per second that even a storm of retries leaves CPU for. */
  readonly ratePerS: number
}

const WORK_MS = 5
const RATE_PER_S = 150
const DURATION_MS = 2000
/** Requests that one request of the worst arm can become: 9 at the inner of two layers of three tries, 3 at the one above with what runs beside. */
const STORM = 20
/** Share of one core that the storm may take. */
const STORM_CORES = 0.9
const RATES = { least: 40, most: 100, step: 10 } as const

const PROBE = {
  journeys: { probe: { promise: '30s', starts: 'client.probe', rate: `${RATE_PER_S}/s` } },
  services: {
    client: { kind: 'client', operations: { probe: { calls: [{ to: 'echo.work', timeout: '30s' }] } } },
    echo: { operations: { work: { does: 'read', latency: { constant: `${WORK_MS}ms` } } } },
  },
  scenarios: { probe: { duration: `${DURATION_MS}ms`, warmup: '500ms' } },
}

/** Measures a hop with one real service, and chooses a rate: latencies here are waits, and CPU must not be what is measured. */
export async function calibrate(processes: Processes, folder: string): Promise<Calibration> {
  const size = { ratePerS: RATE_PER_S, durationMs: DURATION_MS, networkMs: 0 }
  const chain = labChain({ sandglass: 1, ...structuredClone(PROBE) }, 'probe', { ...uniform, chainOf: (plain) => plain }, size, [], true)
  const backing = { postgresUrl: null, redisUrl: null, prefix: '' }
  const loadBefore = loadavg()[0] ?? 0
  const { facts } = await runArm(processes, { arm: uniform, chain, seed: 1, backing, folder, faults: [] })
  const latencies = facts.requests.filter(({ intendedMs, end }) => intendedMs > 500 && end === 'full').map(({ latencyMs }) => latencyMs)
  const hopMs = Math.max(0.1, (quantile(latencies.sort((a, b) => a - b), 0.5) ?? WORK_MS + 2) - WORK_MS)
  const { from, to } = facts.services['echo']!
  // The client's side of a hop costs about as much as the server's.
  const cpuPerHopMs = (2 * (to.cpuMs - from.cpuMs)) / Math.max(1, to.arrivals - from.arrivals)
  const ratePerS = Math.round((STORM_CORES * 1000) / (STORM * cpuPerHopMs) / RATES.step) * RATES.step
  return { hopMs, cpuPerHopMs, cores: cpus().length, loadBefore, ratePerS: Math.min(RATES.most, Math.max(RATES.least, ratePerS)) }
}
