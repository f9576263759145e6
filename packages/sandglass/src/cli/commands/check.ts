import { Option } from 'commander'
import type { Severity } from '../../model/diagnostic.js'
import { didYouMean } from '../../model/nearest.js'
import type { Rule } from '../../model/rule.js'
import { checkChain } from '../../report/check-chain.js'
import { type CheckReport, reaches } from '../../report/check-report.js'
import { withOrigins } from '../../report/origin-places.js'
import { rulesNamed } from '../../report/severity-settings.js'
import { counted, summaryLine } from '../../report/text.js'
import { allRules } from '../../rules/all-rules.js'
import { DEFAULT_BASELINE, withoutKnown, writeBaseline } from '../baseline-file.js'
import { type CheckFormat, checkFormats, renderCheck } from '../check-formats.js'
import type { CommandModule } from '../commands.js'
import { collect, type FormatChoice, readFormats } from '../formats.js'
import { type LoadedChain, loadChain } from '../load-chain.js'
import { noteLines } from '../note-lines.js'
import { originSources } from '../origin-sources.js'
import { problemLine } from '../problem-line.js'
import { startProgress } from '../progress.js'
import type { System } from '../system.js'
import { Unusable } from '../unusable.js'
import { writeReport } from '../write-report.js'

interface CheckOptions {
  readonly format?: readonly string[]
  readonly failOn: Severity | 'never'
  readonly rule?: readonly string[]
  readonly baseline?: string | true
  readonly writeBaseline?: string | true
  readonly profile?: readonly string[]
}

/** `sandglass check [files…]`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description('Says what is wrong with a chain: which limits, retries, pools and breakers contradict each other.')
      .argument('[files...]', 'chain files that are read as one; - is standard input (default: sandglass.yaml)')
      .option('--format <name[=file]>', `${checkFormats.join(', ')}; repeatable (default: text on a terminal, concise when piped)`, collect)
      .addOption(
        new Option('--fail-on <severity>', 'exit 1 where a finding is at least this severe')
          .choices(['error', 'warning', 'info', 'never'])
          .default('error'),
      )
      .option('--rule <id>', 'only this rule; repeatable', collect)
      .option('--baseline [path]', `leave out what is listed there (default: ${DEFAULT_BASELINE})`)
      .option('--write-baseline [path]', 'list all findings there, and start at zero')
      .option('--profile <name>', 'in a folder of configs: this profile of Spring is active; repeatable', collect)
      .addHelpText('after', EXAMPLES)
  },
  run: (args, options, system) => check(args, options as unknown as CheckOptions, system),
}

const EXAMPLES = `
A finding is silenced by a comment above its line or beside it:
  # sandglass-ignore inverted: the client is replaced in May

Examples:
  sandglass check
  sandglass check shared.yaml services/*/sandglass.yaml --fail-on warning
  sandglass check --format text --format sarif=sandglass.sarif --format html=chain.html
`

async function check(args: readonly string[], options: CheckOptions, system: System): Promise<number> {
  const formats = formatsOf(options.format ?? [], system)
  const rules = rulesOf(options.rule ?? [])
  const progress = startProgress(system.stderr)
  const loaded = await loadChain(args, system, progress, options.profile ?? [])
  refuseUnknownRules(loaded)
  const {
    report: checked,
    problems: found,
    silenced,
  } = checkChain(loaded.chain, rules, { ...loaded, knownRules: allIds(), onStep: progress.say })
  const report: CheckReport = { ...checked, diagnostics: withOrigins(checked.diagnostics, originSources(system)) }
  const problems = found.map(problemLine)
  progress.done()
  const say = (line: string) => system.stderr.write(`${line}\n`)
  if (options.writeBaseline !== undefined) {
    const file = writeBaseline(options.writeBaseline, report.diagnostics, system)
    say(`note: ${file} now lists ${counted(report.diagnostics.length, 'finding')}, left out with --baseline`)
    return problems.length > 0 ? refuse(problems, say) : 0
  }
  const known = options.baseline === undefined ? null : withoutKnown(options.baseline, report.diagnostics, options.rule ?? allIds(), system)
  const shown: CheckReport = known ? { ...report, diagnostics: known.diagnostics } : report
  for (const { name, file } of formats) writeReport(await renderCheck(name, shown, file === null, system), file, system)
  const notes = [...silencedNotes(silenced), ...(known?.notes ?? []), ...noteLines(report.notes)]
  for (const line of notes) say(line)
  if (!formats.some(({ name, file }) => name === 'text' && file === null)) say(summaryLine(shown))
  if (problems.length > 0) return refuse(problems, say)
  return options.failOn !== 'never' && reaches(shown.diagnostics, options.failOn) ? 1 : 0
}

function refuse(lines: readonly string[], say: (line: string) => void): number {
  for (const line of lines) say(line)
  return 2
}

function silencedNotes(count: number): readonly string[] {
  return count > 0 ? [`note: ${counted(count, 'finding')} silenced by comments`] : []
}

function allIds(): readonly string[] {
  return allRules.map(({ id }) => id)
}

function rulesOf(ids: readonly string[]): readonly Rule[] {
  for (const id of ids) {
    if (!allIds().includes(id))
      throw new Unusable([`sandglass check: there is no rule "${id}"${didYouMean(id, allIds())}; "sandglass explain" lists all`])
  }
  return ids.length === 0 ? allRules : allRules.filter(({ id }) => ids.includes(id))
}

/** A misspelt rule in the chain's `check:` section would silently change nothing. */
function refuseUnknownRules({ chain }: LoadedChain): void {
  const unknown = rulesNamed(chain.check).filter(({ rule }) => !allIds().includes(rule))
  if (unknown.length === 0) return
  throw new Unusable(
    unknown.map(({ rule, spot }) =>
      problemLine({ file: spot.source.file, spot, message: `check: there is no rule "${rule}"${didYouMean(rule, allIds())}` }),
    ),
  )
}

/** Without `--format`: text for people, one line a finding for pipes; under GitHub Actions annotations besides, unless stdout is taken by a machine's format. */
function formatsOf(given: readonly string[], system: System): readonly FormatChoice<CheckFormat>[] {
  const chosen = readFormats('check', given, checkFormats)
  const isAction = system.env['GITHUB_ACTIONS'] === 'true'
  const formats: readonly FormatChoice<CheckFormat>[] =
    chosen.length > 0 ? chosen : [{ name: system.stdout.isTerminal || isAction ? 'text' : 'concise', file: null }]
  const isTaken = formats.some(({ name, file }) => file === null && name !== 'text' && name !== 'concise')
  const isGiven = formats.some(({ name }) => name === 'github')
  return isAction && !isTaken && !isGiven ? [...formats, { name: 'github', file: null }] : formats
}
