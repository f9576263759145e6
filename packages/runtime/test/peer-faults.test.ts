// Faults that were reported of libraries people use for this, by the number of their row in the list they come from: each must not be ours.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { getEventListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Pool } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import {
  call,
  callee,
  createInbound,
  currentDeadline,
  currentSignal,
  explain,
  noteExchange,
  observe,
  outbound,
  remainingMs,
  serve,
  type SandglassRecord,
  withDeadline,
} from '../src/index.js'
import { useManualClock } from '../src/testing/manual-clock.js'

const servers: Server[] = []
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const sleep = (ms: number): Promise<void> => new Promise((wake) => void setTimeout(wake, ms))

async function timed<T>(work: () => Promise<T>): Promise<{ tookMs: number; value?: T; error?: { [field: string]: unknown } }> {
  const startedAt = performance.now()
  try {
    return { value: await work(), tookMs: performance.now() - startedAt }
  } catch (error) {
    return { error: error as { [field: string]: unknown }, tookMs: performance.now() - startedAt }
  }
}

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

describe('deadlines and their propagation', () => {
  test('1: a call with its own deadline inside a parent takes the smaller, and can never extend', async () => {
    const leftOf = (own: number, parent: number): Promise<number> => withDeadline({ budgetMs: parent }, () => withDeadline({ budgetMs: own }, () => remainingMs()))
    expect(await leftOf(1000, 5000)).toBeLessThanOrEqual(1000)
    expect(await leftOf(5000, 1000)).toBeLessThanOrEqual(1000)
  })

  test('3: A gives up after 100 ms, and C, two hops down, is cancelled within a few ms of it', async () => {
    let cancelledAt = 0
    const c = await listen(
      serve(
        () => {
          const signal = currentSignal()
          return new Promise<void>((resolve) => signal?.addEventListener('abort', () => ((cancelledAt = performance.now()), resolve())))
        },
        { budgetMs: 5000 },
      ),
    )
    const b = await listen(
      serve(
        async (_, response) => {
          const ask = call('c.work', { does: 'read' }, async ({ signal }) => (await fetch(c, { signal, headers: outbound('c').headers })).text())
          response.end((await ask()).value)
        },
        { budgetMs: 5000 },
      ),
    )
    await fetch(c, { headers: { 'request-budget-ms': '1' } }).catch(() => undefined)
    cancelledAt = 0
    const startedAt = performance.now()
    await withDeadline({ budgetMs: 100 }, () => fetch(b, { headers: outbound('b').headers, signal: currentSignal() ?? null })).catch(() => undefined)
    const gaveUpAt = performance.now()
    for (let n = 0; n < 100 && cancelledAt === 0; n++) await sleep(2)
    expect(gaveUpAt - startedAt).toBeLessThan(1000)
    expect(Math.abs(cancelledAt - gaveUpAt)).toBeLessThan(150)
  })

  test.each([
    ['597H', 60_000],
    ['1000H', 60_000],
    ['99999999m', 60_000],
    ['100000000m', 2800],
    ['1.5S', 2800],
    ['-5m', 2800],
    ['500m', 500],
    ['250m', 250],
  ])('5: grpc-timeout %s gives %d ms under a cap of 60 s', (text, expectedMs) => {
    let leftMs = -1
    createInbound({ budgetMs: 2800, maxBudgetMs: 60_000 }).open({ operation: 'x', headers: { 'grpc-timeout': text } }, (opened) => {
      leftMs = opened.state === 'open' ? opened.request.run(() => remainingMs()) : 0
    })
    expect(leftMs).toBeGreaterThan(expectedMs * 0.9 - 1)
    expect(leftMs).toBeLessThanOrEqual(expectedMs)
  })

  test('5: half a millisecond is a budget and not expired', () => {
    const clock = useManualClock()
    cleanups.push(() => clock.restore())
    let leftMs = -1
    createInbound({ budgetMs: 2800 }).open({ operation: 'x', headers: { 'grpc-timeout': '500u' } }, (opened) => {
      leftMs = opened.state === 'open' ? opened.request.run(() => remainingMs()) : 0
    })
    expect(leftMs).toBe(1)
  })

  test('7: the first attempt is deducted, and nothing is left of 100 ms after 95 and a failure', async () => {
    let visits = 0
    const ask = call('a.b', { does: 'read', timeoutMs: 100, attempts: 3, floorMs: 10, backoff: { baseMs: 0 } }, async () => {
      visits++
      await sleep(95)
      throw new Error('failed')
    })
    const { error, tookMs } = await timed(ask)
    expect([visits, error?.['message']]).toEqual([1, 'failed'])
    expect(tookMs).toBeLessThan(300)
  })

  test('9: a limit of 200 ms on a hanging server is 200 ms in all, whatever the attempts', async () => {
    let hits = 0
    const url = await listen(() => void hits++)
    const ask = call('a.b', { does: 'read', timeoutMs: 200, attempts: 3 }, async ({ signal }) => (await fetch(url, { signal })).text())
    const { error, tookMs } = await timed(ask)
    expect(error?.['code']).toBe('DEADLINE_EXCEEDED')
    expect(tookMs).toBeGreaterThanOrEqual(200)
    expect(tookMs).toBeLessThan(600)
    expect(hits).toBe(1)
  })

  test('11: "exceeded" is never reported while there is time left', async () => {
    for (let n = 0; n < 20; n++) {
      const { tookMs } = await timed(() => withDeadline({ budgetMs: 10.9 + n / 100 }, () => new Promise(() => undefined)))
      expect(tookMs).toBeGreaterThanOrEqual(10.9 + n / 100)
    }
  })
})

describe('retries', () => {
  test('13: an abort in the back-off settles within a few ms, with its reason, and sends nothing more', async () => {
    let visits = 0
    const leaving = new AbortController()
    const ask = call('a.b', { does: 'read', timeoutMs: 60_000, attempts: 3, backoff: { baseMs: 1500, jitter: 'none' } }, () => {
      visits++
      throw new Error('busy')
    })
    setTimeout(() => leaving.abort(new Error('the client left')), 80)
    const { error, tookMs } = await timed(() => withDeadline({ budgetMs: 60_000, signal: leaving.signal }, () => ask()))
    expect(tookMs).toBeLessThan(300)
    expect(error).toMatchObject({ code: 'CANCELLED', cause: { message: 'the client left' } })
    expect(visits).toBe(1)
  })

  test('15: every attempt has a fresh signal', async () => {
    const signals: AbortSignal[] = []
    const ask = call('a.b', { does: 'read', timeoutMs: 1000, attemptMs: 30, attempts: 2, backoff: { baseMs: 0 } }, ({ signal, attempt }) => {
      signals.push(signal)
      return attempt === 1 ? new Promise<string>(() => undefined) : 'second'
    })
    expect((await ask()).value).toBe('second')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  test('17: a limit of 2^31+5 ms waits instead of firing at once', async () => {
    const ask = call('a.b', { does: 'read', timeoutMs: 2 ** 31 + 5, attemptMs: 2 ** 31 + 5 }, async () => {
      await sleep(30)
      return remainingMs()
    })
    expect((await ask()).value).toBeGreaterThan(2 ** 31 - 1000)
  })

  test('19: a time-out while connecting is repeated even for a write, one after sending is not', async () => {
    const run = async (phase: 'connect' | 'sent'): Promise<{ visits: number; error: unknown }> => {
      let visits = 0
      const ask = call('orders.insert', { does: 'write', timeoutMs: 200, attemptMs: 40, attempts: 3, backoff: { baseMs: 0 } }, () => {
        visits++
        noteExchange(phase)
        return new Promise(() => undefined)
      })
      return { error: (await timed(ask)).error, visits }
    }
    expect(await run('connect')).toMatchObject({ visits: 3, error: { phase: 'connect', outcome: 'not-sent' } })
    expect(await run('sent')).toMatchObject({ visits: 1, error: { phase: 'sent', outcome: 'unknown' } })
  })
})

describe('breaker and bulkhead', () => {
  test('21: two overlapping calls have signals of their own: a slow one takes nothing else down, then or later', async () => {
    const ask = call('a.b', { does: 'read', timeoutMs: 40, breaker: {} }, async ({ signal }, ms: number) => {
      await sleep(ms)
      return signal.aborted
    })
    const [slow, quick] = await Promise.allSettled([ask(200), ask(20)])
    expect(slow.status).toBe('rejected')
    expect(quick).toMatchObject({ value: { value: false } })
    expect((await ask(1)).value).toBe(false)
  })

  test('23: what is shed here never feeds the breaker', async () => {
    const shared = callee('a', { bulkhead: { slots: 1, queue: { limit: 0 } }, breaker: { consecutive: 2 } })
    const ask = call('a.b', { does: 'read', timeoutMs: 500, callee: shared }, () => sleep(20))
    await Promise.allSettled(Array.from({ length: 6 }, () => ask()))
    expect(shared.breaker?.state).toBe('closed')
  })

  test('25: a call from before the trip succeeds later and does not close the breaker', async () => {
    const shared = callee('a', { breaker: { consecutive: 2, openMs: 5000 } })
    const ask = call('a.b', { does: 'read', timeoutMs: 500, callee: shared }, async (_, ms: number) => {
      await sleep(Math.abs(ms))
      if (ms < 0) throw new Error('down')
    })
    const early = ask(60)
    await Promise.allSettled([ask(-1), ask(-1)])
    expect(shared.breaker?.state).toBe('open')
    await early
    expect(shared.breaker?.state).toBe('open')
  })

  test('27: an open period ends by the clock, also in a loop that never lets a timer run', async () => {
    let down = true
    const ask = call('a.b', { does: 'read', timeoutMs: 500, breaker: { consecutive: 1, openMs: 30, probes: 1 } }, async () => {
      if (down) throw new Error('down')
      return 'well'
    })
    await ask().catch(() => undefined)
    down = false
    const startedAt = performance.now()
    let answered = ''
    while (answered === '' && performance.now() - startedAt < 1000) answered = await ask().then(({ value }) => value, () => '')
    expect(answered).toBe('well')
  })

  test('29: who comes while the probe runs is refused at once and does not wait for it', async () => {
    let mode: 'down' | 'slow' = 'down'
    const ask = call('a.b', { does: 'read', timeoutMs: 500, breaker: { consecutive: 1, openMs: 10, probes: 1 } }, async () => {
      if (mode === 'down') throw new Error('down')
      await sleep(100)
    })
    await ask().catch(() => undefined)
    await sleep(20)
    mode = 'slow'
    const probe = ask()
    const { error, tookMs } = await timed(ask)
    expect(error?.['code']).toBe('BREAKER_OPEN')
    expect(tookMs).toBeLessThan(90)
    await probe
  })

  test('31: with 20 000 successes in the window a failed call costs microseconds', async () => {
    const ask = call('a.b', { does: 'read', timeoutMs: 500, breaker: { consecutive: 1_000_000, failureRate: 0.99 } }, async (_, ok: boolean) => {
      if (!ok) throw failure
    })
    const failure = new Error('down')
    for (let n = 0; n < 20_000; n++) await ask(true)
    const before = process.cpuUsage()
    for (let n = 0; n < 1000; n++) await ask(false).catch(() => undefined)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(300)
  })
})

describe('limits of clients', () => {
  test('33: 300 ms are 300 and not 1003', async () => {
    const url = await listen(() => undefined)
    const ask = call('a.b', { does: 'read', timeoutMs: 300 }, async ({ signal }) => (await fetch(url, { signal })).text())
    const { tookMs } = await timed(ask)
    expect(tookMs).toBeGreaterThanOrEqual(300)
    expect(tookMs).toBeLessThan(600)
  })

  test('35: an answer that lay there while the event loop was blocked wins; without one the error says what the loop took', async () => {
    const url = await listen((request, response) => void (request.url === '/hang' ? undefined : response.end('there')))
    const ask = call('a.b', { does: 'read', timeoutMs: 150 }, async ({ signal }, path: string) => (await fetch(`${url}${path}`, { signal })).text())
    await ask('/warm')
    const blocked = async (path: string): Promise<Awaited<ReturnType<typeof timed>>> => {
      const pending = timed(() => ask(path))
      await sleep(40)
      const untilAt = performance.now() + 300
      while (performance.now() < untilAt);
      return pending
    }
    const slowServer = await listen((_, response) => void setTimeout(() => response.end('there'), 0))
    const other = call('a.c', { does: 'read', timeoutMs: 150 }, async ({ signal }) => (await fetch(slowServer, { signal })).text())
    await other()
    expect((await blocked('/')).value).toMatchObject({ value: 'there' })
    const { error } = await blocked('/hang')
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', loopDelayMs: expect.any(Number) as number })
    expect(error?.['loopDelayMs'] as number).toBeGreaterThan(100)
  })

  test('37, 39: a stalled body and an error body that never ends are one class, one code, in time', async () => {
    const half = (status: number) => (response: ServerResponse): void => {
      response.writeHead(status, { 'content-length': '100' })
      response.write('half of it')
    }
    const url = await listen((request, response) => (request.url === '/404' ? half(404) : half(200))(response))
    for (const path of ['/200', '/404']) {
      const ask = call('a.b', { does: 'read', timeoutMs: 120 }, async ({ signal }) => {
        const response = await fetch(`${url}${path}`, { signal })
        noteExchange('body')
        return response.text()
      })
      const { error, tookMs } = await timed(ask)
      expect(error).toMatchObject({ name: 'TimeoutError', code: 'DEADLINE_EXCEEDED', phase: 'body' })
      expect(tookMs).toBeLessThan(600)
    }
  })

  test('41: the time in the queue of a connection pool counts', async () => {
    const url = await listen((_, response) => void setTimeout(() => response.end('late'), 400))
    const pool = new Pool(url, { connections: 1, pipelining: 1 })
    cleanups.push(() => void pool.destroy())
    const ask = call('a.b', { does: 'read', timeoutMs: 500 }, async ({ signal }) => (await pool.request({ path: '/', method: 'GET', signal })).body.text())
    const results = await Promise.all(Array.from({ length: 4 }, () => timed(ask)))
    expect(results.filter(({ value }) => value !== undefined)).toHaveLength(1)
    for (const { tookMs } of results) expect(tookMs).toBeLessThan(900)
  })

  test('43: a body that is read after the call is covered up to the end of the call, and a quick one is read in peace', async () => {
    const url = await listen((request, response) => {
      response.write('first ')
      setTimeout(() => response.end('second'), request.url === '/slow' ? 2000 : 30)
    })
    const ask = call('a.b', { does: 'read', timeoutMs: 150 }, ({ signal }, path: string) => fetch(`${url}${path}`, { signal }))
    expect(await (await ask('/quick')).value.text()).toBe('first second')
    const slow = await ask('/slow')
    const { error, tookMs } = await timed(() => slow.value.text())
    expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(tookMs).toBeLessThan(600)
  })
})

describe('signals and timers', () => {
  test('45: a signal whose source was dropped and collected still says that it aborted, and why', async () => {
    const derive = (): Promise<AbortSignal> => {
      const source = new AbortController()
      return new Promise((resolve) => {
        void withDeadline({ budgetMs: 10_000, signal: source.signal }, ({ signal }) => {
          resolve(signal)
          queueMicrotask(() => source.abort(new Error('gone')))
          return new Promise(() => undefined)
        }).catch(() => undefined)
      })
    }
    const signals = await Promise.all(Array.from({ length: 50 }, derive))
    await sleep(5)
    collectGarbage()
    await sleep(5)
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    expect(signals[7]?.reason).toMatchObject({ name: 'AbortError', cause: { message: 'gone' } })
  })

  test('47: two hundred calls of one request put one listener on the shared signal and cause no warning', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const url = await listen((_, response) => void setTimeout(() => response.end('x'), 20))
    const shutdown = new AbortController()
    const ask = call('a.b', { does: 'read', timeoutMs: 3000, signal: shutdown.signal }, async ({ signal }) => (await fetch(url, { signal })).text())
    const pending = withDeadline({ budgetMs: 5000, signal: shutdown.signal }, async ({ signal }) => {
      for (let n = 0; n < 50; n++) signal.addEventListener('abort', () => undefined)
      await Promise.all(Array.from({ length: 200 }, () => ask()))
    })
    expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(1)
    await pending
    await sleep(5)
    process.off('warning', onWarning)
    expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(0)
    expect(warnings).toEqual([])
  })

  test('49: 12.7, -5 and Infinity are budgets and no exceptions', async () => {
    const after = async (budgetMs: number): Promise<unknown> => (await timed(() => withDeadline({ budgetMs }, () => (budgetMs === Infinity ? sleep(40) : new Promise(() => undefined))))).error?.['code']
    expect(await Promise.all([12.7, -5, Infinity].map(after))).toEqual(['DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED', undefined])
  })

  test('53: a background loop that runs beside requests never sees their deadline', async () => {
    const seen = new Set<string>()
    let running = true
    const loop = (async () => {
      while (running) {
        seen.add(currentDeadline().state)
        await sleep(1)
      }
    })()
    await Promise.all(Array.from({ length: 20 }, () => withDeadline({ budgetMs: 500 }, () => sleep(10))))
    running = false
    await loop
    expect([...seen]).toEqual(['none'])
  })
})

describe('servers and telemetry', () => {
  test('69: when the time of a handler is up its work stops, not only its answer', async () => {
    let steps = 0
    const url = await listen(
      serve(
        async () => {
          const signal = currentSignal()
          while (signal?.aborted === false) {
            steps++
            await sleep(5)
          }
        },
        { budgetMs: 60 },
      ),
    )
    expect((await fetch(url)).status).toBe(504)
    const after = steps
    await sleep(40)
    expect(steps - after).toBeLessThanOrEqual(1)
  })

  test('71: a deliberate abort is an AbortError and an expiry a TimeoutError, in errors and in records', async () => {
    const records: SandglassRecord[] = []
    cleanups.push(observe((record) => void records.push(record)))
    const ask = call('a.b', { does: 'read', timeoutMs: 30 }, ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))))
    const leaving = new AbortController()
    const cancelled = timed(() => withDeadline({ budgetMs: 1000, signal: leaving.signal }, () => ask()))
    leaving.abort()
    expect((await cancelled).error?.['name']).toBe('AbortError')
    const { error } = await timed(ask)
    expect(error?.['name']).toBe('TimeoutError')
    expect(explain(error)).toMatchObject({ stopped: 'attempts-used' })
    await sleep(5)
    expect(records.map((record) => record.kind === 'call' && [record.cancelled, record.usage])).toEqual([
      [true, 'nobody-waited'],
      [false, 'failed'],
    ])
  })

  test('73: a second copy of the package is said loudly', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const specifier = '../src/context.js?second-copy'
    await import(/* @vite-ignore */ specifier)
    await sleep(5)
    process.off('warning', onWarning)
    expect(warnings.map(({ message }) => message).join()).toContain('copies of @sandglass/runtime are loaded')
  })
})
