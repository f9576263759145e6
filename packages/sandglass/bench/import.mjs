// What importing and checking a folder of 5,000 configs costs: wall time of whole processes and the memory they held, medians. After a build.
// Options: --services=980 (five files each), --processes=3, --json, --keep (names the folder instead of removing it).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeLargeFolder } from './large-folder.mjs'

const path = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url))
const option = (/** @type {string} */ name) => process.argv.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3)
const processes = Number(option('processes') ?? 3)

/** What is promised for 5,000 files on two cores. */
const MOST = { importMs: 10_000, rssMb: 1500 }

/** Tells at its end what the process used. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))",
)}`

if (existsSync(path('../dist/index.js'))) {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-bench-'))
  const files = writeLargeFolder(folder, Number(option('services') ?? 980))
  const results = {
    import: measured(['import', folder, '--out', join(folder, 'out.yaml'), '--force']),
    check: measured(['check', folder, '--fail-on', 'never', '--format', 'json']),
  }
  if (process.argv.includes('--keep')) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
  if (process.argv.includes('--json')) console.log(JSON.stringify({ schemaVersion: 1, files, processes, most: MOST, results }, null, 2))
  else {
    console.log(`${files} files, medians of ${processes} processes, wall time`)
    for (const [name, { ms, cpuMs, rssMb, says }] of Object.entries(results)) {
      const most = name === 'import' ? ` (at most ${MOST.importMs / 1000} s, ${MOST.rssMb} MB)` : ''
      console.log(
        `${name.padEnd(8)}${(ms / 1000).toFixed(1).padStart(6)} s${(cpuMs / 1000).toFixed(1).padStart(6)} s CPU${String(Math.round(rssMb)).padStart(7)} MB${most}   ${says}`,
      )
    }
  }
  // CPU time, because a busy machine only adds to wall time.
  if (files > 4900 && (results.import.cpuMs > MOST.importMs || results.import.rssMb > MOST.rssMb)) process.exitCode = 1
} else {
  console.error('The package is not built: run "npm run build" first.')
  process.exitCode = 2
}

/** The middle one of several runs, with the last line it says. */
function measured(/** @type {readonly string[]} */ args) {
  const runs = Array.from({ length: processes }, () => once(args))
  const [middle] = runs.toSorted((a, b) => a.ms - b.ms).slice(processes >> 1)
  if (!middle) throw new Error('--processes takes a number above 0')
  return middle
}

function once(/** @type {readonly string[]} */ args) {
  const startedAt = performance.now()
  const { status, output } = spawnSync(process.execPath, ['--import', PRELOAD, path('../bin/sandglass.js'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1024 ** 3,
  })
  const ms = performance.now() - startedAt
  const stderr = output[2] ?? ''
  if (status !== 0) throw new Error(`sandglass ${args.join(' ')} ended with ${status}: ${stderr}`)
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(output[3] ?? '{}')
  return { ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1000, says: stderr.trimEnd().split('\n').at(-1) ?? '' }
}
