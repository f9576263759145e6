import { parseDuration } from '@sandglass/runtime/core'
import { Option } from 'commander'
import type { Diagnostic, Severity } from '../../model/diagnostic.js'
import { applyIgnores } from '../../model/ignores.js'
import { didYouMean } from '../../model/nearest.js'
import { type NotRead, reaches } from '../../report/check-report.js'
import { printable } from '../../report/printable.js'
import { type ScanReport, scanReport } from '../../report/scan-report.js'
import { counted, summaryLine } from '../../report/text.js'
import { wildcardMatches } from '../../report/wildcard.js'
import { allScanRules } from '../../scan/all-scan-rules.js'
import { withoutKnown, writeBaseline } from '../baseline-file.js'
import { type CheckFormat, checkFormats, renderCheck } from '../check-formats.js'
import type { CommandModule } from '../commands.js'
import { tidyPath } from '../find-files.js'
import { collect, type FormatChoice, readFormats } from '../formats.js'
import { namedNodeVersion } from '../node-versions.js'
import { noteLines } from '../note-lines.js'
import { problemLine } from '../problem-line.js'
import { startProgress } from '../progress.js'
import { type ScannedFiles, scanFiles } from '../scan-files.js'
import type { System } from '../system.js'
import { Unusable } from '../unusable.js'
import { writeReport } from '../write-report.js'

interface ScanOptions {
  readonly format?: readonly string[]
  readonly failOn: Severity | 'never'
  readonly rule?: readonly string[]
  readonly budget?: string
  readonly proxyIdle?: string
  readonly lockfile?: string
  readonly node?: string
  readonly exclude?: readonly string[]
  readonly includeTests?: boolean
  readonly severity?: readonly string[]
  readonly baseline?: string | true
  readonly writeBaseline?: string | true
  readonly verbose?: boolean
  readonly chain?: string
  readonly service?: string
  readonly operation?: string
}

/** `sandglass scan [paths…]`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description(
        'Says which calls in source code can hang, and for how long; TypeScript and JavaScript in depth, Go, Java and Python by their syntax.',
      )
      .argument('[paths...]', 'files, or folders of them (default: this one); tests, declarations and what is built are left out')
      .option('--format <name[=file]>', `${checkFormats.join(', ')}; repeatable (default: text on a terminal, concise when piped)`, collect)
      .addOption(
        new Option('--fail-on <severity>', 'exit 1 where a finding is at least this severe')
          .choices(['error', 'warning', 'info', 'never'])
          .default('error'),
      )
      .option('--budget <duration>', 'the time a request has: what may take longer is an error')
      .option('--proxy-idle <duration>', 'how long what stands before the servers keeps an idle connection: theirs must be longer')
      .option('--lockfile <file>', 'the lockfile that decides which defaults hold (default: those beside and above the files)')
      .option('--node <version>', 'the Node that runs it (default: the nearest Dockerfile, .nvmrc or .node-version)')
      .option('--rule <id>', 'only this rule; repeatable', collect)
      .option(
        '--severity <pattern=severity>',
        'another severity, or off, for the files of a pattern; repeatable, the last one counts',
        collect,
      )
      .option('--exclude <pattern>', 'files that are left out; repeatable', collect)
      .option('--include-tests', 'read tests too')
      .option('--baseline [path]', `leave out what is listed there (default: ${SCAN_BASELINE})`)
      .option('--write-baseline [path]', 'list all findings there, and start at zero')
      .option('--chain <file>', 'write the calls into this chain file, for "sandglass check"; what is there stays as it is')
      .option('--service <name>', "with --chain: whose calls they are (default: the nearest package's name)")
      .option('--operation <name>', 'with --chain: which operation makes them (default: the only one of the service, else request)')
      .option('--verbose', 'say also which calls nothing could be found out about')
      .addHelpText('after', EXAMPLES)
  },
  run: (args, options, system) => scan(args, options as unknown as ScanOptions, system),
}

/** Apart from that of `check`, which knows other findings: writing the one must not lose the other. */
const SCAN_BASELINE = '.sandglass-scan-baseline.json'

const EXAMPLES = `
A finding is silenced by a comment above its line or beside it:
  // sandglass-ignore default-bound: a batch job that may wait

Examples:
  sandglass scan
  sandglass scan services/checkout/src --budget 800ms
  sandglass scan --format sarif=scan.sarif --severity 'scripts/**=info'
  sandglass scan services/checkout --chain sandglass.yaml && sandglass check
`

async function scan(args: readonly string[], options: ScanOptions, system: System): Promise<number> {
  const formats = formatsOf(options.format ?? [], system)
  const ids = await rulesOf(options.rule ?? [])
  const severities = severitiesOf(options.severity ?? [])
  const budgetMs = options.budget === undefined ? null : durationOf(options.budget, '--budget')
  const proxyIdleMs = options.proxyIdle === undefined ? null : durationOf(options.proxyIdle, '--proxy-idle')
  refuseWithoutChain(options)
  refuseStreams(args, options)
  const progress = startProgress(system.stderr)
  const wanted = { exclude: options.exclude ?? [], includeTests: options.includeTests === true }
  const told = {
    budgetMs,
    proxyIdleMs,
    lockfile: options.lockfile ?? null,
    nodeVersion: options.node === undefined ? null : namedNodeVersion(options.node),
    ...wanted,
  }
  const found = await scanFiles(args, told, system, progress)
  progress.done()
  refuseNothing(args, found)
  const written = options.chain === undefined ? [] : await chainLines(options.chain, options, found, system)
  const chosen = found.diagnostics.filter(({ rule }) => ids.includes(rule)).flatMap((one) => severityOf(one, severities))
  const { diagnostics, problems, notes: unused, silenced } = applyIgnores(chosen, found.sources, allIds(), ids)
  const unmatched = severities.filter(({ pattern }) => !found.sources.some(({ file }) => wildcardMatches(pattern, file)))
  const notes = [...found.notes, ...unmatched.map(({ pattern }) => `--severity ${pattern}: no file that was scanned is meant by it`)]
  const report = scanReport({ ...found, diagnostics, notes: unused })
  return tell(report, { formats, options, found: { ...found, notes }, written, silenced, ids, problems: problems.map(problemLine) }, system)
}

interface Telling {
  readonly formats: readonly FormatChoice<CheckFormat>[]
  readonly options: ScanOptions
  readonly found: ScannedFiles
  /** What is to be said of the chain file that was written. */
  readonly written: readonly string[]
  readonly silenced: number
  readonly ids: readonly string[]
  readonly problems: readonly string[]
}

async function tell(
  report: ScanReport,
  { formats, options, found, written, silenced, ids, problems }: Telling,
  system: System,
): Promise<number> {
  const say = (line: string) => system.stderr.write(`${printable(line)}\n`)
  if (options.writeBaseline !== undefined) {
    const file = writeBaseline(baselineAt(options.writeBaseline), report.diagnostics, system)
    say(`note: ${file} now lists ${counted(report.diagnostics.length, 'finding')}, left out with --baseline`)
    return refused(problems, say) ? 2 : 0
  }
  const known = options.baseline === undefined ? null : withoutKnown(baselineAt(options.baseline), report.diagnostics, ids, system, 'scan')
  const shown: ScanReport = known ? { ...report, diagnostics: known.diagnostics } : report
  for (const { name, file } of formats) writeReport(await render(name, shown, file === null, system), file, system)
  const quiet = silenced > 0 ? [`note: ${counted(silenced, 'finding')} silenced by comments`] : []
  const left = found.notRead.map(({ file, why }) => `not read: ${file}: ${why}`)
  const unknown = options.verbose === true ? unknownLines(report) : []
  for (const line of [
    ...left,
    ...found.notes.map((note) => `note: ${note}`),
    ...unknown,
    ...quiet,
    ...(known?.notes ?? []),
    ...noteLines(report.notes),
    ...written,
  ])
    say(line)
  if (!formats.some(({ name, file }) => name === 'text' && file === null)) say(summaryLine(shown))
  if (refused(problems, say)) return 2
  return options.failOn !== 'never' && reaches(shown.diagnostics, options.failOn) ? 1 : 0
}

async function render(name: CheckFormat, report: ScanReport, isStdout: boolean, system: System): Promise<string> {
  return name === 'json' ? (await import('../../report/scan-json.js')).scanJson(report) : renderCheck(name, report, isStdout, system)
}

function baselineAt(given: string | true): string {
  return given === true ? SCAN_BASELINE : given
}

function refused(lines: readonly string[], say: (line: string) => void): boolean {
  for (const line of lines) say(line)
  return lines.length > 0
}

function unknownLines({ calls }: ScanReport): readonly string[] {
  const unknown = calls.filter(({ outcome }) => outcome.state === 'unknown')
  return noteLines(unknown.map(({ library, spot }) => ({ message: `${library}: how long it may take is only known at run time`, spot })))
}

/** `-` is a stream for others: here it would be a file of that name. */
function refuseStreams(args: readonly string[], { chain }: ScanOptions): void {
  if (args.includes('-'))
    throw new Unusable(['sandglass scan: it reads no standard input; name files or folders, or "./-" for a file of that name'])
  if (chain === '-') throw new Unusable(['sandglass scan: --chain writes no standard output; name a file, as in --chain sandglass.yaml'])
}

function refuseWithoutChain({ chain, service, operation }: ScanOptions): void {
  const given = service !== undefined ? '--service' : operation !== undefined ? '--operation' : null
  if (chain === undefined && given !== null) throw new Unusable([`sandglass scan: ${given} goes with --chain <file>`])
}

async function chainLines(
  file: string,
  { service, operation }: ScanOptions,
  found: ScannedFiles,
  system: System,
): Promise<readonly string[]> {
  const { writeChainOfCode } = await import('../chain-of-code.js')
  return writeChainOfCode(found, { file, service, operation }, system)
}

function refuseNothing(args: readonly string[], { sources, files, notRead }: ScannedFiles): void {
  if (files > 0) return
  if (sources.length > 0 || args.some((arg) => notRead.some(({ file }) => file === tidyPath(arg)))) throw new Unusable(linesOf(notRead))
  const [first] = notRead
  const why = first ? `; ${first.file}: ${first.why}` : ''
  throw new Unusable([
    `${args.join(', ') || '.'}: no source files to scan (TypeScript, JavaScript, Vue, Go, Java, Python; tests and what is built are left out)${why}`,
  ])
}

/** More than so many files of which nothing could be read are only counted. */
const MAX_TOLD = 5

function linesOf(notRead: readonly NotRead[]): readonly string[] {
  const more = notRead.length - MAX_TOLD
  const told = notRead.slice(0, MAX_TOLD).map(({ file, why }) => `${file}: ${why}`)
  return more > 0 ? [...told, `and ${counted(more, 'more file')} of which nothing could be read`] : told
}

function allIds(): readonly string[] {
  return allScanRules.map(({ id }) => id)
}

async function rulesOf(ids: readonly string[]): Promise<readonly string[]> {
  for (const id of ids) {
    if (allIds().includes(id)) continue
    const { rulePages } = await import('../rule-pages.generated.js')
    if (Object.hasOwn(rulePages, id))
      throw new Unusable([`sandglass scan: "${id}" is a rule of check, not of scan; there are ${allIds().join(', ')}`])
    throw new Unusable([`sandglass scan: there is no rule "${id}"${didYouMean(id, allIds())}; there are ${allIds().join(', ')}`])
  }
  return ids.length === 0 ? allIds() : ids
}

function durationOf(text: string, option: string): number {
  const read = parseDuration(text)
  if (read.ok && read.ms > 0) return read.ms
  if (read.ok) throw new Unusable([`sandglass scan: ${option} "${text}": expected more than 0, such as 800ms or 5s`])
  throw new Unusable([`sandglass scan: ${option} "${text}": ${read.message}`])
}

const SEVERITIES = ['error', 'warning', 'info', 'off'] as const

interface SeveritySetting {
  readonly pattern: string
  readonly severity: (typeof SEVERITIES)[number]
}

function severitiesOf(given: readonly string[]): readonly SeveritySetting[] {
  return given.map((text) => {
    const equals = text.lastIndexOf('=')
    const severity = SEVERITIES.find((each) => each === text.slice(equals + 1))
    if (equals < 1 || !severity)
      throw new Unusable([
        `sandglass scan: --severity "${text}": expected <pattern>=<severity>, with error, warning, info or off, as in scripts/**=info`,
      ])
    return { pattern: text.slice(0, equals), severity }
  })
}

/** What `--severity pattern=severity` makes of a finding: the last pattern that fits its file counts. */
function severityOf(one: Diagnostic, settings: readonly SeveritySetting[]): readonly Diagnostic[] {
  const setting = settings.findLast(({ pattern }) => wildcardMatches(pattern, one.spot.source.file))
  if (!setting) return [one]
  return setting.severity === 'off' ? [] : [{ ...one, severity: setting.severity }]
}

/** As with `check`: text for people, one line a finding for pipes, annotations besides under GitHub Actions. */
function formatsOf(given: readonly string[], system: System): readonly FormatChoice<CheckFormat>[] {
  const chosen = readFormats('scan', given, checkFormats)
  if (chosen.length > 0) return chosen
  const isAction = system.env['GITHUB_ACTIONS'] === 'true'
  const first: FormatChoice<CheckFormat> = { name: system.stdout.isTerminal || isAction ? 'text' : 'concise', file: null }
  return isAction ? [first, { name: 'github', file: null }] : [first]
}
