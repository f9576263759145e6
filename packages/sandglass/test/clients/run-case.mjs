// The child process of one case: imports its code once for each peer, starts all calls together, and says when each ended.
// node run-case.mjs <module> <capMs> <json: { mode, env }[]>
const [, , file, cap, json] = process.argv
const capMs = Number(cap)
/** @type {{ mode: string, env: Record<string, string> }[]} */
const peers = JSON.parse(json ?? '[]')

/** @type {string[]} */
const stray = []
const keep = (/** @type {unknown} */ error) => void stray.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
process.on('uncaughtException', keep)
process.on('unhandledRejection', keep)

// Nobody is left to listen.
process.on('disconnect', () => process.exit())

const say = (/** @type {object} */ message) => process.send?.(message)

/** @type {{ mode: string, run: () => Promise<unknown> }[]} */
const calls = []
for (const { mode, env } of peers) {
  Object.assign(process.env, env)
  try {
    const { run } = await import(`${file}?${mode}`)
    calls.push({ mode, run })
  } catch (error) {
    say({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

let latestMs = 0
let lookedAt = performance.now()
setInterval(() => {
  const now = performance.now()
  latestMs = Math.max(latestMs, now - lookedAt - 10)
  lookedAt = now
}, 10)

await Promise.all(
  calls.map(async ({ mode, run }) => {
    const startedAt = performance.now()
    const pending = new Promise((resolve) => setTimeout(() => resolve({ end: 'pending', words: '' }), capMs))
    const settled = Promise.resolve()
      .then(run)
      .then(
        (value) => ({ end: 'resolves', words: String(value).slice(0, 200) }),
        (error) => ({ end: 'rejects', words: `${error?.name}: ${error?.code ?? ''} ${error?.message}`.slice(0, 200) }),
      )
    const result = await Promise.race([settled, pending])
    const now = performance.now()
    // Whoever is late just now has not looked at the clock since.
    say({ mode, ms: now - startedAt, latestMs: Math.max(latestMs, now - lookedAt - 10), ...result })
  }),
)
say({ isDone: true, stray: stray.slice(0, 3) })
// The parent ends this process when it has looked at the peers.
setInterval(() => {}, 1000)
