// Five calls within one request, each with a limit of its own under the deadline of the request.
import { measure } from './measure.mjs'

const work = async (/** @type {AbortSignal | undefined} */ signal) => (signal?.aborted === true ? 0 : 1)
const TIMES = 20_000

/** @type {Record<string, () => Promise<{ ns?: number, bytes?: number }>>} */
const subjects = {
  sandglass: () => sandglass(() => work(undefined)),
  'sandglass, signals used': () => sandglass(({ signal }) => work(signal)),
  'AbortSignal.any': () =>
    measure(async () => {
      const request = new AbortController()
      for (let n = 0; n < 5; n++) await work(AbortSignal.any([request.signal, AbortSignal.timeout(1000)]))
    }, TIMES),
}

async function sandglass(/** @type {(context: { signal: AbortSignal }) => Promise<number>} */ fn) {
  const { call, withDeadline } = await import('@sandglass/runtime')
  const guarded = call('bench.work', { does: 'read', timeoutMs: 1000 }, fn)
  return measure(
    () =>
      withDeadline({ budgetMs: 3000 }, async () => {
        for (let n = 0; n < 5; n++) await guarded()
      }),
    TIMES,
  )
}

const run = subjects[process.argv[2] ?? '']
if (run === undefined) throw new Error(`one of: ${Object.keys(subjects).join(', ')}`)
console.log(JSON.stringify(await run()))
process.exit(0)
