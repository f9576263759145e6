// Faults that were reported of libraries people use for this, by the number of their row in the list they come from: each must not be ours.
import { afterEach, describe, expect, test } from 'vitest'
import { call, callee, createInbound, currentSignal, noteExchange, outbound, remainingMs, serve, withDeadline } from '../src/index.js'
import { useManualClock } from '../src/testing/manual-clock.js'
import { closeServers, listen, sleep, timed } from './peer-lab.js'

const cleanups: (() => void)[] = []
afterEach(() => {
  closeServers()
  for (const cleanup of cleanups.splice(0)) cleanup()
})

describe('deadlines and their propagation', () => {
  test('1: a call with its own deadline inside a parent takes the smaller, and can never extend', async () => {
    const leftOf = (own: number, parent: number): Promise<number> =>
      withDeadline({ budgetMs: parent }, () => withDeadline({ budgetMs: own }, () => remainingMs()))
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
          const ask = call('c.work', { does: 'read' }, async ({ signal }) =>
            (await fetch(c, { signal, headers: outbound('c').headers })).text(),
          )
          response.end((await ask()).value)
        },
        { budgetMs: 5000 },
      ),
    )
    await fetch(c, { headers: { 'request-budget-ms': '1' } }).catch(() => undefined)
    cancelledAt = 0
    const startedAt = performance.now()
    await withDeadline({ budgetMs: 100 }, () => fetch(b, { headers: outbound('b').headers, signal: currentSignal() ?? null })).catch(
      () => undefined,
    )
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
    const ask = call(
      'a.b',
      { does: 'read', timeoutMs: 1000, attemptMs: 30, attempts: 2, backoff: { baseMs: 0 } },
      ({ signal, attempt }) => {
        signals.push(signal)
        return attempt === 1 ? new Promise<string>(() => undefined) : 'second'
      },
    )
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

  test('19: a second exchange that still connects does not unsend the first', async () => {
    let visits = 0
    const ask = call('orders.insert', { does: 'write', timeoutMs: 200, attemptMs: 40, attempts: 3, backoff: { baseMs: 0 } }, () => {
      visits++
      noteExchange('sent')
      noteExchange('connect')
      return new Promise(() => undefined)
    })
    expect((await timed(ask)).error).toMatchObject({ phase: 'sent', outcome: 'unknown' })
    expect(visits).toBe(1)
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
    while (answered === '' && performance.now() - startedAt < 1000)
      answered = await ask().then(
        ({ value }) => value,
        () => '',
      )
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
    const ask = call(
      'a.b',
      { does: 'read', timeoutMs: 500, breaker: { consecutive: 1_000_000, failureRate: 0.99 } },
      async (_, ok: boolean) => {
        if (!ok) throw failure
      },
    )
    const failure = new Error('down')
    for (let n = 0; n < 20_000; n++) await ask(true)
    const before = process.cpuUsage()
    for (let n = 0; n < 1000; n++) await ask(false).catch(() => undefined)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(300)
  })
})
