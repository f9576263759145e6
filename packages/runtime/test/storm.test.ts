import { Agent, createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { armedCount } from '../src/clock.js'
import { call, callee, withDeadline } from '../src/index.js'

/** `SANDGLASS_STORM=100000` runs as many as the promise is made for; by default a part of it. */
const REQUESTS = Number(process.env['SANDGLASS_STORM'] ?? 3000)
const IN_FLIGHT = 32

let server: Server
let port = 0
const open = new Set<Socket>()

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, kind = '', ms = '0'] = (request.url ?? '').split('/')
    if (kind === 'hang') return
    if (kind === 'reset') return void request.socket.destroy()
    const answer = (): void => {
      response.statusCode = kind === 'error' ? 500 : 200
      response.write('half ')
      if (kind !== 'stall') response.end('whole')
    }
    if (ms === '0') answer()
    else setTimeout(answer, Number(ms))
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void (server.closeAllConnections(), server.close()))

const agent = new Agent({ keepAlive: true, maxSockets: 100, maxFreeSockets: 20 })

function get(path: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ port, host: '127.0.0.1', path, agent, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => void (text += part))
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(Object.assign(new Error('status'), { status: response.statusCode })),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

// A small generator of its own, so that a storm that failed can be had again.
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

test(`${REQUESTS} requests with aborts, deadlines, errors and slow answers settle once each, in time, and leave nothing behind`, {
  timeout: 600_000,
}, async () => {
  const random = randomFrom(20_261_129)
  const shared = callee('peer', { bulkhead: { slots: 90, queue: { order: 'fifo' } }, retryBudget: 'none' })
  const ask = call(
    'peer.ask',
    { does: 'read', attempts: 3, attemptMs: 120, backoff: { baseMs: 5, maxMs: 20 }, callee: shared },
    ({ signal }, path: string) => get(path, signal),
  )
  const kinds = [...Array.from({ length: 20 }, () => 'ok'), 'slow', 'slow', 'slow', 'error', 'hang', 'reset', 'stall']
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  const counts = { fulfilled: 0, rejected: 0 }
  const settles = new Uint8Array(REQUESTS)
  const lateMs: number[] = []
  // What the loop was late in total: a call cannot settle in a turn that does not come.
  let blockedMs = 0
  let lastTickAt = performance.now()
  const meter = setInterval(() => {
    const nowAt = performance.now()
    blockedMs += Math.max(0, nowAt - lastTickAt - 2)
    lastTickAt = nowAt
  }, 2)

  async function one(n: number): Promise<void> {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'ok'
    const ms = kind === 'slow' ? Math.floor(random() * 150) : kind === 'ok' ? Math.floor(random() * 5) : 0
    const budgetMs = 40 + Math.floor(random() * 360)
    const leaving = new AbortController()
    if (random() < 0.15) setTimeout(() => leaving.abort(), random() * budgetMs * 1.2)
    const startedAt = performance.now()
    const blockedBeforeMs = blockedMs
    const settled = (how: keyof typeof counts): void => {
      counts[how]++
      settles[n] = (settles[n] ?? 0) + 1
      const nowAt = performance.now()
      lateMs.push(nowAt - startedAt - budgetMs - (blockedMs - blockedBeforeMs) - Math.max(0, nowAt - lastTickAt - 2))
    }
    await withDeadline({ budgetMs, signal: leaving.signal }, () => ask(`/${kind}/${ms}`)).then(
      () => settled('fulfilled'),
      () => settled('rejected'),
    )
  }

  let next = 0
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (next < REQUESTS) await one(next++)
    }),
  )
  clearInterval(meter)
  for (let n = 0; n < 400 && (shared.slots?.inUse !== 0 || armedCount() > 0); n++) await new Promise((wake) => setTimeout(wake, 10))
  agent.destroy()
  for (let n = 0; n < 200 && open.size > 0; n++) await new Promise((wake) => setTimeout(wake, 10))
  process.off('unhandledRejection', onUnhandled)

  expect(settles.every((times) => times === 1)).toBe(true)
  expect(counts.fulfilled).toBeGreaterThan(REQUESTS * 0.4)
  expect(counts.rejected).toBeGreaterThan(REQUESTS * 0.1)
  expect(unhandled).toEqual([])
  expect(lateMs.reduce((most, one) => Math.max(most, one), -Infinity)).toBeLessThan(20)
  expect({ inUse: shared.slots?.inUse, waiting: shared.slots?.queue.size, armed: armedCount(), sockets: open.size }).toEqual({
    inUse: 0,
    waiting: 0,
    armed: 0,
    sockets: 0,
  })
})
