import { HELP, readArguments } from './arguments.js'
import { runLab } from './lab.js'

const asked = readArguments(process.argv.slice(2))
if (asked.kind === 'help') process.stdout.write(`${HELP}\n`)
else if (asked.kind === 'wrong') {
  process.stderr.write(`lab: ${asked.message}\n`)
  process.exitCode = 2
} else if (asked.kind === 'run') process.exitCode = await runLab(asked.options, { stdout: process.stdout, stderr: process.stderr, env: process.env })
