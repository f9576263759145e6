// `npm run fuzz -- [--target chain|<format>|formats] [--minutes 10] [--seed 1]`: mutates texts for so long; `formats` is every importer, so long each.
// Without a target the chain files of the examples are mutated. Ends with 1 where there was a fault; its texts are in files that are named.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'

/** A text that takes more CPU time than this is a hang; a busy machine only adds to wall time. */
const HANG_MS = 30_000
const WATCH_EVERY_MS = 1000
const MOST_SHOWN = 600

const given = (/** @type {string} */ name) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const option = (/** @type {string} */ name, /** @type {number} */ otherwise) => {
  const value = Number(given(name) ?? otherwise)
  if (!(value > 0)) {
    console.error(`--${name} takes a number above 0`)
    process.exit(2)
  }
  return value
}
const minutes = option('minutes', 1)
const seed = option('seed', Math.floor(Math.random() * 2 ** 31) + 1)
const target = given('target') ?? 'chain'

const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sandglass-fuzz-'))
await build({
  entryPoints: [{ in: file('fuzz-worker.ts'), out: 'fuzz-worker' }],
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  alias: { '@sandglass/runtime/core': file('../../../runtime/src/core/index.ts') },
  // The seeds are found beside the sources, not beside the bundle.
  define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
})

/** @type {Set<string>} */
const faults = new Set()

/**
 * The words of one fault once: the texts go to a folder of their own.
 * @param {string} of
 * @param {string} message
 * @param {readonly { file: string, text: string }[]} sources
 */
function fault(of, message, sources) {
  // Numbers and quoted words differ from text to text; the fault is the same.
  const kind = `${of}: ${message}`
    .replace(/"(?:[^"\\]|\\.)*"|\d+/g, '#')
    .split('\n')
    .slice(0, 2)
    .join('\n')
  if (faults.has(kind)) return
  const saved = join(folder, `${of.replace(/\W+/g, '-')}-${faults.size}`)
  faults.add(kind)
  mkdirSync(saved)
  for (const [index, source] of sources.entries()) writeFileSync(join(saved, `${index}-${basename(source.file)}`), source.text)
  writeFileSync(join(saved, 'message'), message)
  console.error(`${of}: a fault; the texts are in ${saved}\n${message.slice(0, MOST_SHOWN)}\n`)
}

/**
 * Runs one target in a thread of its own, which is ended where a text does not come to an end.
 * @param {string} of
 * @param {number} endAt
 * @param {number} workerSeed
 * @returns {Promise<{ formats: readonly string[], line: string }>}
 */
function run(of, endAt, workerSeed) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(join(folder, 'fuzz-worker.mjs'), {
      workerData: { target: of, seed: workerSeed, forMs: endAt - performance.now() },
    })
    let last = { cpu: process.cpuUsage(), sources: /** @type {readonly { file: string, text: string }[]} */ ([]) }
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(last.cpu)
      if ((user + system) / 1000 < HANG_MS) return
      clearInterval(watch)
      fault(of, `does not come to an end in ${HANG_MS / 1000} s: ${last.sources.map((source) => source.file).join(', ')}`, last.sources)
      void worker
        .terminate()
        .then(() => (performance.now() < endAt ? run(of, endAt, workerSeed + 1) : { formats: [], line: 'a hang' }))
        .then(resolve, reject)
    }, WATCH_EVERY_MS)
    worker.on('message', (message) => {
      if (message.kind === 'text') last = { cpu: process.cpuUsage(), sources: message.sources }
      else if (message.kind === 'fault') fault(of, message.message, message.sources)
      else {
        clearInterval(watch)
        resolve(message)
      }
    })
    worker.on('error', (error) => {
      clearInterval(watch)
      fault(of, String(error.stack ?? error), last.sources)
      resolve({ formats: [], line: 'ended' })
    })
  })
}

const inMinutes = () => performance.now() + minutes * 60_000
const { formats } = await run('list', performance.now(), seed)
const targets = target === 'formats' ? formats : [target]
if (target !== 'formats' && target !== 'chain' && !formats.includes(target)) {
  console.error(`there is no target "${target}"; there are chain, formats, ${formats.join(', ')}`)
  process.exit(2)
}
for (const of of targets) {
  console.log(`${of}: seed ${seed}, ${minutes} minutes`)
  const { line } = await run(of, inMinutes(), seed)
  console.log(`${of}: ${line}`)
}
console.log(faults.size === 0 ? 'no fault' : `${faults.size} faults`)
process.exitCode = faults.size === 0 ? 0 : 1
