import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { quantile } from '../measure/quantile.js'
import { poissonArrivals, seededRandom } from './arrivals.js'
import type { FromLoad, ToLoad } from './load-messages.js'
import { type LoopClock, runOpenLoop } from './open-loop.js'
import type { End, SentRequest } from './sent-request.js'

// The client, in a process of its own: what it measures must not depend on what else the lab does.

/** How often it tells what has ended (ms). */
const TELL_MS = 200
/** How often a hop is measured (ms). */
const PROBE_MS = 50

process.on('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('message', (message: ToLoad) => {
  if (message.type === 'start') void run(message)
  else process.exit(0)
})

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' })
const underWay = new Map<number, { readonly intendedAt: number; readonly end: (end: End) => void }>()
let ended: SentRequest[] = []

function tell(message: FromLoad): void {
  if (process.connected) process.send?.(message)
}

async function run(settings: Extract<ToLoad, { type: 'start' }>): Promise<void> {
  const { startAt, steps, durationMs, seed, graceMs } = settings
  const beginAt = startAt - Date.now() + performance.now()
  const clock: LoopClock = {
    now: () => performance.now(),
    wake: (at, fn) => setTimeout(fn, Math.max(0, Math.floor(at - performance.now()))),
  }
  const flush = setInterval(tellEnded, TELL_MS)
  const hops = startProbe(settings)
  let number = 0
  const { sent, mostMs } = await runOpenLoop(
    clock,
    poissonArrivals(beginAt, steps, seededRandom(seed)),
    beginAt + durationMs,
    (intendedAt) => {
      number += 1
      send(number, intendedAt, beginAt, settings)
    },
  )
  await waitForAnswers(beginAt + durationMs + graceMs)
  clearInterval(flush)
  const hopMs = hops()
  tellEnded()
  const { user, system } = process.cpuUsage()
  tell({ type: 'done', sent, mostLagMs: mostMs, cpuMs: (user + system) / 1000, hopMs })
}

/** Asks the probe all the time; returns what ends it and tells the median cost of a hop (ms), null when there is none. */
function startProbe({ probe, startAt, durationMs }: Extract<ToLoad, { type: 'start' }>): () => number | null {
  if (probe === null) return () => null
  const costs: number[] = []
  const timer = setInterval(() => {
    if (Date.now() < startAt || Date.now() > startAt + durationMs) return
    const askedAt = performance.now()
    const asked = httpRequest({ host: '127.0.0.1', port: probe.port, path: `/${probe.operation}`, method: 'POST', agent }, (response) => {
      response.on('end', () => costs.push(performance.now() - askedAt - probe.workMs))
      response.resume()
    })
    asked.on('error', () => undefined)
    asked.end()
  }, PROBE_MS)
  return () => {
    clearInterval(timer)
    return quantile(
      costs.sort((a, b) => a - b),
      0.5,
    )
  }
}

function tellEnded(): void {
  if (ended.length > 0) tell({ type: 'results', requests: ended })
  ended = []
}

async function waitForAnswers(untilAt: number): Promise<void> {
  while (underWay.size > 0 && performance.now() < untilAt) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const { end } of underWay.values()) end('gave-up')
}

function send(
  number: number,
  intendedAt: number,
  beginAt: number,
  { port, operation, timeoutMs }: Extract<ToLoad, { type: 'start' }>,
): void {
  const sent = httpRequest(
    { host: '127.0.0.1', port, path: `/${operation}`, method: 'POST', agent, headers: { 'x-lab-request': number } },
    (response) => {
      response.on('end', () => end(endOf(response)))
      response.on('error', () => end('broken'))
      response.resume()
    },
  )
  const giveUp = timeoutMs === null ? undefined : setTimeout(() => end('gave-up'), Math.max(0, intendedAt + timeoutMs - performance.now()))
  const end = (how: End): void => {
    if (!underWay.delete(number)) return
    clearTimeout(giveUp)
    ended.push({ intendedMs: intendedAt - beginAt, latencyMs: performance.now() - intendedAt, end: how })
    if (how === 'gave-up') sent.destroy()
  }
  underWay.set(number, { intendedAt, end })
  sent.on('error', () => end('broken'))
  sent.end()
}

function endOf({ statusCode = 0, headers }: IncomingMessage): End {
  if (statusCode >= 400) return 'failed'
  return headers['request-degraded'] === undefined ? 'full' : 'degraded'
}

tell({ type: 'ready' })
