// What a service loads with `import '@sandglass/runtime'`: the files reachable from its entry, each gzipped, against a budget.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './workspace.mjs'

const budgetBytes = 25_000
const dist = join(root, 'packages/runtime/dist')
/** @type {Map<string, number>} */
const sizes = new Map()

function weigh(/** @type {string} */ file) {
  if (sizes.has(file)) return
  const text = readFileSync(file, 'utf8')
  sizes.set(file, gzipSync(text, { level: 9 }).length)
  for (const [, target] of text.matchAll(/^(?:import|export)\b[^'"\n]*['"](\.[^'"]+)['"]/gm)) if (target) weigh(join(dirname(file), target))
}

weigh(join(dist, 'index.js'))
const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 5)
console.log(`@sandglass/runtime: ${total} of ${budgetBytes} bytes, gzipped file by file, in ${sizes.size} files`)
for (const [file, bytes] of largest) console.log(`  ${String(bytes).padStart(6)}  ${relative(dist, file)}`)
process.exitCode = total > budgetBytes ? 1 : 0
