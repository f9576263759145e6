import { describe, expect, it } from 'vitest'
import { meanOver, runChain } from './run-chain.fixture.js'

/**
 * The incident that the product argues with: a server with 38 % to spare is slow for ten seconds; what happens then is decided
 * by the clients' attempts and by what the server does with work nobody waits for. `SANDGLASS_EXACT=1` runs 20 seeds of each.
 */
const seeds = process.env['SANDGLASS_EXACT'] === '1' ? Array.from({ length: 20 }, (_, i) => i + 1) : [1, 2]
const timeout = seeds.length * 20_000

interface Variant {
  readonly call?: string
  readonly server?: string
  readonly operation?: string
  readonly slowS?: number
  readonly durationS?: number
}

const DURATION_S = 200

function incident({ call = '', server = '', operation = '', slowS = 10, durationS = DURATION_S }: Variant): string {
  return `
sandglass: 1
journeys: { ask: { starts: client.ask } }
services:
  client:
    kind: client
    operations:
      ask:
        does: read
        calls: [{ to: server.work, attempt: 3s, attempts: 5, deadline: propagate, cancel: stops-here${call} }]
  server:
    concurrency: 10
    deadline: propagate${server}
    operations: { work: { does: read, latency: { exponential: 10ms }${operation} } }
scenarios:
  slow-for-a-while:
    load: { ask: 620/s }
    duration: ${durationS}s
    warmup: 10s
    faults: [{ on: server.work, at: 60s, for: ${slowS}s, capacity: x0.2 }]
`
}

/** Shares and attempts from 30 s after the fault on, when what it left behind has either gone or come to stay. */
function after(variant: Variant, seed: number) {
  const result = runChain(incident(variant), { seed })
  const { goodputPerS, offered, attemptsPerRequest } = result.series.journeys['ask']!
  const to = variant.durationS ?? DURATION_S
  const goodShare = meanOver(goodputPerS, 100, to) / meanOver(offered, 100, to)
  return { goodShare, attempts: meanOver(attemptsPerRequest, 100, to), recoveryMs: result.journeys['ask']!.recoveryMs }
}

describe.each(seeds)('with seed %i', (seed) => {
  it(
    'serving everything never comes back from ten seconds',
    () => {
      const { goodShare, attempts, recoveryMs } = after({}, seed)
      expect(goodShare).toBe(0)
      expect(Math.abs(attempts - 4.98)).toBeLessThan(0.1)
      expect(recoveryMs).toBeNull()
    },
    timeout,
  )

  it(
    'serving everything comes back from five',
    () => {
      const { goodShare, recoveryMs } = after({ slowS: 5, durationS: 120 }, seed)
      expect(goodShare).toBeGreaterThan(0.99)
      expect(recoveryMs).not.toBeNull()
    },
    timeout,
  )

  it(
    'back-off alone never heals',
    () => {
      const { goodShare, recoveryMs } = after({ call: ', backoff: { base: 100ms, max: 20s, jitter: full }' }, seed)
      expect(goodShare).toBe(0)
      expect(recoveryMs).toBeNull()
    },
    timeout,
  )

  it(
    'dropping what cannot finish heals at once',
    () => {
      const { goodShare, recoveryMs } = after({ server: '\n    admission: can-finish', operation: ', floor: 50ms', durationS: 120 }, seed)
      expect(goodShare).toBeGreaterThan(0.99)
      expect(recoveryMs).toBeLessThanOrEqual(1000)
    },
    timeout,
  )

  it(
    'a retry budget of a tenth alone heals in six seconds',
    () => {
      const { goodShare, recoveryMs } = after({ call: ', retryBudget: 10%', durationS: 120 }, seed)
      expect(goodShare).toBeGreaterThan(0.99)
      expect(Math.abs((recoveryMs ?? Number.NaN) - 6000)).toBeLessThanOrEqual(1000)
    },
    timeout,
  )
})

/**
 * All clients try again every 3 s in step. Where the fault happens to end in a thin place of that rhythm, a gap opens in which
 * the queue drains: 5 of 120 seeds heal that way, seed 11 among them. All others stay where they are.
 */
it(
  'dropping only what is late keeps 8 % and, but for one seed in twenty-five, never heals',
  () => {
    const all = seeds.map((seed) => after({ server: '\n    admission: expired' }, seed))
    const stuck = all.filter(({ goodShare }) => goodShare < 0.12)
    expect(all.length - stuck.length).toBeLessThanOrEqual(all.length / 10)
    for (const { goodShare, recoveryMs } of stuck) {
      expect(Math.abs(goodShare - 0.079)).toBeLessThan(0.004)
      expect(recoveryMs).toBeNull()
    }
  },
  timeout,
)
