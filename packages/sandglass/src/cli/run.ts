import { Command, CommanderError } from 'commander'
import { didYouMean } from '../model/nearest.js'
import { printable } from '../report/printable.js'
import { type CommandModule, commands } from './commands.js'
import { helpText } from './help-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** Runs one command line (without `node` and the script) and gives the exit code: 0, 1, 2 or 3. Never throws. */
export async function run(argv: readonly string[], system: System): Promise<number> {
  try {
    return await dispatch(argv, system)
  } catch (error) {
    if (error instanceof Unusable) {
      for (const line of error.lines) system.stderr.write(`${printable(line)}\n`)
      return 2
    }
    if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
      system.stderr.write('sandglass: the current folder does not exist any more; change into one that does\n')
      return 2
    }
    system.stderr.write(faultText(error, argv, system))
    return 3
  }
}

async function dispatch(argv: readonly string[], system: System): Promise<number> {
  const [verb, ...rest] = argv
  if (verb === undefined) {
    system.stderr.write(helpText(system.version()))
    return 2
  }
  if (verb === '--help' || verb === '-h' || (verb === 'help' && rest.length === 0)) {
    system.stdout.write(helpText(system.version()))
    return 0
  }
  if (verb === '--version' || verb === '-V') {
    system.stdout.write(`${system.version()}\n`)
    return 0
  }
  if (verb === 'help') return dispatch([rest[0] ?? '', '--help'], system)
  const entry = commands.find(({ name }) => name === verb)
  if (!entry) throw new Unusable([unknownVerb(verb)])
  return perform(verb, await entry.load(), rest, system)
}

function unknownVerb(verb: string): string {
  const names = commands.map(({ name }) => name)
  if (verb.startsWith('-')) {
    return `sandglass: unknown option "${verb}"${didYouMean(verb, ['--help', '--version'])}; a command comes first: ${names.join(', ')}`
  }
  return `sandglass: unknown command "${verb}"${didYouMean(verb, names)}; there are ${names.join(', ')}`
}

async function perform(verb: string, module: CommandModule, args: readonly string[], system: System): Promise<number> {
  let code = 0
  const command = new Command(`sandglass ${verb}`)
    .exitOverride()
    .configureOutput({ writeOut: (text) => system.stdout.write(text), writeErr: () => {} })
    .configureHelp({ helpWidth: system.stdout.columns ?? 100 })
  module.describe(command)
  command.action(async () => {
    // A variable that is not set, most likely: to take it for the current folder would do too much.
    if (command.args.includes('')) throw new Unusable([`sandglass ${verb}: one of the paths is empty; expected a file or a folder`])
    code = await module.run(command.args, command.opts(), system)
  })
  try {
    await command.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new Unusable([usageLine(verb, error.message)])
  }
  return code
}

/** Commander's "error: unknown option '--fromat'\n(Did you mean --format?)" as one line of ours. */
function usageLine(verb: string, message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll("'", '"')
    .replace('(Did you mean', '(did you mean')
    .replace('. Allowed choices are', '; there are')
    .replace(/\.$/, '')
  return `sandglass ${verb}: ${text}; "sandglass ${verb} --help" lists what there is`
}

function faultText(error: unknown, argv: readonly string[], system: System): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `sandglass: this is a fault of sandglass, not of your files. Please report the text below, with the files if you can share them.

sandglass ${system.version()}, Node ${process.version}, ${process.platform} ${process.arch}
sandglass ${argv.join(' ')}
${what}
`
}
