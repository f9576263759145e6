// One call of a function that answers at once, guarded by a deadline, an attempt limit, retries, a breaker and a bulkhead.
import { measure } from './measure.mjs'

const work = async (/** @type {number} */ n) => n

/** @type {Record<string, () => Promise<{ ns?: number, bytes?: number }>>} */
const subjects = {
  bare: () => measure(work),
  sandglass: () => sandglass((_, n) => work(n)),
  'sandglass, signal used': () => sandglass((context, n) => (context.signal.aborted ? 0 : work(n))),
  'sandglass, listened to': () => sandglass((_, n) => work(n), true),
  'cockatiel 3': () => cockatiel(import('cockatiel3')),
  'cockatiel 4': () => cockatiel(import('cockatiel4')),
  'opossum 9': () => opossum(import('opossum9')),
  'opossum 10': () => opossum(import('opossum10')),
}

async function sandglass(/** @type {(context: { signal: AbortSignal }, n: number) => unknown} */ fn, listens = false) {
  const { call, observe, withDeadline } = await import('@sandglass/runtime')
  if (listens) observe(() => undefined)
  const limits = { does: /** @type {const} */ ('read'), timeoutMs: 1000, attemptMs: 450, attempts: 3, breaker: {}, bulkhead: { slots: 20 } }
  const guarded = call('bench.work', limits, fn)
  return withDeadline({ budgetMs: 3_600_000 }, () => measure((n) => guarded(n)))
}

async function cockatiel(/** @type {Promise<typeof import('cockatiel3')>} */ loading) {
  const { bulkhead, circuitBreaker, ConsecutiveBreaker, ExponentialBackoff, handleAll, retry, timeout, TimeoutStrategy, wrap } =
    await loading
  const policy = wrap(
    retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() }),
    circuitBreaker(handleAll, { halfOpenAfter: 1000, breaker: new ConsecutiveBreaker(5) }),
    timeout(1000, TimeoutStrategy.Cooperative),
    bulkhead(20),
  )
  return measure((n) => policy.execute(() => work(n)))
}

async function opossum(
  /** @type {Promise<{ default: new (fn: unknown, options: object) => { fire(n: number): unknown, shutdown(): void } }>} */ loading,
) {
  // It has no retry: the others do more.
  const { default: CircuitBreaker } = await loading
  const breaker = new CircuitBreaker(work, { timeout: 1000, capacity: 20 })
  const result = await measure((n) => breaker.fire(n))
  breaker.shutdown()
  return result
}

const run = subjects[process.argv[2] ?? '']
if (run === undefined) throw new Error(`one of: ${Object.keys(subjects).join(', ')}`)
console.log(JSON.stringify(await run()))
process.exit(0)
