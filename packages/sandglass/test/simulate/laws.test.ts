import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readChainText } from '../../src/model/read-chain.js'
import { runOnce } from '../../src/simulate/engine.js'

/** Any chain of five services, each calling some of those after it, with any of the policies, under faults; whatever can end does. */
const ms = (max: number) => fc.integer({ min: 0, max })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

const callText = fc
  .record({
    timeout: maybe(ms(400)),
    attempt: maybe(fc.integer({ min: 1, max: 150 })),
    attempts: maybe(fc.integer({ min: 1, max: 4 })),
    backoff: maybe(fc.constantFrom('{ base: 10ms, max: 80ms }', '[5ms, 20ms]', '{ base: 0ms, jitter: none }')),
    retryBudget: maybe(fc.constantFrom('default', '10%', '{ share: 50%, cap: none }')),
    breaker: maybe(
      fc.constantFrom(
        '{ consecutive: 3, open: 200ms, probes: 1 }',
        '{ failureRate: 20%, minCalls: 5, window: 1s, open: { base: 100ms, max: 1s } }',
        '{ slow: 30ms, slowRate: 30%, minCalls: 5 }',
      ),
    ),
    bulkhead: maybe(fc.integer({ min: 1, max: 6 })),
    queue: maybe(ms(60)),
    fallback: maybe(fc.constant('{ tier: default }')),
    optional: maybe(fc.boolean()),
    share: maybe(fc.constantFrom('30%', '80%')),
    async: maybe(fc.boolean()),
    deadline: maybe(fc.constantFrom('propagate', 'ignore')),
    cancel: maybe(fc.constantFrom('reaches', 'stops-here')),
    reserve: maybe(ms(10)),
    floor: maybe(ms(30)),
    network: maybe(ms(8)),
  })
  .map((fields) =>
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `, ${key}: ${typeof value === 'number' && !['attempts', 'bulkhead'].includes(key) ? `${value}ms` : value}`)
      .join(''),
  )

const serviceText = fc.record({
  concurrency: maybe(fc.integer({ min: 1, max: 8 })),
  queue: maybe(fc.constantFrom('{ limit: 3 }', '{ timeout: 50ms }', '{ order: lifo }', '{ order: codel, limit: 20 }')),
  admission: maybe(fc.constantFrom('none', 'expired', 'can-finish')),
  deadline: maybe(fc.constantFrom('propagate', 'ignore')),
  chainStop: maybe(fc.boolean()),
})

const operationText = fc.record({
  work: maybe(fc.constantFrom('{ constant: 10ms }', '{ exponential: 20ms }', '{ p50: 5ms, p99: 80ms }', '{ constant: 0ms }')),
  errors: maybe(fc.constantFrom('10%', '100%')),
  floor: maybe(fc.constantFrom('5ms', '30ms')),
  limits: maybe(fc.constantFrom('{ request: 40ms }', '{ statement: 15ms }')),
})

const faultText = fc.record({
  on: fc.constantFrom('s1', 's2.x', 's3.x', 's4', 's4.x'),
  at: ms(2500),
  for: fc.integer({ min: 1, max: 2000 }),
  what: fc.constantFrom('latency: x5', 'latency: +50ms', 'capacity: x0.3', 'errors: 50%', 'down: true', 'hang: 20%, errors: 20%'),
})

const chainText = fc
  .record({
    services: fc.array(fc.record({ service: serviceText, operation: operationText }), { minLength: 5, maxLength: 5 }),
    calls: fc.array(
      fc.record({ from: fc.integer({ min: 0, max: 3 }), over: fc.integer({ min: 1, max: 4 }), together: fc.boolean(), text: callText }),
      { minLength: 1, maxLength: 8 },
    ),
    faults: fc.array(faultText, { maxLength: 3 }),
    promise: maybe(fc.constantFrom('100ms', '1s')),
    seed: fc.nat(),
    isHanging: fc.boolean(),
  })
  .map(({ services, calls, faults, promise, seed, isHanging }) => {
    const fields = (record: Record<string, unknown>) =>
      Object.entries(record)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `${key}: ${String(value)}`)
    const lines = services.map(({ service, operation }, i) => {
      const own = calls
        .filter(({ from }) => from === i)
        .map(({ over, together, text }) => ({ text: `{ to: s${Math.min(4, i + over)}.x${text} }`, together }))
      const group = own.filter(({ together }) => together).map(({ text }) => text)
      const steps = [
        ...own.filter(({ together }) => !together).map(({ text }) => text),
        ...(group.length > 0 ? [`{ parallel: [${group.join(', ')}] }`] : []),
      ]
      const parts = ['does: read', ...fields(operation), ...(steps.length > 0 ? [`calls: [${steps.join(', ')}]`] : [])]
      return `  s${i}: { ${[...fields(service), `operations: { x: { ${parts.join(', ')} } }`].join(', ')} }`
    })
    const struck = faults.map(
      (fault) =>
        `{ on: ${fault.on}, at: ${fault.at}ms, for: ${fault.for}ms, ${isHanging ? fault.what : fault.what.replace('hang: 20%, ', '')} }`,
    )
    const text = `sandglass: 1
journeys: { ask: { starts: s0.x${promise ? `, promise: ${promise}` : ''} } }
services:
${lines.join('\n')}
scenarios: { s: { load: { ask: [{ at: 0s, rate: 120/s }, { at: 3s, rate: 0/s }] }, duration: 200s, faults: [${struck.join(', ')}] } }
`
    return { text, seed, mayHang: isHanging && struck.some((fault) => fault.includes('hang')) }
  })

it('every request ends once, every slot and record comes back, whatever the policies and faults', () => {
  fc.assert(
    fc.property(chainText, ({ text, seed, mayHang }) => {
      const { chain, problems } = readChainText(text)
      expect(problems).toEqual([])
      const { world, stocks, series } = runOnce(chain, chain.scenarios[0]!, { seed, batches: 2, adjustment: {}, onProgress: () => {} })
      const [, , last] = stocks
      const [offered = 0, succeeded = 0, degraded = 0, late = 0, failed = 0] = last!.counts
      const ended = succeeded + degraded + late + failed
      expect(offered).toBeGreaterThan(100)
      expect(Math.min(...series.services['s0']!.busy, ...series.services['s4']!.queue)).toBeGreaterThanOrEqual(0)
      if (mayHang) {
        expect(ended).toBeLessThanOrEqual(offered)
        return
      }
      expect(ended).toBe(offered)
      expect(world.freeJobs.length).toBe(world.jobs.length)
      expect(world.calls.reduce((sum, { freeRuns }) => sum + freeRuns.length, 0)).toBe(world.runs.length)
      for (const { slots } of world.services) expect([slots.inUse, slots.queue.size]).toEqual([0, 0])
      for (const { slots } of world.calls) expect([slots?.inUse ?? 0, slots?.queue.size ?? 0]).toEqual([0, 0])
      for (const { base } of world.operations) {
        // What is busy, waits or works for nobody has left again: 9, 11 and 13 are those counts.
        expect([last!.counts[base + 9], last!.counts[base + 11], last!.counts[base + 13]]).toEqual([0, 0, 0])
      }
    }),
    { numRuns: Number(process.env['SANDGLASS_RUNS'] ?? 120) },
  )
}, 120_000)
