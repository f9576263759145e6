// `npm run bench`: medians of several processes for each subject, on every Node that is there, side by side.
// Options: --processes=5 (at least 5 for numbers worth telling), --soak=10000000 (0 leaves it out), --json.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median, NODE_FLAGS } from './measure.mjs'

const option = (/** @type {string} */ name, /** @type {number} */ otherwise) => {
  const given = process.argv.find((one) => one.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}
const processes = option('processes', 5)
const soakCalls = option('soak', 10_000_000)
const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url))

if (!existsSync(here('../dist/index.js'))) {
  console.error('The package is not built: run "npm run build" first.')
  process.exit(2)
}

const other = here('../../../tools/nodes/node_modules/node24/bin/node')
const nodes = [process.execPath, ...(existsSync(other) ? [other] : [])]
  .map((path) => ({ path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }))
  .filter(({ version }, place, all) => all.findIndex((one) => one.version === version) === place)

const tables = [
  {
    title: 'One guarded call: deadline, attempt limit, retry, breaker, bulkhead, record',
    file: 'guarded-call.mjs',
    subjects: [
      'bare',
      'sandglass',
      'sandglass, signal used',
      'sandglass, listened to',
      'cockatiel 3',
      'cockatiel 4',
      'opossum 9',
      'opossum 10',
    ],
  },
  { title: 'Five calls in one request', file: 'five-calls.mjs', subjects: ['sandglass', 'sandglass, signals used', 'AbortSignal.any'] },
  {
    title: 'One call that waits for its answer (bytes held)',
    file: 'pending.mjs',
    subjects: ['bare', 'sandglass', 'AbortSignal.any', 'cockatiel 3', 'cockatiel 4'],
  },
]

/** What needs a newer Node than this one is left out and not failed. */
const runsOn = (/** @type {string} */ subject, /** @type {string} */ version) =>
  !/(cockatiel 4|opossum 10)/.test(subject) || Number(version.slice(1).split('.')[0]) >= 22

/** @typedef {Record<string, Record<string, { ns: number, bytes: number }>>} Table by subject and Node */

/** @type {Record<string, Table>} */
const results = {}
for (const { title, file, subjects } of tables) {
  const table = Object.fromEntries(subjects.map((subject) => [subject, rowOf(file, subject)]))
  results[title] = table
  if (!process.argv.includes('--json')) print(title, table)
}
if (process.argv.includes('--json')) console.log(JSON.stringify({ schemaVersion: 1, processes, results }, null, 2))
if (soakCalls > 0) for (const { path, version } of nodes) soak(path, version)

function rowOf(/** @type {string} */ file, /** @type {string} */ subject) {
  /** @type {Record<string, { ns: number, bytes: number }>} */
  const row = {}
  for (const { path, version } of nodes.filter((node) => runsOn(subject, node.version))) {
    const middle = (/** @type {'ns' | 'bytes'} */ what) =>
      median(Array.from({ length: processes }, () => measured(path, file, subject, what)))
    row[version] = { ns: file === 'pending.mjs' ? 0 : middle('ns'), bytes: middle('bytes') }
  }
  return row
}

/** @returns {number} */
function measured(
  /** @type {string} */ path,
  /** @type {string} */ file,
  /** @type {string} */ subject,
  /** @type {'ns' | 'bytes'} */ what,
) {
  const output = execFileSync(path, [...NODE_FLAGS[what], here(file), subject], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(output)[what]
}

function print(/** @type {string} */ title, /** @type {Table} */ table) {
  const versions = nodes.map(({ version }) => version)
  console.log(`\n${title} (median of ${processes} processes; CPU time and bytes each)`)
  console.log(`${''.padEnd(26)}${versions.map((version) => version.padStart(14) + ''.padStart(12)).join('')}`)
  for (const [subject, row] of Object.entries(table)) {
    const cells = versions.map((version) => {
      const cell = row[version]
      if (cell === undefined) return 'needs newer'.padStart(14) + ''.padStart(12)
      return `${cell.ns === 0 ? '' : `${Math.round(cell.ns)} ns`}`.padStart(14) + `${Math.round(cell.bytes)} B`.padStart(12)
    })
    console.log(`${subject.padEnd(26)}${cells.join('')}`)
  }
}

function soak(/** @type {string} */ path, /** @type {string} */ version) {
  console.log(`\n${soakCalls} calls under one long-lived signal, ${version}`)
  console.log(execFileSync(path, ['--expose-gc', here('soak.mjs'), String(soakCalls)], { encoding: 'utf8' }).trim())
}
