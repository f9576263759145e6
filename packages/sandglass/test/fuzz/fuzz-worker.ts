import { parentPort, workerData } from 'node:worker_threads'
import { allImporters } from '../../src/importers/all-importers.js'
import type { Source } from '../../src/model/sourced.js'
import { fuzzOnce } from './fuzz-once.js'
import { importOnce } from './import-once.js'
import { importRound } from './import-round.js'
import { importSeeds } from './import-seeds.js'
import { mutated, randomFrom } from './mutate.js'
import { seedTexts } from './seeds.js'
import { varied } from './varied.js'

/** What `fuzz.mjs` runs in a thread: texts of one target, one after the other, each told before it is tried. */
const { target, seed, forMs } = workerData as { target: string; seed: number; forMs: number }
/** CPU time for texts of at most 64,000 characters each; what takes longer grows faster than its text. */
const MOST_CPU_MS = 3000

const random = randomFrom(seed)
const outcomes: Record<string, number> = {}
let slowestMs = 0

function attempt(sources: readonly Source[], once: (sources: readonly Source[]) => string): void {
  parentPort?.postMessage({ kind: 'text', sources })
  const before = process.cpuUsage()
  try {
    const outcome = once(sources)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    parentPort?.postMessage({ kind: 'fault', message, sources })
  }
  const { user, system } = process.cpuUsage(before)
  const tookMs = (user + system) / 1000
  slowestMs = Math.max(slowestMs, tookMs)
  // What hangs from here on is the making of the next text.
  parentPort?.postMessage({ kind: 'text', sources: [] })
  if (tookMs > MOST_CPU_MS)
    parentPort?.postMessage({
      kind: 'fault',
      message: `takes ${Math.round(tookMs)} ms of CPU time for ${sources.map(({ text }) => text.length).join(' + ')} characters`,
      sources,
    })
}

function chainText(seeds: readonly string[]): string {
  let text = seeds[Math.floor(random() * seeds.length)] ?? ''
  if (random() < 0.8) text = varied(text, random)
  return random() < 0.4 ? mutated(text, random) : text
}

const endAt = performance.now() + forMs
if (target === 'chain') {
  const seeds = seedTexts()
  while (performance.now() < endAt)
    attempt([{ file: 'sandglass.yaml', text: chainText(seeds) }], ([source]) => fuzzOnce(source?.text ?? ''))
} else if (target !== 'list') {
  const seeds = importSeeds()
  outcomes['seeds'] = seeds.get(target)?.length ?? 0
  while (performance.now() < endAt) attempt(importRound(target, seeds, random), (sources) => importOnce(target, sources))
}
const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
parentPort?.postMessage({
  kind: 'end',
  formats: allImporters.map(({ format }) => format),
  line: `${counts.join(', ')}, slowest ${Math.round(slowestMs)} ms`,
})
