// What one call costs while it waits for its answer: bytes held by 10 000 calls at once.
const WAITING = 10_000
const pending = () => new Promise(() => undefined)
const subject = process.argv[2] ?? 'sandglass'

const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** @type {unknown[]} */
const held = []
const start = await starter()
const before = heap()
for (let n = 0; n < WAITING; n++) held.push(start())
const bytes = (heap() - before) / WAITING
console.log(JSON.stringify({ bytes }))
process.exit(held.length === WAITING ? 0 : 1)

async function starter() {
  if (subject === 'bare') return pending
  if (subject === 'AbortSignal.any') {
    const request = new AbortController()
    return () => [AbortSignal.any([request.signal, AbortSignal.timeout(60_000)]), pending()]
  }
  if (subject.startsWith('cockatiel')) {
    const { bulkhead, circuitBreaker, ConsecutiveBreaker, handleAll, retry, timeout, TimeoutStrategy, wrap } = await import(
      subject.replace(' ', '')
    )
    const breaker = circuitBreaker(handleAll, { halfOpenAfter: 1000, breaker: new ConsecutiveBreaker(5) })
    const policy = wrap(retry(handleAll, { maxAttempts: 3 }), breaker, timeout(60_000, TimeoutStrategy.Cooperative), bulkhead(WAITING))
    return () => policy.execute(pending)
  }
  const { call } = await import('@sandglass/runtime')
  const limits = { does: /** @type {const} */ ('read'), timeoutMs: 60_000, attempts: 3, breaker: {}, bulkhead: { slots: WAITING } }
  return call('bench.pending', limits, pending)
}
