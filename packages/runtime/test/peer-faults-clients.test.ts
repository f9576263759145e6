// Faults that were reported of libraries people use for this, by the number of their row in the list they come from: each must not be ours.
import { getEventListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Pool } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import {
  call,
  currentDeadline,
  currentSignal,
  explain,
  noteExchange,
  observe,
  type SandglassRecord,
  serve,
  withDeadline,
} from '../src/index.js'
import { closeServers, listen, sleep, timed } from './peer-lab.js'

const cleanups: (() => void)[] = []
afterEach(() => {
  closeServers()
  for (const cleanup of cleanups.splice(0)) cleanup()
})

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

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
    const ask = call('a.b', { does: 'read', timeoutMs: 150 }, async ({ signal }, path: string) =>
      (await fetch(`${url}${path}`, { signal })).text(),
    )
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
    const half =
      (status: number) =>
      (response: ServerResponse): void => {
        response.writeHead(status, { 'content-length': '100' })
        response.write('half of it')
      }
    const url = await listen((request, response) => (request.url === '/404' ? half(404) : half(200))(response))
    for (const path of ['/200', '/404']) {
      const ask = call('a.b', { does: 'read', timeoutMs: 500 }, async ({ signal }) => {
        const response = await fetch(`${url}${path}`, { signal })
        noteExchange('body')
        return response.text()
      })
      const { error, tookMs } = await timed(ask)
      expect(error).toMatchObject({ name: 'TimeoutError', code: 'DEADLINE_EXCEEDED', phase: 'body' })
      expect(tookMs).toBeLessThan(1500)
    }
  })

  test('41: the time in the queue of a connection pool counts', async () => {
    const url = await listen((_, response) => void setTimeout(() => response.end('late'), 400))
    const pool = new Pool(url, { connections: 1, pipelining: 1 })
    cleanups.push(() => void pool.destroy())
    const ask = call('a.b', { does: 'read', timeoutMs: 500 }, async ({ signal }) =>
      (await pool.request({ path: '/', method: 'GET', signal })).body.text(),
    )
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
    const ask = call('a.b', { does: 'read', timeoutMs: 3000, signal: shutdown.signal }, async ({ signal }) =>
      (await fetch(url, { signal })).text(),
    )
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
    const after = async (budgetMs: number): Promise<unknown> =>
      (await timed(() => withDeadline({ budgetMs }, () => (budgetMs === Infinity ? sleep(40) : new Promise(() => undefined))))).error?.[
        'code'
      ]
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
    const ask = call(
      'a.b',
      { does: 'read', timeoutMs: 30 },
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
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
