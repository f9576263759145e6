// Ten million calls under one signal that lives as long as the process: heap after collection, listeners, warnings, and whether the process ends by itself.
import { getEventListeners } from 'node:events'
import { call, withDeadline } from '@sandglass/runtime'

const calls = Number(process.argv[2] ?? 10_000_000)
const shutdown = new AbortController()
let warnings = 0
process.on('warning', () => warnings++)

const guarded = call(
  'soak.work',
  { does: 'read', timeoutMs: 1000, attemptMs: 450, attempts: 2, breaker: {}, bulkhead: { slots: 20 } },
  async (/** @type {unknown} */ _, /** @type {number} */ n) => n,
)
const derived = call('soak.derived', { does: 'read', timeoutMs: 1000, signal: shutdown.signal }, async ({ signal }) => signal.aborted)

const settledHeap = async () => {
  // Twice, with a turn in between, so that what waits for a finaliser goes as well.
  for (let n = 0; n < 2; n++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  return process.memoryUsage().heapUsed
}

await withDeadline({ budgetMs: Infinity, name: 'process', signal: shutdown.signal }, async () => {
  for (let n = 0; n < 200_000; n++) await guarded(n)
  for (let n = 0; n < 5000; n++) await derived()
  const before = await settledHeap()
  const cpuBefore = process.cpuUsage()
  const rest = calls / 100
  for (let n = 0; n < calls - rest; n++) await guarded(n)
  for (let n = 0; n < rest; n++) await derived()
  const { user, system } = process.cpuUsage(cpuBefore)
  const after = await settledHeap()
  const listeners = getEventListeners(shutdown.signal, 'abort').length
  console.log(
    JSON.stringify({ calls, heapGrowthMb: (after - before) / 1e6, listenersWithin: listeners, warnings, cpuS: (user + system) / 1e6 }),
  )
})
console.log(JSON.stringify({ listenersAfter: getEventListeners(shutdown.signal, 'abort').length, endedAt: performance.now() }))
const endedAt = performance.now()
process.on('exit', () => console.log(JSON.stringify({ exitAfterMs: Math.round(performance.now() - endedAt) })))
