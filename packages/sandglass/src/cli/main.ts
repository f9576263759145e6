import { nodeSystem } from './node-system.js'
import { run } from './run.js'

/** A reader that went away (`sandglass … | head`) is no error. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await run(process.argv.slice(2), nodeSystem(new URL('../package.json', import.meta.url)))
