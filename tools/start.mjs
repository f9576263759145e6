// `npm start`: builds what is missing, then tells the example incident in one screen: what is wrong, what each hop may take, what would happen.
import { node } from './workspace.mjs'

const CLI = 'packages/sandglass/bin/sandglass.js'
const BEFORE = 'examples/avalanche/before.yaml'
const AFTER = 'examples/avalanche/after.yaml'

const built = await node('tools/build.mjs', ['--quiet'], { echo: true })
if (built.code !== 0) process.exit(built.code)

/** What a command prints as JSON; findings are no failure here, a command that cannot run is. */
async function json(/** @type {string[]} */ ...args) {
  const { code, output } = await node(CLI, [...args, '--format', 'json'], { quietErrors: true })
  if (code > 1) throw new Error(`sandglass ${args.join(' ')} ended with ${code}: ${output}`)
  return JSON.parse(output)
}

const [before, after, text, planned, simulated] = await Promise.all([
  json('check', BEFORE),
  json('check', AFTER),
  node(CLI, ['check', BEFORE, '--format', 'text', '--rule', 'amplification'], { quietErrors: true }),
  json('plan', BEFORE),
  json('simulate', BEFORE, '--compare', AFTER),
])

console.log(`
A gateway, an order service, an inventory service and their databases, 3000 orders a second. Before the incident: 30 s on
every layer, two retries on each. After: one budget of 3 s, handed down.

1. What is wrong?   $ npx sandglass check ${BEFORE}

${countsByRule(before, after)}

   One of them in full:

${text.output.trimEnd().split('\n').slice(0, -1).join('\n').trimEnd().replaceAll(/^/gm, '   ')}

2. What may each hop take of the promise?   $ npx sandglass plan ${BEFORE}

${planRows(planned)}

3. The inventory database gets 20 times slower for 40 s.   $ npx sandglass simulate ${BEFORE} --compare ${AFTER}

${simulationRows(simulated)}

   A write has no honest fallback: after the repair an order fails clearly and at once while the database is slow, nothing
   piles up, and the chain comes back by itself.

Your own chain: npx sandglass init, or README.md, "Five minutes with your own chain".`)

function countsByRule(/** @type {any} */ old, /** @type {any} */ repaired) {
  const count = (/** @type {any} */ report) => {
    const counts = new Map()
    for (const { rule } of report.diagnostics) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return counts
  }
  const [wrong, left] = [count(old), count(repaired)]
  const rows = [...new Set([...wrong.keys(), ...left.keys()])].map((rule) => [
    rule,
    String(wrong.get(rule) ?? '-'),
    String(left.get(rule) ?? '-'),
  ])
  const sum = (/** @type {any} */ { summary }) => `${summary.errors} errors, ${summary.warnings} warnings`
  return columns([['rule', 'before', 'after'], ...rows, ['', sum(old), sum(repaired)]])
}

function planRows(/** @type {any} */ plan) {
  const [journey] = plan.journeys
  const rows = journey.calls.map((/** @type {any} */ call) => {
    const tries = call.attempts > 1 ? `, ${call.attempts} attempts of ${duration(call.attemptMs)}` : ''
    return [
      call.path.slice(-2).join(' > '),
      `${duration(call.timeoutMs)}${tries}`,
      `worth starting with ${duration(call.floorMs)} or more left`,
    ]
  })
  const thumbs = journey.alternatives.map((/** @type {any} */ { name, success }) => `${name} ${(success * 100).toFixed(2)} %`).join(', ')
  return `${columns(rows)}\n   success ${(journey.success * 100).toFixed(2)} % when all is well; by rules of thumb: ${thumbs}`
}

function simulationRows(/** @type {any} */ { arms }) {
  const rows = arms.map((/** @type {any} */ { name, journeys, series }) => {
    const [[journey, sums]] = /** @type {[string, any][]} */ (Object.entries(journeys))
    const answered = `${(((sums.succeeded + sums.degraded) / sums.offered) * 100).toFixed(1)} %`
    const back = sums.recoveryMs === null ? 'not within the run' : `${duration(sums.recoveryMs)} after the fault`
    return [name.replace(/.*\//, ''), answered, duration(sums.p99Ms), back, sparkline(series.journeys[journey], series.windowMs)]
  })
  return columns([
    ['', 'answered well', 'p99', 'back to normal', 'good answers a second, from 0 to 90 s; the fault lasts from 20 to 60 s'],
    ...rows,
  ])
}

function sparkline(/** @type {any} */ { goodputPerS }, /** @type {number} */ windowMs) {
  const step = Math.max(1, Math.round(3000 / windowMs))
  const means = []
  for (let i = 0; i < goodputPerS.length; i += step) {
    const windows = goodputPerS.slice(i, i + step)
    means.push(windows.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0) / windows.length)
  }
  const most = Math.max(...means, 1)
  return means.map((mean) => ' ▁▂▃▄▅▆▇█'[Math.round((mean / most) * 8)]).join('')
}

function duration(/** @type {number} */ ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(2))} s`
}

function columns(/** @type {string[][]} */ rows) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => `   ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()).join('\n')
}
