// How long `sandglass check` of a small chain takes, start-up included, against an empty Node. Other processes only ever add time, so the best
// of several runs counts, the two kinds of run alternate, and a round over the limits is repeated.
import { spawnSync } from 'node:child_process'
import { root } from './workspace.mjs'

const chain = 'examples/avalanche/before.yaml'
/** The promise is 150 ms where an empty Node takes 60; on a slower or faster machine both move together. */
const mostTimesEmpty = 2.5

/** @param {readonly string[]} args */
function onceMs(args) {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0 && status !== 1) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - startedAt
}

let emptyMs = Number.POSITIVE_INFINITY
let checkMs = Number.POSITIVE_INFINITY
const isSlow = () => checkMs / emptyMs > mostTimesEmpty

for (let round = 0; round === 0 || (round < 3 && isSlow()); round++) {
  for (let i = 0; i < 12; i++) {
    emptyMs = Math.min(emptyMs, onceMs(['-e', '0']))
    checkMs = Math.min(checkMs, onceMs(['packages/sandglass/bin/sandglass.js', 'check', chain]))
  }
}
console.log(`check ${chain}: ${checkMs.toFixed(0)} ms, ${(checkMs / emptyMs).toFixed(2)} times an empty Node (${emptyMs.toFixed(0)} ms)`)
if (isSlow()) {
  console.error(`at most ${mostTimesEmpty} times an empty Node is allowed`)
  process.exitCode = 1
}
