import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import {
  bind,
  type Captured,
  ConfigError,
  call,
  callee,
  capture,
  createInbound,
  defer,
  type OpenRequest,
  remainingMs,
  run,
  withDeadline,
} from './index.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock | undefined
afterEach(() => {
  clock?.restore()
  clock = undefined
})

/** A pool whose one worker loop was started outside of any request, as pools are. */
function startPool(): { submit(job: () => void): void; stop(): void } {
  const jobs: (() => void)[] = []
  let wake: () => void = () => undefined
  let running = true
  void (async () => {
    while (running) {
      for (const job of jobs.splice(0)) job()
      await new Promise<void>((resolve) => void (wake = resolve))
    }
  })()
  return {
    submit(job) {
      jobs.push(job)
      wake()
    },
    stop() {
      running = false
      wake()
    },
  }
}

const pool = startPool()

test('a pool started outside loses the deadline; bind keeps it', async () => {
  const seen: Record<string, number> = {}
  await withDeadline({ budgetMs: 1000 }, async () => {
    await new Promise<void>((resolve) => pool.submit(() => void ((seen['lost'] = remainingMs()), resolve())))
    await new Promise<void>((resolve) => pool.submit(bind(() => void ((seen['kept'] = remainingMs()), resolve()))))
  })
  pool.stop()
  expect(seen['lost']).toBe(Infinity)
  expect(seen['kept']).toBeGreaterThan(900)
})

test('an emitter calls its listeners in the context of who emits; bind gives them that of who listens', async () => {
  const emitter = new EventEmitter()
  const seen: number[] = []
  await withDeadline({ budgetMs: 1000 }, () => {
    emitter.on('lost', () => void seen.push(remainingMs()))
    emitter.on(
      'kept',
      bind(() => void seen.push(remainingMs())),
    )
  })
  emitter.emit('lost')
  emitter.emit('kept')
  expect(seen[0]).toBe(Infinity)
  expect(seen[1]).toBeGreaterThan(900)
})

test('a shared timer set up by the first request runs in that one; run gives each job its own', async () => {
  const queue: { token: Captured; then: (leftMs: number) => void }[] = []
  let isArmed = false
  // A batcher as data loaders have them: whoever comes first arms the timer for all.
  const submit = (): Promise<[inTimer: number, own: number]> =>
    new Promise((resolve) => {
      queue.push({ token: capture(), then: (own) => resolve([inTimer, own]) })
      let inTimer = Number.NaN
      if (isArmed) return
      isArmed = true
      setTimeout(() => {
        for (const { token, then } of queue.splice(0)) {
          inTimer = remainingMs()
          run(token, () => then(remainingMs()))
        }
      }, 5)
    })
  const [first, second] = await Promise.all([withDeadline({ budgetMs: 1000 }, submit), withDeadline({ budgetMs: 200 }, submit)])
  expect(first[1]).toBeGreaterThan(900)
  expect(second[1]).toBeLessThanOrEqual(200)
})

test('a thenable of a foreign library resolves wherever it likes; bind keeps the deadline', async () => {
  let resolveOutside: () => void = () => undefined
  const foreign = { then: (resolve: () => void) => void (resolveOutside = resolve) }
  let seen = Number.NaN
  const pending = withDeadline({ budgetMs: 1000 }, () => {
    foreign.then(bind(() => void (seen = remainingMs())))
  })
  await pending
  resolveOutside()
  expect(seen).toBeGreaterThan(900)
})

test('bind hands on this and the arguments', () => {
  const counter = {
    base: 10,
    add: bind(function add(this: { base: number }, a: number, b: number) {
      return this.base + a + b
    }),
  }
  expect(counter.add(1, 2)).toBe(13)
})

test('in the same thread run finds the very request again, with its signal', async () => {
  const leaving = new AbortController()
  let token: Captured | undefined
  const pending = withDeadline({ budgetMs: 1000, signal: leaving.signal }, () => {
    token = capture()
    return new Promise(() => undefined)
  })
  leaving.abort()
  await pending.catch(() => undefined)
  expect(run(token as Captured, remainingMs)).toBe(0)
})

test('a deadline crosses into a worker thread, whose clock starts at another instant', async () => {
  const code = `const { parentPort } = require('node:worker_threads')
    parentPort.once('message', (token) => parentPort.postMessage({ token, shared: process.hrtime()[0] * 1000 + process.hrtime()[1] / 1e6, own: performance.now() }))`
  const worker = new Worker(code, { eval: true })
  const back = await withDeadline({ budgetMs: 5000 }, () => {
    worker.postMessage(capture())
    return new Promise<{ token: Captured; shared: number; own: number }>((resolve) => worker.once('message', resolve))
  })
  await worker.terminate()
  expect(back.shared - back.token.sharedAt).toBeGreaterThanOrEqual(0)
  expect(back.shared - back.token.sharedAt).toBeLessThan(4000)
  const leftMs = run(back.token, remainingMs)
  expect(leftMs).toBeLessThanOrEqual(5000)
  expect(leftMs).toBeGreaterThan(1000)
})

test('the time on the way counts, and survives JSON', async () => {
  clock = useManualClock()
  const text = await withDeadline({ budgetMs: 1000, name: 'order' }, () => JSON.stringify(capture()))
  await clock.advance(300)
  expect(run(JSON.parse(text) as Captured, remainingMs)).toBe(700)
  await clock.advance(800)
  expect(run(JSON.parse(text) as Captured, remainingMs)).toBe(0)
})

test('on another machine a clock that is behind adds no time', async () => {
  clock = useManualClock()
  const token = await withDeadline({ budgetMs: 1000 }, () => capture())
  clock.stepWallClock(-3_600_000)
  expect(run({ ...token, machine: 'elsewhere' }, remainingMs)).toBe(1000)
})

test('no deadline stays none, and what was never captured is refused', () => {
  expect(run(structuredClone(capture()), remainingMs)).toBe(Infinity)
  for (const bad of [null, {}, { sandglass: 1, budgetMs: Number.NaN, sharedAt: 0, epochAt: 0 }, 'x'])
    expect(() => run(bad as unknown as Captured, remainingMs)).toThrow(ConfigError)
})

test('a captured deadline leaves no timer behind', async () => {
  clock = useManualClock()
  const token = structuredClone(await withDeadline({ budgetMs: 1000 }, () => capture()))
  run(token, () => 1)
  await run(token, async () => 1)
  await clock.settle()
  expect(clock.armed).toBe(0)
})

test('a retry, a call that waited for a slot, a second copy and a fallback run in the context of their caller, also for other libraries', async () => {
  const foreign = new AsyncLocalStorage<string>()
  const seen: string[] = []
  const shared = callee('peer', { bulkhead: { slots: 1 }, retryBudget: 'none' })
  const retried = call(
    'peer.retried',
    { does: 'read', timeoutMs: 2000, attemptMs: 20, attempts: 2, backoff: { baseMs: 1 } },
    ({ attempt }) => {
      seen.push(`attempt ${attempt}: ${foreign.getStore()}`)
      return attempt === 1 ? new Promise<number>(() => undefined) : 1
    },
  )
  const queued = call('peer.queued', { does: 'read', timeoutMs: 2000, callee: shared }, async () => {
    seen.push(`slot: ${foreign.getStore()}`)
    await new Promise((wake) => setTimeout(wake, 5))
  })
  const hedged = call('peer.hedged', { does: 'read', timeoutMs: 2000, hedge: { afterMs: 10, maxExtra: 1 } }, ({ attempt }) => {
    seen.push(`copy ${attempt}: ${foreign.getStore()}`)
    return attempt === 1 ? new Promise<number>(() => undefined) : 1
  })
  const fallen = call(
    'peer.fallen',
    { does: 'write', timeoutMs: 20, fallback: defer(() => seen.push(`fallback: ${foreign.getStore()}`)) },
    () => new Promise(() => undefined),
  )
  await foreign.run('A', retried)
  await Promise.all([foreign.run('A', queued), foreign.run('B', queued)])
  await foreign.run('A', hedged)
  await foreign.run('A', fallen)
  expect(seen).toEqual(['attempt 1: A', 'attempt 2: A', 'slot: A', 'slot: B', 'copy 1: A', 'copy 2: A', 'fallback: A'])
})

test('a request that waited for its turn is handled in its own context', async () => {
  const foreign = new AsyncLocalStorage<string>()
  const inbound = createInbound({ budgetMs: 1000, concurrency: 1 })
  const seen: (string | undefined)[] = []
  let first: OpenRequest | undefined
  const enter = (name: string): void =>
    foreign.run(name, () => {
      inbound.open({ operation: 'x', headers: {} }, (opened) => {
        seen.push(foreign.getStore())
        if (opened.state === 'open') first ??= opened.request
      })
    })
  enter('A')
  enter('B')
  foreign.run('A', () => first?.answered(200))
  expect(seen).toEqual(['A', 'B'])
})
