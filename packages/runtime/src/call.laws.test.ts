import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallContext, call, callee, constant, withDeadline } from './index.js'
import { fakePeer, type PeerBehaviour } from './testing/fake-peer.js'
import { useManualClock } from './testing/manual-clock.js'

type Behaviour = PeerBehaviour<[], number>

const ms = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most })
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ does: fc.constant('answer' as const), value: fc.nat(), afterMs: ms(120) }),
  fc.record({
    does: fc.constant('fail' as const),
    error: fc.constantFrom(new Error('down'), Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    afterMs: ms(120),
  }),
  fc.constant<Behaviour>({ does: 'hang' }),
  fc.constant<Behaviour>({ does: 'ignore-cancel' }),
)

const scenario = fc.record({
  calls: fc.array(
    fc.record({ startMs: ms(100), budgetMs: fc.integer({ min: -5, max: 250 }), cancelMs: fc.option(ms(200), { nil: undefined }) }),
    { minLength: 1, maxLength: 12 },
  ),
  behaviours: fc.array(behaviour, { maxLength: 30 }),
  attempts: fc.integer({ min: 1, max: 4 }),
  attemptMs: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
  slots: fc.integer({ min: 1, max: 3 }),
  hedges: fc.boolean(),
  breaks: fc.boolean(),
  falls: fc.boolean(),
})

test('whatever a peer does and whenever callers leave: each call settles once and in time, and nothing stays behind', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ calls, behaviours, attempts, attemptMs, slots, hedges, breaks, falls }) => {
      const clock = useManualClock()
      try {
        const peer = fakePeer<number>({ does: 'answer', value: 1, afterMs: 10 })
        peer.next(...behaviours)
        const shared = callee('peer', {
          bulkhead: { slots },
          ...(breaks && { breaker: { consecutive: 3, openMs: 40 } }),
          ...(hedges && { hedge: { afterMs: 20, maxExtra: 1 } }),
        })
        const ask = call(
          'peer.ask',
          {
            does: 'read',
            timeoutMs: 200,
            attempts,
            backoff: { baseMs: 10, maxMs: 30 },
            callee: shared,
            ...(attemptMs !== undefined && { attemptMs }),
            ...(falls && { fallback: constant(-1) }),
          },
          (context: CallContext) => peer.fn(context),
        )
        const settled = calls.map(() => 0)
        const lateMs: number[] = []
        await Promise.all(
          calls
            .map(async ({ startMs, budgetMs, cancelMs }, n) => {
              await clock.advance(0)
              const leaving = new AbortController()
              const startAt = 1_000_000 + startMs
              while (clock.now < startAt) await new Promise((wake) => setImmediate(wake))
              const begunAt = clock.now
              const count = (): void => {
                settled[n] = (settled[n] ?? 0) + 1
                lateMs.push(clock.now - begunAt - Math.max(0, budgetMs))
              }
              void withDeadline({ budgetMs, signal: leaving.signal }, () => ask()).then(count, count)
              if (cancelMs === undefined) return
              while (clock.now < begunAt + cancelMs) await new Promise((wake) => setImmediate(wake))
              leaving.abort()
            })
            .concat([
              (async () => {
                for (let n = 0; n < 110; n++) await clock.advance(5)
                await clock.advance(2500)
              })(),
            ]),
        )
        expect(settled.every((times) => times === 1)).toBe(true)
        expect(Math.max(...lateMs)).toBeLessThan(20)
        expect({ inUse: shared.slots?.inUse, waiting: shared.slots?.queue.size, armed: clock.armed }).toEqual({
          inUse: 0,
          waiting: 0,
          armed: 0,
        })
      } finally {
        clock.restore()
      }
    }),
    { numRuns: 60 },
  )
})
