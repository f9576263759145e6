import { parseDuration } from '@sandglass/runtime/core'
import { InvalidArgumentError, Option } from 'commander'
import type { Chain } from '../../model/chain.js'
import { readChainFile } from '../../model/chain-file.js'
import { didYouMean } from '../../model/nearest.js'
import { type ChainPlan, planChain } from '../../plan/plan.js'
import type { PlanOptions } from '../../plan/plan-options.js'
import { writePlan } from '../../plan/write-plan.js'
import { planJson } from '../../report/plan-json.js'
import { planText } from '../../report/plan-text.js'
import { counted } from '../../report/text.js'
import type { CommandModule } from '../commands.js'
import { collect, type FormatChoice, readFormats } from '../formats.js'
import { type LoadedChain, loadChain } from '../load-chain.js'
import { noteLines } from '../note-lines.js'
import { startProgress } from '../progress.js'
import { MAX_FILE_BYTES } from '../read-text.js'
import type { System } from '../system.js'
import { textStyleFor } from '../text-style.js'
import { Unusable } from '../unusable.js'
import { writeOutput } from '../write-output.js'
import { writeReport } from '../write-report.js'

const planFormats = ['text', 'json'] as const

interface Flags {
  readonly write?: boolean
  readonly force?: boolean
  readonly objective: 'success' | 'shortest'
  readonly target?: number
  readonly grid?: number
  readonly attempts: number
  readonly keepTail?: boolean
  readonly journey?: readonly string[]
  readonly format?: readonly string[]
}

/** `sandglass plan [files…]`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description('Derives limits backwards from the promise: timeout, attempts, reserve and floor of each call, with the reason of each.')
      .argument('[files...]', 'chain files that are read as one; - is standard input (default: sandglass.yaml)')
      .option('--write', 'writes the limits into the files, comments and order kept; nothing where a journey does not fit')
      .option('--force', 'with --write: writes what there is, also where a journey does not fit')
      .addOption(
        new Option('--objective <what>', 'success: the most within the promise; shortest: the least time that reaches the target')
          .choices(['success', 'shortest'])
          .default('success'),
      )
      .addOption(new Option('--target <share>', 'success that is asked for, as in 99.9% (default with shortest: 99%)').argParser(shareOf))
      .addOption(
        new Option('--grid <duration>', 'step of the budgets, whole ms (default: 5ms, finer for a short promise)').argParser(gridOf),
      )
      .addOption(
        new Option('--attempts <n>', 'most attempts where the file says none and a repetition is harmless')
          .default(1)
          .argParser(attemptsOf),
      )
      .option('--keep-tail', "no attempt shorter than its callee's p99")
      .option('--journey <name>', 'only this journey; repeatable', collect)
      .addOption(new Option('--format <name[=file]>', `${planFormats.join(', ')}; repeatable (default: text)`).argParser(collect))
      .addHelpText('after', EXAMPLES)
  },
  run: (args, options, system) => plan(args, options as unknown as Flags, system),
}

const EXAMPLES = `
Exit codes: 0 every journey fits; 1 one does not; 2 input or arguments could not be used.

Examples:
  sandglass plan
  sandglass plan --target 99.9% --journey place-order
  sandglass plan shared.yaml services/*/sandglass.yaml --attempts 2 --write
`

const MOST_ATTEMPTS = 10
/** Steps of a promise: more cost minutes and change nothing. */
const MOST_STEPS = 20_000

async function plan(args: readonly string[], flags: Flags, system: System): Promise<number> {
  const formats = formatsOf(flags)
  if (flags.force && !flags.write) throw new Unusable(['sandglass plan: --force says what --write may do; give both'])
  if (flags.write && args.includes('-')) throw new Unusable(['sandglass plan: --write needs files; standard input cannot be written to'])
  const progress = startProgress(system.stderr)
  const loaded = await loadChain(args, system, progress)
  refuseUnknownJourneys(loaded.chain, flags.journey ?? [])
  refuseFineGrid(loaded.chain, flags.grid)
  progress.say('planning')
  const whole = planChain(loaded.chain, optionsOf(flags))
  const shown = chosen(whole, flags.journey)
  if (shown.journeys.length === 0) throw new Unusable(nothingToPlan(shown))
  for (const { name, file } of formats) writeReport(render(name, shown, loaded, file === null, system), file, system)
  progress.done()
  const notes = name(formats) === 'json' ? [] : loaded.notes
  for (const line of [...noteLines(notes), ...(flags.write ? written(shown, loaded, flags, system) : [])]) system.stderr.write(`${line}\n`)
  return shown.journeys.every(({ feasible }) => feasible) ? 0 : 1
}

function name(formats: readonly FormatChoice<(typeof planFormats)[number]>[]): string {
  return formats.find(({ file }) => file === null)?.name ?? ''
}

function optionsOf(flags: Flags): Partial<PlanOptions> {
  return {
    gridMs: flags.grid ?? null,
    attempts: flags.attempts,
    keepTail: flags.keepTail ?? false,
    target: flags.target ?? null,
    objective: flags.objective,
  }
}

function formatsOf({ format = [] }: Flags): readonly FormatChoice<(typeof planFormats)[number]>[] {
  const given = readFormats('plan', format, planFormats)
  return given.length > 0 ? given : [{ name: 'text', file: null }]
}

/** Shared calls are planned for all journeys; what is shown and written is of those that were asked for. */
function chosen(whole: ChainPlan, names: readonly string[] | undefined): ChainPlan {
  if (names === undefined) return whole
  return {
    journeys: whole.journeys.filter(({ name: journey }) => names.includes(journey)),
    notPlanned: whole.notPlanned.filter(({ journey }) => names.includes(journey)),
  }
}

function nothingToPlan({ notPlanned }: ChainPlan): string[] {
  if (notPlanned.length === 0) return ['sandglass plan: there is no journey; a plan starts from a journey and its promise']
  return notPlanned.map(({ journey, why }) => `sandglass plan: ${journey} cannot be planned: ${why}`)
}

function render(format: (typeof planFormats)[number], shown: ChainPlan, loaded: LoadedChain, isStdout: boolean, system: System): string {
  if (format === 'json') return planJson(shown, loaded.notes)
  return isStdout ? planText(shown, textStyleFor(system.stdout, system.env)) : planText(shown)
}

/** Writes the plan into its files and says so. */
function written(shown: ChainPlan, { sources }: LoadedChain, flags: Flags, system: System): string[] {
  const unfit = shown.journeys.filter(({ feasible }) => !feasible)
  if (unfit.length > 0 && !flags.force) {
    return [
      `note: nothing was written, because ${unfit.map(({ name: journey }) => journey).join(', ')} ${unfit.length === 1 ? 'does' : 'do'} not fit; --force writes what there is`,
    ]
  }
  const files = writePlan(shown)
  for (const { source, text } of files) {
    const { problems } = readChainFile({ file: source.file, text })
    if (problems.length > 0) throw new Error(`the plan would have made ${source.file} unreadable: ${problems[0]?.message}`)
  }
  for (const { source, text } of files) writeOutput(`${byteOrderMark(source.file, system)}${text}`, source.file, system)
  if (files.length === 0) return [`note: nothing to write: ${counted(sources.length, 'file')} as planned`]
  return files.map(({ source, changed }) => `note: ${source.file}: wrote the limits of ${counted(changed, 'call')}`)
}

/** What an editor put before the text: reading takes it off, and everything that is not planned stays. */
function byteOrderMark(file: string, system: System): string {
  const [first, second, third] = system.folders.read(file, MAX_FILE_BYTES)
  return first === 0xef && second === 0xbb && third === 0xbf ? '\ufeff' : ''
}

function refuseUnknownJourneys({ journeys }: Chain, names: readonly string[]): void {
  const known = journeys.map(({ name: journey }) => journey)
  const unknown = names.filter((journey) => !known.includes(journey))
  if (unknown.length === 0) return
  const list =
    known.length === 0
      ? 'there is none'
      : `there are ${known.slice(0, 20).join(', ')}${known.length > 20 ? ` and ${known.length - 20} more` : ''}`
  throw new Unusable(unknown.map((journey) => `sandglass plan: there is no journey "${journey}"${didYouMean(journey, known)}; ${list}`))
}

function refuseFineGrid({ journeys }: Chain, gridMs: number | undefined): void {
  if (gridMs === undefined) return
  const longest = Math.max(0, ...journeys.map(({ promiseMs }) => (typeof promiseMs?.value === 'number' ? promiseMs.value : 0)))
  if (longest / gridMs <= MOST_STEPS) return
  throw new Unusable([
    `sandglass plan: --grid ${gridMs}ms cuts the longest promise into more than ${MOST_STEPS} steps; expected at least ${Math.ceil(longest / MOST_STEPS)}ms`,
  ])
}

function shareOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim())
  const value = match ? Number(match[1]) / (match[2] === '%' ? 100 : 1) : Number.NaN
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('expected a share below 100 %, as in 99% or 0.99')
  return value
}

function gridOf(text: string): number {
  const parsed = parseDuration(text)
  if (!parsed.ok || !Number.isInteger(parsed.ms) || parsed.ms < 1)
    throw new InvalidArgumentError('expected a duration in whole ms from 1ms, as in 5ms')
  return parsed.ms
}

function attemptsOf(text: string): number {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 1 && value <= MOST_ATTEMPTS)) throw new InvalidArgumentError(`expected a whole number from 1 to ${MOST_ATTEMPTS}`)
  return value
}
