// `npm run bench -- [names]`: what calls cost, what a check costs, how fast the simulator and the planner are, what importing a large folder and scanning 5,000 sources cost; without a name all of it, one after the other.
// What begins with -- is handed on.
import { spawnSync } from 'node:child_process'
import { root } from './workspace.mjs'

/** @type {Record<string, string>} */
const benches = {
  runtime: 'packages/runtime/bench/run.mjs',
  check: 'packages/sandglass/bench/check.mjs',
  simulate: 'packages/sandglass/bench/simulate.mjs',
  plan: 'packages/sandglass/bench/plan.mjs',
  import: 'packages/sandglass/bench/import.mjs',
  scan: 'packages/sandglass/bench/scan.mjs',
}

const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('--'))
const names = given.filter((argument) => !argument.startsWith('--'))
const unknown = names.find((name) => !Object.hasOwn(benches, name))

if (unknown === undefined) {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    const { status } = spawnSync(process.execPath, [`${root}/${benches[name]}`, ...options], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
} else {
  console.error(`there is no bench "${unknown}"; there are ${Object.keys(benches).join(', ')}`)
  process.exitCode = 2
}
