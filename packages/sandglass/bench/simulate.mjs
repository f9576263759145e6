// How fast the simulator is and what it holds: events per CPU second for the reference incident, memory from one to ten million
// requests, and the avalanche of examples/. Each measurement is a process of its own; `--runs=3` of them, the median is printed.
// CPU time and not wall time is measured, because a busy machine only ever adds to the latter; the avalanche prints both.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const option = (/** @type {string} */ name) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

/** The reference incident, its parts as options. */
function incident({
  call = '',
  server = '',
  operation = '',
  seconds = 300,
  faults = '[{ on: server.work, at: 60s, for: 10s, capacity: x0.2 }]',
} = {}) {
  return `
sandglass: 1
journeys: { ask: { starts: client.ask } }
services:
  client: { kind: client, operations: { ask: { does: read, calls: [{ to: server.work, attempt: 3s, attempts: 5, deadline: propagate, cancel: stops-here${call} }] } } }
  server: { concurrency: 10, deadline: propagate${server}, operations: { work: { does: read, latency: { exponential: 10ms }${operation} } } }
scenarios: { s: { load: { ask: 620/s }, duration: ${seconds}s, warmup: 10s, faults: ${faults} } }
`
}

/** @type {Record<string, () => string>} */
const chains = {
  'incident: serves everything': () => incident(),
  'incident: admission expired': () => incident({ server: ', admission: expired' }),
  'incident: back-off': () => incident({ call: ', backoff: { base: 100ms, max: 20s, jitter: full }' }),
  'incident: can-finish': () => incident({ server: ', admission: can-finish', operation: ', floor: 50ms' }),
  'incident: retry budget': () => incident({ call: ', retryBudget: 10%' }),
  'avalanche before': () => readFileSync(file('../../../examples/avalanche/before.yaml'), 'utf8'),
  'avalanche after': () => readFileSync(file('../../../examples/avalanche/after.yaml'), 'utf8'),
  '1 million requests': () => incident({ seconds: 1613, faults: '[]' }),
  '10 million requests': () => incident({ seconds: 16_130, faults: '[]' }),
  '1 million requests, late ones dropped': () => incident({ server: ', admission: expired', seconds: 1613 }),
  '10 million requests, late ones dropped': () => incident({ server: ', admission: expired', seconds: 16_130 }),
}

const one = option('one')
const bundle = option('bundle')
if (one && bundle) await measureOne(one, bundle)
else await measureAll(Number(option('runs') ?? 3))

async function measureAll(/** @type {number} */ runs) {
  const path = file('../../../.cache/bench-simulate.mjs')
  const { build } = await import('esbuild')
  await build({
    stdin: {
      contents: `export { readChainText } from ${JSON.stringify(file('../src/model/read-chain.ts'))}\nexport { simulate } from ${JSON.stringify(file('../src/simulate/simulate.ts'))}`,
      resolveDir: file('.'),
    },
    outfile: path,
    alias: { '@sandglass/runtime/core': file('../../runtime/src/core/index.ts') },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })
  console.log(`Node ${process.version}, median of ${runs} processes\n`)
  console.log(
    ['', 'events', 'million/CPU s', 'CPU s', 'wall s', 'peak MB']
      .map((text, i) => (i === 0 ? text.padEnd(40) : text.padStart(14)))
      .join(''),
  )
  for (const name of Object.keys(chains)) {
    const results = Array.from({ length: name.startsWith('10 million') ? 1 : runs }, () => childResult(name, path)).sort(
      (a, b) => a.cpuMs - b.cpuMs,
    )
    const { events, cpuMs, wallMs, peakMb } = results[results.length >> 1] ?? results[0]
    const cells = [events, (events / cpuMs / 1000).toFixed(2), (cpuMs / 1000).toFixed(2), (wallMs / 1000).toFixed(2), peakMb.toFixed(1)]
    console.log(name.padEnd(40) + cells.map((cell) => String(cell).padStart(14)).join(''))
  }
}

function childResult(/** @type {string} */ name, /** @type {string} */ path) {
  const text = execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), `--one=${name}`, `--bundle=${path}`], {
    encoding: 'utf8',
  })
  return JSON.parse(text)
}

/** One run in this process, after a short one that lets the compiler see the code. */
async function measureOne(/** @type {string} */ name, /** @type {string} */ path) {
  const { readChainText, simulate } = await import(pathToFileURL(path).href)
  const run = (/** @type {string} */ text) => {
    const { chain, problems } = readChainText(text)
    if (problems.length > 0) throw new Error(problems[0].message)
    return simulate(chain, chain.scenarios[0], { seed: 1 }).result
  }
  run(incident({ seconds: 20, faults: '[{ on: server.work, at: 5s, for: 10s, capacity: x0.2 }]' }))
  globalThis.gc?.()
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const result = run(chains[name]?.() ?? '')
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  globalThis.gc?.()
  process.stdout.write(
    JSON.stringify({ events: result.events, cpuMs: (user + system) / 1000, wallMs, peakMb: process.resourceUsage().maxRSS / 1000 }),
  )
}
