import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandglass-exit-'))
  await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: join(folder, 'runtime.mjs'),
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a script in a process of its own; says how it ended and how long its own work took. */
function run(script: string): Promise<{ code: number; out: string; tookMs: number }> {
  const path = join(folder, `script-${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(
    path,
    `import { call, capture, withDeadline, limitsFile, observe, detach } from './runtime.mjs'\nconst begun = performance.now()\nprocess.on('exit', () => console.log('took', Math.round(performance.now() - begun)))\n${script}`,
  )
  return new Promise((resolve) => {
    execFile(process.execPath, ['--expose-gc', path], { timeout: 50_000 }, (error, stdout, stderr) => {
      const tookMs = Number(/took (\d+)/.exec(stdout)?.[1] ?? Number.NaN)
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out: stdout + stderr, tookMs })
    })
  })
}

test('the process exits when the work ends, however long the limits were', async () => {
  const { code, tookMs, out } = await run(`
    const ask = call('a.b', { does: 'read', timeoutMs: 60_000, attempts: 3, breaker: {}, bulkhead: { slots: 5 }, hedge: { afterMs: 5000 } }, async () => 1)
    await withDeadline({ budgetMs: 3_600_000 }, () => ask())
    console.log('done')`)
  expect(out).toContain('done')
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(2000)
})

test('a call that hangs with nothing else left is told so, and does not just vanish with the process', async () => {
  const { code, out, tookMs } = await run(`
    const ask = call('a.b', { does: 'read', timeoutMs: 200 }, () => new Promise(() => undefined))
    await ask().catch((error) => console.log(error.code))`)
  expect(out).toContain('DEADLINE_EXCEEDED')
  expect(code).toBe(0)
  expect(tookMs).toBeGreaterThanOrEqual(200)
})

test('a back-off is work: the process stays for it', async () => {
  const { out, code } = await run(`
    const ask = call('a.b', { does: 'read', timeoutMs: 5000, attempts: 2, backoff: { baseMs: 100, jitter: 'none' } }, async ({ attempt }) => {
      if (attempt === 1) throw new Error('first')
      return 'second'
    })
    console.log((await ask()).value)`)
  expect(out).toContain('second')
  expect(code).toBe(0)
})

test('a watched limits file and a listener do not hold the process', async () => {
  writeFileSync(join(folder, 'limits.json'), JSON.stringify({ schemaVersion: 1, service: 'order', calls: {} }))
  const { code, tookMs } = await run(`
    limitsFile(${JSON.stringify(join(folder, 'limits.json'))})
    observe(() => undefined)
    await withDeadline({ budgetMs: 1000 }, () => 1)`)
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(3000)
})

test('a deadline crosses into a worker thread that loads the runtime itself, less the time on the way', async () => {
  writeFileSync(
    join(folder, 'worker.mjs'),
    `import { parentPort } from 'node:worker_threads'
    import { currentSignal, remainingMs, run } from './runtime.mjs'
    parentPort.once('message', (token) => run(token, async () => {
      const leftMs = remainingMs()
      await new Promise((resolve) => currentSignal().addEventListener('abort', resolve))
      parentPort.postMessage({ leftMs, reason: currentSignal().reason.code })
    }))`,
  )
  const { out } = await run(`
    import { Worker } from 'node:worker_threads'
    const worker = new Worker(new URL('./worker.mjs', import.meta.url))
    await new Promise((resolve) => worker.once('online', resolve))
    const startedAt = performance.now()
    const message = await withDeadline({ budgetMs: 600 }, () => {
      worker.postMessage(capture())
      return new Promise((resolve) => setTimeout(() => resolve(new Promise((then) => worker.once('message', then))), 1))
    }).catch(() => new Promise((then) => worker.once('message', then)))
    console.log(JSON.stringify({ ...message, atMs: performance.now() - startedAt }))
    await worker.terminate()`)
  const { leftMs, reason, atMs } = JSON.parse(out.split('\n')[0] ?? '') as { leftMs: number; reason: string; atMs: number }
  expect(leftMs).toBeGreaterThan(100)
  expect(leftMs).toBeLessThan(600)
  expect(reason).toBe('DEADLINE_EXCEEDED')
  expect(atMs).toBeLessThan(900)
})

test('100 000 calls under one long-lived signal leave heap, listeners and warnings as they were, and all that live end when it aborts', {
  timeout: 60_000,
}, async () => {
  const { out, code } = await run(`
    import { getEventListeners } from 'node:events'
    const shutdown = new AbortController()
    let warnings = 0
    process.on('warning', () => warnings++)
    const ask = call('a.b', { does: 'read', timeoutMs: 1000, attemptMs: 450, attempts: 2, breaker: {}, bulkhead: { slots: 20 }, signal: shutdown.signal }, async ({ signal }, n) => (n % 100 === 0 ? signal.aborted : n))
    const heap = async () => {
      for (let n = 0; n < 2; n++) {
        gc()
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      return process.memoryUsage().heapUsed
    }
    for (let n = 0; n < 20_000; n++) await ask(n)
    const before = await heap()
    for (let n = 0; n < 100_000; n++) await ask(n)
    const growthMb = ((await heap()) - before) / 1e6
    const idle = getEventListeners(shutdown.signal, 'abort').length
    const live = Array.from({ length: 1000 }, () => withDeadline({ budgetMs: 60_000, signal: shutdown.signal }, () => new Promise(() => undefined)))
    const busy = getEventListeners(shutdown.signal, 'abort').length
    shutdown.abort(new Error('shutdown'))
    const ended = (await Promise.allSettled(live)).filter(({ reason }) => reason?.code === 'CANCELLED').length
    console.log(JSON.stringify({ growthMb, idle, busy, after: getEventListeners(shutdown.signal, 'abort').length, ended, warnings }))`)
  const { growthMb, ...rest } = JSON.parse(out.split('\n')[0] ?? '') as { growthMb: number; [field: string]: number }
  expect(growthMb).toBeLessThan(5)
  expect(rest).toEqual({ idle: 0, busy: 1, after: 0, ended: 1000, warnings: 0 })
  expect(code).toBe(0)
})
