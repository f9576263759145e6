import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { readChainText as ReadChainText } from '../../src/model/read-chain.js'
import type { Interval } from '../../src/simulate/interval.js'
import type { simulate as Simulate, SimulateIntervals, SimulateOptions, SimulateResult } from '../../src/simulate/simulate.js'

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The reader of chain files and the simulator. */
export interface Bundle {
  readonly readChainText: typeof ReadChainText
  readonly simulate: typeof Simulate
  /** Where it was written. */
  readonly path: string
}

/**
 * The simulator as the build makes it: in a test runner's own module wrappers tens of millions of events take three times as
 * long. Anything from Node in it would be an error here.
 */
export async function bundled(plugins: Plugin[] = []): Promise<Bundle> {
  const path = join(mkdtempSync(join(tmpdir(), 'sandglass-simulate-')), 'simulate.mjs')
  await build({
    stdin: {
      contents: `export { readChainText } from ${JSON.stringify(file('../../src/model/read-chain.ts'))}
export { simulate } from ${JSON.stringify(file('../../src/simulate/simulate.ts'))}
export { simulateJson } from ${JSON.stringify(file('../../src/report/simulate-json.ts'))}`,
      resolveDir: file('.'),
    },
    outfile: path,
    alias: { '@sandglass/runtime/core': file('../../../runtime/src/core/index.ts') },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    plugins,
  })
  const { readChainText, simulate } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Omit<Bundle, 'path'>
  return { readChainText, simulate, path }
}

const usual = await bundled()

/** What `simulate` gives for the only scenario of a chain file; throws where the text cannot be used, so that a test fails on its own slips. */
export function runChain(text: string, options: SimulateOptions = {}, { readChainText, simulate }: Bundle = usual): SimulateResult {
  const { chain, problems } = readChainText(text)
  const [scenario] = chain.scenarios
  if (problems.length > 0 || !scenario) throw new Error(problems.map(({ message }) => message).join('\n') || 'no scenario')
  const simulated = simulate(chain, scenario, options)
  if (!simulated.ok) throw new Error(simulated.problems.map(({ message }) => message).join('\n'))
  return simulated.result as SimulateResult
}

/** The same with intervals: one run in 30 batches. */
export function runBatches(text: string, batches: number = 30): SimulateIntervals {
  return runChain(text, { batches }) as unknown as SimulateIntervals
}

/** How wide an interval is, as a share of its mean. */
export function halfWidthShare({ mean, high }: Interval): number {
  return (high - mean) / mean
}

/** One value over the windows `from` (inclusive) to `to` of a series. */
export function meanOver(values: readonly number[], from: number, to: number): number {
  return values.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from)
}
