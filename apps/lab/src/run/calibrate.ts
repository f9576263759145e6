import { cpus, loadavg } from 'node:os'
import { uniform } from '../arms/uniform.js'
import { NO_BACKING, probeChain } from './probe.js'
import type { Processes } from './processes.js'
import { runArm } from './run-arm.js'

/** What the lab has found out about the machine. */
export interface Calibration {
  /** One hop there and back (ms): the median of what a request takes beyond the wait it asks for. */
  readonly hopMs: number
  /** CPU time of one hop, both sides (ms). */
  readonly cpuPerHopMs: number
  readonly cores: number
  /** Load of the machine by others, before the lab began. */
  readonly loadBefore: number
  /** Requests per second that even a storm of retries leaves CPU for. */
  readonly ratePerS: number
}

const RATE_PER_S = 150
const DURATION_MS = 2000
/** Requests that one request of the worst arm becomes: 9 at the inner of two layers of three tries, 3 above, and what runs beside. */
const STORM = 20
/** Share of one core that the storm may take. */
const STORM_CORES = 0.9
const RATES = { least: 40, most: 100, step: 10 } as const

/** Measures a hop with one real service, and chooses a rate: latencies here are waits, and CPU must not be what is measured. */
export async function calibrate(processes: Processes, folder: string): Promise<Calibration> {
  const loadBefore = loadavg()[0] ?? 0
  const chain = probeChain(RATE_PER_S, DURATION_MS)
  const { facts, hopMs } = await runArm(processes, { arm: uniform, chain, seed: 1, backing: NO_BACKING, folder, faults: [] })
  const { from, to } = facts.services['echo']!
  // The client's side of a hop costs about as much as the server's.
  const cpuPerHopMs = Math.max(0.05, (2 * (to.cpuMs - from.cpuMs)) / Math.max(1, to.arrivals - from.arrivals))
  const ratePerS = Math.round((STORM_CORES * 1000) / (STORM * cpuPerHopMs) / RATES.step) * RATES.step
  return { hopMs, cpuPerHopMs, cores: cpus().length, loadBefore, ratePerS: Math.min(RATES.most, Math.max(RATES.least, ratePerS)) }
}
