// How long a plan takes: 50 calls, a 3 s promise, steps of 5 ms; `node packages/sandglass/bench/plan.mjs` after a build.
import { planChain, readChainText } from '../dist/index.js'

const CALLS = 50
const LIMIT_MS = 1000
const RUNS = 5

/** A tree of `count` calls: services of five steps each, one of them in parallel, leaves with a tail. */
function chainOf(/** @type {number} */ count, /** @type {boolean} */ propagates) {
  const deadline = propagates ? '\n    deadline: propagate' : ''
  const services = []
  const leaves = []
  let left = count
  let next = 0
  const leaf = () => {
    const name = `leaf${next++}`
    left--
    leaves.push(
      `  ${name}: { operations: { get: { does: read, latency: { p50: ${4 + (next % 9)}ms, p99: ${60 + (next % 7) * 20}ms }, errors: 0.1% } } }`,
    )
    return `{ to: ${name}.get, attempts: ${propagates ? 1 : 2} }`
  }
  const outer = []
  for (let i = 0; left > 0; i++) {
    const calls = []
    left--
    for (let step = 0; step < 4 && left > 0; step++) calls.push(step === 1 && left > 1 ? `{ parallel: [${leaf()}, ${leaf()}] }` : leaf())
    services.push(
      `  svc${i}:${deadline}\n    operations: { do: { does: write, work: { p50: 2ms, p99: 10ms }, calls: [${calls.join(', ')}] } }`,
    )
    outer.push(`{ to: svc${i}.do }`)
  }
  return `sandglass: 1
defaults: { network: 2ms }
journeys: { j: { promise: 3s, starts: app.start } }
services:
  app:${deadline}
    operations: { start: { does: write, calls: [${outer.join(', ')}] } }
${[...services, ...leaves].join('\n')}
`
}

let slow = false
for (const [name, propagates] of /** @type {const} */ ([
  ['static', false],
  ['propagated', true],
])) {
  const { chain, problems } = readChainText(chainOf(CALLS, propagates))
  if (problems.length > 0) throw new Error(problems[0]?.message)
  const times = []
  let calls = 0
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    const plan = planChain(chain, { gridMs: 5 })
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    calls = plan.journeys[0]?.calls.length ?? 0
    if (plan.journeys[0]?.mode !== name) throw new Error(`planned as ${plan.journeys[0]?.mode}, not ${name}`)
  }
  const first = times[0] ?? 0
  if (first > LIMIT_MS || calls !== CALLS) slow = true
  console.log(
    `${name}: ${calls} calls, 3 s in steps of 5 ms: ${Math.round(first)} ms of CPU the first time, ${Math.round(Math.min(...times))} ms at best (limit ${LIMIT_MS} ms)`,
  )
}
process.exitCode = slow ? 1 : 0
