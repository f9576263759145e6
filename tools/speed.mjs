// How long `sandglass check` of a small chain takes, start-up included, against an empty Node. The best of several runs is compared, because
// a busy machine only ever adds.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from './workspace.mjs'

const chain = ['examples/avalanche/before/sandglass.yaml', 'examples/avalanche/before.yaml'].find((file) => existsSync(`${root}/${file}`))
const rounds = 15
const mostMs = 150
const mostTimesEmpty = 2.5

/** @param {readonly string[]} args */
function onceMs(args) {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0 && status !== 1) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - startedAt
}

/** @param {readonly string[]} args */
const bestMs = (args) => Math.min(...Array.from({ length: rounds }, () => onceMs(args)))

if (!chain) {
  console.error('examples/avalanche has no chain to measure with')
  process.exitCode = 1
} else {
  const emptyMs = bestMs(['-e', '0'])
  const checkMs = bestMs(['packages/sandglass/bin/sandglass.js', 'check', chain])
  const times = checkMs / emptyMs
  console.log(`check ${chain}: ${checkMs.toFixed(0)} ms, ${times.toFixed(2)} times an empty Node (${emptyMs.toFixed(0)} ms)`)
  const limits = `at most ${mostMs} ms and ${mostTimesEmpty} times an empty Node are allowed`
  if (checkMs > mostMs || times > mostTimesEmpty) console.error(limits)
  process.exitCode = checkMs > mostMs || times > mostTimesEmpty ? 1 : 0
}
