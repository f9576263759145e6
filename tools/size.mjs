// What the entries of @sandglass/runtime weigh in a bundle, minified and gzipped, against a budget. Without a bundler nobody counts bytes.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './workspace.mjs'

/** @type {Record<string, number>} */
const budgetBytes = { index: 29_000, 'core/index': 17_500, 'testing/index': 3_000, 'adapters/fetch': 8_500 }

for (const [entry, budget] of Object.entries(budgetBytes)) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`packages/runtime/dist/${entry}.js`],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  console.log(`${entry.padEnd(14)} ${bytes} of ${budget} bytes`)
  if (bytes > budget) {
    console.error(`@sandglass/runtime: ${entry} is ${bytes - budget} bytes over its budget`)
    process.exitCode = 1
  }
}
