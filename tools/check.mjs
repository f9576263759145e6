// `npm run check`: everything that must hold, each step with its name and time. `npm run check -- lint api` runs only those steps,
// `npm run check -- --skip tests` all the others.
import { existsSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { layoutProblems } from './layout.mjs'
import { linkProblems } from './links.mjs'
import { lockfileProblems } from './lockfile.mjs'
import { trioProblems } from './rule-trio.mjs'
import { node, root, run } from './workspace.mjs'

/** @typedef {{ code: number, output: string }} Result */
/** @typedef {{ name: string, what: string, run: () => Promise<Result> }} Step */

/** @type {(problems: readonly string[]) => Result} */
const listed = (problems) => ({ code: problems.length === 0 ? 0 : 1, output: problems.map((line) => `${line}\n`).join('') })
const bin = (/** @type {string} */ name) => `${root}/node_modules/.bin/${name}`

/** Other steps look at what the apps become, so these are built too. @type {Step} */
const build = {
  name: 'build',
  what: 'sources, strictly typed, and bundles',
  run: async () => {
    const built = await node('tools/build.mjs')
    return built.code === 0 ? node('node_modules/ts7/bin/tsc', ['-b', 'apps/lab']) : built
  },
}

/** The long ones first: they run two at a time. @type {readonly Step[]} */
const steps = [
  { name: 'tests', what: 'unit, property and golden tests', run: () => node('node_modules/vitest/vitest.mjs', ['run']) },
  { name: 'packed', what: 'the tarballs, installed into an empty folder', run: () => node('tools/packed.mjs') },
  { name: 'types', what: 'types of tests and tools', run: () => node('tools/types.mjs') },
  { name: 'api', what: 'the committed reports of public names', run: () => node('tools/api.mjs') },
  {
    name: 'boundaries',
    what: 'who may import whom',
    run: () =>
      node('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', [
        '--config',
        '.dependency-cruiser.mjs',
        ...['packages', 'tools', 'apps', 'spec'].filter((folder) => existsSync(`${root}/${folder}`)),
      ]),
  },
  {
    name: 'unused',
    what: 'files, exports and dependencies nobody uses',
    run: () => node('node_modules/knip/bin/knip.js', ['--no-progress', '--no-config-hints']),
  },
  {
    name: 'lint',
    what: 'promises, any, purity, file length',
    run: () => run(bin('oxlint'), ['--type-aware', '--deny-warnings']),
  },
  {
    name: 'style',
    what: 'format, import order',
    run: () => run(bin('biome'), ['ci', '--colors=off', '--error-on-warnings', '--reporter=concise', '--max-diagnostics=200']),
  },
  { name: 'layout', what: 'names, barrels, state in core', run: async () => listed(layoutProblems(root)) },
  { name: 'rules', what: 'rule, test and page', run: async () => listed(trioProblems(root)) },
  { name: 'lockfile', what: 'installable everywhere', run: async () => listed(lockfileProblems(root)) },
  { name: 'links', what: 'links between the pages', run: async () => listed(linkProblems(root)) },
  { name: 'generated', what: 'generated files are as generated', run: () => node('tools/generated.mjs', ['--check']) },
  { name: 'size', what: 'weight of the runtime', run: () => node('tools/size.mjs') },
]

/** Measures, so nothing may run beside it. @type {Step} */
const speed = { name: 'speed', what: 'time of a small check, start-up included', run: () => node('tools/speed.mjs') }

const args = process.argv.slice(2)
const skips = args[0] === '--skip'
const named = new Set(skips ? args.slice(1) : args)
const names = [build, ...steps, speed].map(({ name }) => name)
const unknown = [...named].filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`no step "${unknown.join('", "')}"; there are: ${names.join(', ')}`)
  process.exit(2)
}
const isChosen = (/** @type {Step} */ { name }) => named.size === 0 || named.has(name) !== skips

let failed = 0

async function perform(/** @type {Step} */ step) {
  const startedAt = performance.now()
  const { code, output } = await step.run()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name.padEnd(10)} ${seconds.padStart(5)} s  ${step.what}`)
  if (code === 0) return
  failed++
  const lines = stripVTControlCharacters(output).trimEnd().split('\n')
  const shown = step.name === 'tests' ? lines.slice(-120) : lines.slice(0, 120)
  console.log(shown.map((line) => `       | ${line}`).join('\n'))
  if (shown.length < lines.length) console.log(`       | … ${lines.length - shown.length} more lines`)
}

async function worker(/** @type {Step[]} */ queue) {
  for (let step = queue.shift(); step; step = queue.shift()) await perform(step)
}

const startedAt = performance.now()
const queue = steps.filter(isChosen)
const total = 1 + queue.length + (isChosen(speed) ? 1 : 0)
await perform(build)
await Promise.all([worker(queue), worker(queue)])
if (isChosen(speed)) await perform(speed)

console.log(`${total - failed} steps ok, ${failed} failed, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
process.exitCode = failed === 0 ? 0 : 1
