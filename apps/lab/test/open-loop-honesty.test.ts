import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FromLoad, ToLoad } from '../src/load/load-messages.js'
import type { SentRequest } from '../src/load/sent-request.js'
import { quantile } from '../src/measure/quantile.js'
import { buildLab, builtScript } from './lab-under-test.js'

const STALL_MS = 1000
let server: Server
let stalledUntil = 0
let port = 0

beforeAll(async () => {
  buildLab()
  server = createServer((_, response) => void setTimeout(() => response.end('{}'), Math.max(0, stalledUntil - Date.now())))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

/** Stalls the server for a second, a second from now. */
function stallSoon(): void {
  setTimeout(() => (stalledUntil = Date.now() + STALL_MS), 1000)
}

async function openLoop(): Promise<{ latencies: number[]; sent: number }> {
  const load = fork(builtScript('load/load-process.js'), { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await once(load, 'message')
  const requests: SentRequest[] = []
  const settings: ToLoad = {
    type: 'start',
    port,
    operation: '',
    steps: [{ atMs: 0, ratePerS: 100 }],
    durationMs: 3000,
    seed: 4,
    timeoutMs: null,
    graceMs: 2000,
    startAt: Date.now() + 50,
    probe: null,
  }
  stallSoon()
  load.send(settings)
  const sent = await new Promise<number>((resolve) => {
    load.on('message', (message: FromLoad) => {
      if (message.type === 'results') requests.push(...message.requests)
      if (message.type === 'done') resolve(message.sent)
    })
  })
  load.kill()
  return { latencies: requests.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b), sent }
}

/** What most tools do: the next request when the one before it was answered. */
async function closedLoop(): Promise<number[]> {
  const latencies: number[] = []
  stallSoon()
  for (const until = Date.now() + 3000; Date.now() < until; ) {
    const startedAt = performance.now()
    await new Promise<void>((resolve, reject) =>
      get({ port, host: '127.0.0.1' }, (response) => response.resume().on('end', resolve)).on('error', reject),
    )
    latencies.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return latencies.sort((a, b) => a - b)
}

describe('a server that stalls for one second of three', () => {
  it('shows in the latencies of the lab, as it would to users; a closed loop hides it', async () => {
    const { latencies, sent } = await openLoop()
    expect(latencies).toHaveLength(sent)
    // A third of the requests waits between 0 and 1 s: the p90 is near 700 ms, more on a machine that is busy itself.
    const openP90Ms = quantile(latencies, 0.9) ?? 0
    expect(openP90Ms).toBeGreaterThan(500)
    const closed = await closedLoop()
    expect(quantile(closed, 0.9)).toBeLessThan(openP90Ms / 2)
    expect(closed.at(-1)).toBeGreaterThan(500)
  })
})
