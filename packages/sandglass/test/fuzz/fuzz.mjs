// `node packages/sandglass/test/fuzz/fuzz.mjs --minutes 10 [--seed 1]`: mutates the example files for so long; ends with 1 and the text at the first fault.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const option = (/** @type {string} */ name, /** @type {number} */ otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? otherwise : Number(process.argv[at + 1])
  if (!(value > 0)) {
    console.error(`--${name} takes a number above 0`)
    process.exit(2)
  }
  return value
}
const minutes = option('minutes', 1)
const seed = option('seed', Math.floor(Math.random() * 2 ** 31) + 1)

const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sandglass-fuzz-'))
await build({
  entryPoints: ['fuzz-once', 'mutate', 'seeds', 'varied'].map((name) => ({ in: file(`${name}.ts`), out: name })),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  alias: { '@sandglass/runtime/core': file('../../../runtime/src/core/index.ts') },
  // The seeds are found beside the sources, not beside the bundle.
  define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
})
const load = (/** @type {string} */ name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
const [{ fuzzOnce }, { mutated, randomFrom }, { seedTexts }, { varied }] = await Promise.all(
  ['fuzz-once', 'mutate', 'seeds', 'varied'].map(load),
)

const seeds = seedTexts()
const random = randomFrom(seed)
const counts = { refused: 0, checked: 0 }
let slowestMs = 0
const endAt = performance.now() + minutes * 60_000
console.log(`seed ${seed}, ${seeds.length} files, ${minutes} minutes`)
while (performance.now() < endAt) {
  let text = seeds[Math.floor(random() * seeds.length)]
  if (random() < 0.8) text = varied(text, random)
  if (random() < 0.4) text = mutated(text, random)
  const startedAt = performance.now()
  try {
    counts[/** @type {'refused' | 'checked'} */ (fuzzOnce(text))]++
  } catch (error) {
    const saved = join(folder, 'fault.yaml')
    writeFileSync(saved, text)
    console.error(`a fault after ${counts.refused + counts.checked} texts; the text is in ${saved}\n`, error)
    process.exit(1)
  }
  slowestMs = Math.max(slowestMs, performance.now() - startedAt)
}
console.log(`${counts.checked} checked, ${counts.refused} refused, slowest ${Math.round(slowestMs)} ms, no fault`)
