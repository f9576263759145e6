import { nodeSystem } from './node-system.js'
import { reasonOf } from './read-text.js'
import { run } from './run.js'

let isLost = false

for (const [name, stream] of [
  ['output', process.stdout],
  ['error', process.stderr],
] as const) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that went away (`sandglass … | head`) is no error; after the first one each further line fails too.
    if (error.code === 'EPIPE' || isLost) return
    isLost = true
    process.exitCode = 2
    if (name === 'output') process.stderr.write(`sandglass: standard output cannot be written: ${reasonOf(error)}\n`)
  })
}

const code = await run(process.argv.slice(2), nodeSystem(new URL('../package.json', import.meta.url)))
process.exitCode = isLost ? 2 : code
