import { Option } from 'commander'
import type { LockfileDiff } from '../../report/diff-report.js'
import { diffSummary } from '../../report/diff-text.js'
import type { CommandModule } from '../commands.js'
import { diffLockfiles } from '../diff-lockfiles.js'
import { collect, type FormatChoice, readFormats } from '../formats.js'
import { isLockfileName } from '../lockfile-names.js'
import { lockfileOf, namedLockfile, ownFolder } from '../lockfile-side.js'
import { startProgress } from '../progress.js'
import type { System } from '../system.js'
import { textStyleFor } from '../text-style.js'
import { Unusable } from '../unusable.js'
import { writeReport } from '../write-report.js'

const diffFormats = ['text', 'json', 'markdown'] as const
type DiffFormat = (typeof diffFormats)[number]

interface DiffOptions {
  readonly lockfile?: boolean
  readonly format?: readonly string[]
  readonly exclude?: readonly string[]
  readonly includeTests?: boolean
}

/** `sandglass diff --lockfile <old> <new> [paths…]`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description('Says which calls in source code may take longer than before, because a library that is updated has other defaults.')
      .argument('<old>', 'the lockfile before: a file, a folder with one, or revision:path as git has it; - is standard input')
      .argument('<new>', 'the lockfile after')
      .argument('[paths...]', "the source code that is scanned with both (default: the new lockfile's folder)")
      .option('--lockfile', 'compare lockfiles (of npm, pnpm, Yarn or Bun)')
      .addOption(new Option('--format <name[=file]>', `${diffFormats.join(', ')}; repeatable (default: text)`).argParser(collect))
      .option('--exclude <pattern>', 'source files that are left out; repeatable', collect)
      .option('--include-tests', 'read tests too')
      .addHelpText('after', EXAMPLES)
  },
  run: (args, options, system) => diff(args, options as DiffOptions, system),
}

const EXAMPLES = `
Exit codes: 0 no call may take longer; 1 one may; 2 input or arguments could not be used.

Examples:
  sandglass diff --lockfile main:package-lock.json package-lock.json
  sandglass diff --lockfile v1.4.0:pnpm-lock.yaml pnpm-lock.yaml services/checkout/src
  sandglass diff --lockfile main: . --format markdown=comment.md
`

async function diff(args: readonly string[], options: DiffOptions, system: System): Promise<number> {
  const [old = '', now = '', ...paths] = args
  const formats = formatsOf(options)
  if (options.lockfile !== true && !(isLockfileName(old) && isLockfileName(now)))
    throw new Unusable([`sandglass diff: ${old} and ${now}: only lockfiles are compared; --lockfile says that they are some`])
  if (old === '-' && now === '-') throw new Unusable(['sandglass diff: standard input cannot be both lockfiles; name one of them'])
  const progress = startProgress(system.stderr)
  const [before, after] = [await namedLockfile(old, system), await namedLockfile(now, system)]
  const code = paths[0] ?? ownFolder(after, '.', system) ?? '.'
  const [ownBefore, ownAfter] = [ownFolder(before, code, system), ownFolder(after, code, system)]
  const pair = {
    names: [old, now] as const,
    before: lockfileOf(before, ownBefore ?? ownAfter ?? code, system),
    after: lockfileOf(after, ownAfter ?? ownBefore ?? code, system),
  }
  const wanted = { exclude: options.exclude ?? [], includeTests: options.includeTests === true }
  const result = await diffLockfiles(pair, paths.length > 0 ? paths : [code], wanted, system, progress)
  progress.done()
  for (const { name, file } of formats) writeReport(await render(name, result, file === null, system), file, system)
  for (const { file, why } of result.notRead) system.stderr.write(`not read: ${file}: ${why}\n`)
  if (!formats.some(({ name, file }) => name === 'text' && file === null)) system.stderr.write(`${diffSummary(result)}\n`)
  return result.changes.some(({ kind }) => kind === 'weaker') ? 1 : 0
}

function formatsOf({ format = [] }: DiffOptions): readonly FormatChoice<DiffFormat>[] {
  const given = readFormats('diff', format, diffFormats)
  return given.length > 0 ? given : [{ name: 'text', file: null }]
}

async function render(name: DiffFormat, result: LockfileDiff, isStdout: boolean, system: System): Promise<string> {
  if (name === 'json') return (await import('../../report/diff-json.js')).diffJson(result)
  if (name === 'markdown') return (await import('../../report/diff-markdown.js')).diffMarkdown(result)
  const { diffText } = await import('../../report/diff-text.js')
  return isStdout ? diffText(result, textStyleFor(system.stdout, system.env)) : diffText(result)
}
