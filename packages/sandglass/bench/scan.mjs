// What scanning 5,000 source files costs, beside parsing the same files alone: whole processes, medians, runs taken in turn. After a build.
// The sources are those of the packages that are installed here. Options: --files=5000, --processes=3, --json.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url))
const option = (/** @type {string} */ name) => process.argv.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3)
const processes = Number(option('processes') ?? 3)
const most = Number(option('files') ?? 5000)

/** What is promised for 5,000 files on two cores. */
const MOST = { ms: 20_000, rssMb: 1500, timesParsing: 3 }

/** Tells at its end what the process used. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))",
)}`

if (existsSync(path('../dist/cli.js'))) {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-bench-'))
  const { files, bytes } = copySources(path('../../../node_modules'), folder)
  const results = runInTurn({
    parsing: [path('parse-only.mjs'), folder],
    scan: [path('../bin/sandglass.js'), 'scan', folder, '--fail-on', 'never', '--format', `json=${join(folder, 'out.json')}`],
  })
  rmSync(folder, { recursive: true, force: true })
  const ratio = results.scan.cpuMs / results.parsing.cpuMs
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ schemaVersion: 1, files, bytes, processes, most: MOST, results, ratio }, null, 2))
  else print(files, bytes, results, ratio)
  if (files >= 5000 && (results.scan.ms > MOST.ms || results.scan.rssMb > MOST.rssMb || ratio > MOST.timesParsing)) process.exitCode = 1
} else {
  console.error('The package is not built: run "npm run build" first.')
  process.exitCode = 2
}

/** Installed sources under names that no rule leaves out: folders of what is built get another name, everywhere alike. */
function copySources(/** @type {string} */ from, /** @type {string} */ to) {
  let files = 0
  let bytes = 0
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined && files < most; folder = folders.pop()) {
    for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(name)
      if (!entry.isFile() || files >= most || !/\.[cm]?[jt]s$/.test(name) || /\.d\.[cm]?ts$|\.min\.|test|spec/i.test(name)) continue
      const { size } = statSync(join(from, name))
      if (size > 300_000) continue
      const copy = join(
        to,
        name.replace(/(^|\/)(dist|build|out|coverage|vendor|target|generated|node_modules|fixtures|mocks)(?=\/)/g, '$1$2_'),
      )
      mkdirSync(dirname(copy), { recursive: true })
      cpSync(join(from, name), copy)
      files++
      bytes += size
    }
  }
  return { files, bytes }
}

/**
 * The middle run of each, by CPU time.
 * @template {string} N
 * @param {Record<N, readonly string[]>} commands
 */
function runInTurn(commands) {
  const names = /** @type {N[]} */ (Object.keys(commands))
  const runs = Array.from({ length: processes }, () => Object.fromEntries(names.map((name) => [name, once(commands[name])])))
  return /** @type {Record<N, ReturnType<typeof once>>} */ (
    Object.fromEntries(names.map((name) => [name, runs.map((run) => run[name]).toSorted((a, b) => a.cpuMs - b.cpuMs)[processes >> 1]]))
  )
}

function once(/** @type {readonly string[]} */ args) {
  const startedAt = performance.now()
  const { status, output } = spawnSync(process.execPath, ['--import', PRELOAD, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1024 ** 3,
  })
  const ms = performance.now() - startedAt
  const stderr = output[2] ?? ''
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(output[3] ?? '{}')
  return { ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1000, says: stderr.trimEnd().split('\n').at(-1) ?? '' }
}

/**
 * @param {number} files
 * @param {number} bytes
 * @param {Record<string, ReturnType<typeof once>>} results
 * @param {number} ratio
 */
function print(files, bytes, results, ratio) {
  console.log(`${files} files, ${(bytes / 1e6).toFixed(1)} MB, medians of ${processes} processes`)
  for (const [name, { ms, cpuMs, rssMb, says }] of Object.entries(results)) {
    const limit = name === 'scan' ? ` (at most ${MOST.ms / 1000} s, ${MOST.rssMb} MB)` : ''
    console.log(
      `${name.padEnd(8)}${(ms / 1000).toFixed(1).padStart(6)} s${(cpuMs / 1000).toFixed(1).padStart(6)} s CPU${String(Math.round(rssMb)).padStart(7)} MB${limit}   ${says}`,
    )
  }
  console.log(`scanning takes ${ratio.toFixed(2)} times the CPU time of parsing (at most ${MOST.timesParsing})`)
}
