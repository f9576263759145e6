import { HELP, readArguments } from './arguments.js'
import { runLab } from './lab.js'
import { tellLab } from './run/control.js'

const args = process.argv.slice(2)
const asked = readArguments(args)
if (asked.kind === 'help') process.stdout.write(`${HELP}\n`)
else if (asked.kind === 'wrong') {
  process.stderr.write(`lab: ${asked.message}\n`)
  process.exitCode = 2
} else if (asked.kind === 'fault') {
  await tellLab(asked.text).then(
    (answer) => process.stdout.write(`${answer}\n`),
    (error: Error) => {
      process.stderr.write(`lab: ${error.message}\n`)
      process.exitCode = 2
    },
  )
} else {
  const command = ['npm run lab', ...(args.length > 0 ? ['--', ...args] : [])].join(' ')
  const { stdout, stderr, env } = process
  const code = await runLab(asked.options, { stdout, stderr, env, command }).catch((error: unknown) => {
    process.stderr.write(`lab: ${error instanceof Error ? error.message : String(error)}\n`)
    return 3
  })
  process.exitCode = code
  // What was broken off may still wait for the end of an arm; everything it started is gone already.
  if (code !== 0) process.exit()
}
