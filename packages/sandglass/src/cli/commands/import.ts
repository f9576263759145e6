import { Option } from 'commander'
import type { Imported } from '../../importers/import-sources.js'
import { readChainFile } from '../../model/chain-file.js'
import { readChainText } from '../../model/read-chain.js'
import { importJson } from '../../report/import-json.js'
import { importYaml } from '../../report/import-yaml.js'
import { counted } from '../../report/text.js'
import type { CommandModule } from '../commands.js'
import { tidyPath } from '../find-files.js'
import { collect } from '../formats.js'
import { importFiles } from '../import-files.js'
import { mergedChain } from '../merged-chain.js'
import { noteLines } from '../note-lines.js'
import { problemLine } from '../problem-line.js'
import { startProgress } from '../progress.js'
import { readText } from '../read-text.js'
import { schemaOf } from '../schema-of.js'
import type { System } from '../system.js'
import { Unusable } from '../unusable.js'
import { writeOutput } from '../write-output.js'

interface ImportOptions {
  readonly format: 'yaml' | 'json'
  readonly out?: string
  readonly merge?: boolean
  readonly force?: boolean
  readonly profile?: readonly string[]
}

const FILE = 'sandglass.yaml'

/** `sandglass import <files…>`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description('Reads configs of a whole system as one chain: every effective limit, where it comes from, and what could not be known.')
      .argument('<files...>', 'configs, or folders of them; - is standard input')
      .addOption(new Option('--format <name>', 'yaml (a chain file) or json (with the notes)').choices(['yaml', 'json']).default('yaml'))
      .option('--out <file>', 'write there instead of to standard output')
      .option('--merge', `add what is new to the chain file of --out (default: ${FILE}), and change nothing that is there`)
      .option('--force', 'replace the file of --out if it is there')
      .option('--profile <name>', 'this profile of Spring is active, instead of those that the files name; repeatable', collect)
      .addHelpText('after', EXAMPLES)
  },
  run: (args, options, system) => importChain(args, options as unknown as ImportOptions, system),
}

const EXAMPLES = `
Examples:
  sandglass import deploy
  sandglass import nginx.conf compose.yaml services/*/application.yml --out sandglass.yaml
  sandglass import deploy --merge
  sandglass import services --profile prod
`

async function importChain(args: readonly string[], options: ImportOptions, system: System): Promise<number> {
  const progress = startProgress(system.stderr)
  const { imported, notRead } = await importFiles(args, system, progress, options.profile ?? [])
  progress.done()
  refuseNothing(args, imported)
  const out = options.merge === true ? tidyPath(options.out ?? FILE) : options.out === undefined ? null : tidyPath(options.out)
  writeOutput(textOf(imported, options, out, system), out, system)
  for (const line of noteLines(imported.notes.map(({ kind, spot, text }) => ({ message: `${kind}: ${text}`, spot }))))
    system.stderr.write(`${line}\n`)
  const calls = imported.file.services.reduce(
    (sum, { part }) =>
      sum + part.operations.reduce((count, operation) => count + operation.part.steps.reduce((all, step) => all + step.calls.length, 0), 0),
    0,
  )
  const left = notRead.length > 0 ? `; not read: ${counted(notRead.length, 'file')}` : ''
  system.stderr.write(
    `${out === null ? '' : `wrote ${out}: `}${counted(imported.file.services.length, 'service')}, ${counted(calls, 'call')}, ${counted(imported.notes.length, 'note')} from ${counted(imported.read.length, 'file')}${left}\n`,
  )
  return 0
}

const MAX_REASONS = 20

/** Says what stands against the files, where that is known. */
function refuseNothing(args: readonly string[], { file, notes }: Imported): void {
  if (file.services.length > 0) return
  const reasons = notes.map(({ spot, text }) => problemLine({ file: spot.source.file, spot, message: text }))
  throw new Unusable([
    ...reasons.slice(0, MAX_REASONS),
    `${args.join(', ')}: nothing that is imported; the guide lists the formats (docs/guide/import.md)`,
  ])
}

function textOf(imported: Imported, options: ImportOptions, out: string | null, system: System): string {
  if (options.format === 'json') {
    if (options.merge === true) throw new Unusable(['sandglass import: --merge writes a chain file; it goes with --format yaml'])
    refuseTaken(out, options, system)
    return importJson(imported)
  }
  const there = out !== null && options.merge === true && system.folders.look(out) !== null ? readText(out, system.folders) : null
  if (there) {
    if (!there.ok) throw new Unusable([problemLine(there.problem)])
    const { problems } = readChainFile(there.source)
    if (problems.length > 0) throw new Unusable(problems.map(problemLine))
    return checkedMerge(mergedChain(there.source, imported), there.source.file)
  }
  refuseTaken(out, options, system)
  const text = importYaml(imported, schemaOf(system))
  const { problems } = readChainText(text)
  if (problems.length > 0) throw new Error(`the imported chain cannot be read back: ${problems.map(problemLine).join('; ')}`)
  return text
}

/** A section written on one line (`services: { … }`) cannot take lines; then nothing is written. */
function checkedMerge(text: string, file: string): string {
  if (readChainFile({ file, text }).problems.length === 0) return text
  throw new Unusable([
    `${file}: cannot be added to, because "services" or "journeys" is empty or written on one line; give each entry a line of its own`,
  ])
}

function refuseTaken(out: string | null, options: ImportOptions, system: System): void {
  if (out === null || options.force === true || system.folders.look(out) === null) return
  throw new Unusable([`${out}: is there already; --merge adds to it, --force replaces it`])
}
