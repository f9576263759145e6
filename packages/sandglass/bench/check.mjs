// What reading and checking 10,000 services with 50,000 calls costs against js-yaml alone parsing the same text, what many findings and a
// deep chain cost, and what a small chain costs against an empty Node. Every measurement is a process of its own, the two sides take turns,
// and medians of CPU time are told: a busy machine only adds to wall time. On every Node that is there. Options: --processes=5, --json.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deepChain, largeChain } from './large-chain.mjs'

const path = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url))
const option = (/** @type {string} */ name) => process.argv.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3)
const processes = Number(option('processes') ?? 5)

/** What is promised: times js-yaml alone, MB held at most, times an empty Node. */
const MOST = { timesYaml: 4, rssMb: 1000, timesEmpty: 2.5 }

/** @type {Record<string, () => string>} */
const texts = {
  sound: () => largeChain(),
  // So often asked that every pool is full: one finding for nearly every call.
  findings: () => largeChain(10_000, 8, '20/s'),
  deep: () => deepChain(4000),
}

const one = option('one')
if (one) {
  const [subject = '', text = ''] = one.split(' ')
  console.log(JSON.stringify(await measureOne(subject, texts[text]?.() ?? '')))
} else if (existsSync(path('../dist/index.js'))) {
  const results = nodes().map(({ version, executable }) => ({ version, ...measureAll(executable) }))
  if (process.argv.includes('--json')) console.log(JSON.stringify({ schemaVersion: 1, processes, most: MOST, results }, null, 2))
  else for (const result of results) print(result)
} else {
  console.error('The package is not built: run "npm run build" first.')
  process.exitCode = 2
}

/** The Node this runs on, and the other one the checks use where it is installed. */
function nodes() {
  const other = path('../../../tools/nodes/node_modules/node24/bin/node')
  return [process.execPath, ...(existsSync(other) ? [other] : [])]
    .map((executable) => ({ executable, version: execFileSync(executable, ['--version'], { encoding: 'utf8' }).trim() }))
    .filter(({ version }, at, all) => all.findIndex((node) => node.version === version) === at)
}

/** CPU ms of one side, from a text in memory to its end, imports and start-up left out. */
async function measureOne(/** @type {string} */ subject, /** @type {string} */ text) {
  const { load } = await import('js-yaml')
  const { allRules, checkChain, readChainText } = await import('../dist/index.js')
  const before = process.cpuUsage()
  let findings = 0
  let readMs = 0
  if (subject === 'js-yaml') load(text)
  else {
    const { chain, problems } = readChainText(text)
    if (problems[0]) throw new Error(problems[0].message)
    readMs = cpuMs(before)
    findings = checkChain(chain, allRules).report.diagnostics.length
  }
  return { cpuMs: cpuMs(before), readMs, findings, rssMb: process.resourceUsage().maxRSS / 1000 }
}

function cpuMs(/** @type {NodeJS.CpuUsage} */ before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** @returns {{ cpuMs: number, readMs: number, findings: number, rssMb: number }} */
function inProcess(/** @type {string} */ executable, /** @type {string} */ what) {
  return JSON.parse(execFileSync(executable, [fileURLToPath(import.meta.url), `--one=${what}`], { encoding: 'utf8' }))
}

function measureAll(/** @type {string} */ executable) {
  /** @type {Record<'yaml' | 'sound' | 'findings' | 'deep', ReturnType<typeof inProcess>[]>} */
  const runs = { yaml: [], sound: [], findings: [], deep: [] }
  for (let i = 0; i < processes; i++) {
    runs.yaml.push(inProcess(executable, 'js-yaml sound'))
    runs.sound.push(inProcess(executable, 'sandglass sound'))
    runs.findings.push(inProcess(executable, 'sandglass findings'))
    runs.deep.push(inProcess(executable, 'sandglass deep'))
  }
  const middle = (/** @type {keyof typeof runs} */ name) =>
    runs[name].toSorted((a, b) => a.cpuMs - b.cpuMs)[processes >> 1] ?? inProcess(executable, '')
  const [yaml, sound, findings, deep] = [middle('yaml'), middle('sound'), middle('findings'), middle('deep')]
  return { yaml, sound, timesYaml: sound.cpuMs / yaml.cpuMs, findings, deep, start: startUp(executable) }
}

/** Wall time of a whole process: what a person waits for. */
function startUp(/** @type {string} */ executable) {
  const args = [path('../bin/sandglass.js'), 'check', path('../../../examples/avalanche/after.yaml'), '--fail-on', 'never']
  /** @type {{ empty: number[], check: number[] }} */
  const ms = { empty: [], check: [] }
  for (let i = 0; i < processes * 4; i++) {
    ms.empty.push(onceMs(executable, ['-e', '0']))
    ms.check.push(onceMs(executable, args))
  }
  const [emptyMs, checkMs] = [median(ms.empty), median(ms.check)]
  return { emptyMs, checkMs, timesEmpty: checkMs / emptyMs }
}

function onceMs(/** @type {string} */ executable, /** @type {readonly string[]} */ args) {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(executable, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - startedAt
}

/** The middle one of several numbers. */
function median(/** @type {readonly number[]} */ numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

function print(
  /** @type {{ version: string } & ReturnType<typeof measureAll>} */ { version, yaml, sound, timesYaml, findings, deep, start },
) {
  const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`.padStart(9)
  console.log(`\n${version}, medians of ${processes} processes, CPU time`)
  console.log(`js-yaml alone, 5 MB      ${ms(yaml.cpuMs)}`)
  console.log(
    `read and check           ${ms(sound.cpuMs)}   ${timesYaml.toFixed(2)} times (at most ${MOST.timesYaml}); reading ${Math.round(sound.readMs)} ms; ${Math.round(sound.rssMb)} MB (at most ${MOST.rssMb})`,
  )
  console.log(
    `with ${findings.findings} findings${''.padEnd(14 - String(findings.findings).length)}${ms(findings.cpuMs)}   ${Math.round(findings.rssMb)} MB`,
  )
  console.log(`4,000 hops deep          ${ms(deep.cpuMs)}   ${deep.findings} findings, ${Math.round(deep.rssMb)} MB`)
  console.log(
    `check a small chain      ${ms(start.checkMs)}   wall; ${start.timesEmpty.toFixed(2)} times an empty Node's ${Math.round(start.emptyMs)} ms (at most ${MOST.timesEmpty})`,
  )
}
