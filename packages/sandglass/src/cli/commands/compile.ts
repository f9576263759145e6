import type { Chain, Service } from '../../model/chain.js'
import { didYouMean } from '../../model/nearest.js'
import { compiledLimits } from '../../report/compiled-limits.js'
import type { CommandModule } from '../commands.js'
import { loadChain } from '../load-chain.js'
import { noteLines } from '../note-lines.js'
import { startProgress } from '../progress.js'
import type { System } from '../system.js'
import { Unusable } from '../unusable.js'
import { writeReport } from '../write-report.js'

interface CompileOptions {
  readonly service?: string
  readonly out?: string
}

/** `sandglass compile [files…] --service <name>`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description("Writes one service's part of the chain as JSON, for the runtime to read and watch.")
      .argument('[files...]', 'chain files that are read as one; - is standard input (default: sandglass.yaml)')
      .requiredOption('--service <name>', 'the service whose limits are written')
      .option('--out <file>', 'where to (default: standard output)')
      .addHelpText('after', '\nExample:\n  sandglass compile --service order --out order.limits.json\n')
  },
  run: (args, options, system) => compile(args, options as CompileOptions, system),
}

async function compile(args: readonly string[], options: CompileOptions, system: System): Promise<number> {
  const progress = startProgress(system.stderr)
  const { chain } = await loadChain(args, system, progress)
  progress.done()
  const { limits, notes } = compiledLimits(chain, serviceOf(chain, options.service ?? ''))
  writeReport(`${JSON.stringify(limits, null, 2)}\n`, options.out ?? null, system)
  for (const line of noteLines(notes, 20)) system.stderr.write(`${line}\n`)
  return 0
}

function serviceOf(chain: Chain, name: string): Service {
  const service = chain.services.get(name)
  if (service) return service
  const known = [...chain.services.keys()]
  const list =
    known.length === 0
      ? 'there is none'
      : `there are ${known.slice(0, 20).join(', ')}${known.length > 20 ? ` and ${known.length - 20} more` : ''}`
  throw new Unusable([`sandglass compile: there is no service "${name}"${didYouMean(name, known)}; ${list}`])
}
