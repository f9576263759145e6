import { InvalidArgumentError, Option } from 'commander'
import type { Chain, Scenario } from '../../model/chain.js'
import type { Note, Problem } from '../../model/diagnostic.js'
import { simulateJson } from '../../report/simulate-json.js'
import { factsOf, type SimulateReport } from '../../report/simulate-report.js'
import { simulateText } from '../../report/simulate-text.js'
import { chooseScenario } from '../../simulate/choose-scenario.js'
import { type Arm, type CompareResult, runCompare } from '../../simulate/compare.js'
import { loadOf } from '../../simulate/scenario-load.js'
import { simulate as run, type SimulateIntervals, type SimulateOptions, type SimulateResult } from '../../simulate/simulate.js'
import { runSweep, type SweepResult } from '../../simulate/sweep.js'
import { readSweep } from '../../simulate/sweep-target.js'
import type { CommandModule } from '../commands.js'
import { collect, type FormatChoice, readFormats } from '../formats.js'
import { loadChain } from '../load-chain.js'
import { noteLines } from '../note-lines.js'
import { problemLine } from '../problem-line.js'
import { type Progress, startProgress } from '../progress.js'
import type { System } from '../system.js'
import { textStyleFor } from '../text-style.js'
import { Unusable } from '../unusable.js'
import { writeReport } from '../write-report.js'

const simulateFormats = ['text', 'json', 'html'] as const

interface Flags {
  readonly scenario?: string
  readonly compare?: readonly string[]
  readonly sweep?: string
  readonly seed: number
  readonly seeds: number
  readonly batches: number
  readonly timing?: boolean
  readonly report?: string
  readonly format?: readonly string[]
}

/** `sandglass simulate [files…]`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description("Says what happens under load and faults: runs a scenario in virtual time with the runtime's own policies.")
      .argument('[files...]', 'chain files that are read as one; - is standard input (default: sandglass.yaml)')
      .option(
        '--scenario <name>',
        'which scenario of the file (default: the only one; without any, every journey at its own rate for a minute)',
      )
      .option('--compare <file>', 'the same load on this chain too; repeatable', collect)
      .option('--sweep <target=values>', 'a curve, as in "gateway.place-order>order.create.timeout=1s..30s"')
      .addOption(new Option('--seed <number>', 'the first seed; the same seed gives the same output').default(1).argParser(whole(0)))
      .addOption(
        new Option('--seeds <number>', 'so many runs: every number becomes a mean with its 99 % interval')
          .default(1)
          .argParser(whole(1, 1000)),
      )
      .addOption(new Option('--batches <number>', 'intervals from one run, cut into so many parts').default(1).argParser(whole(1, 1000)))
      .option('--timing', 'adds events per second, which differ from run to run')
      .option('--report <file>', 'also writes one page with charts; the same as --format html=<file>')
      .addOption(new Option('--format <name[=file]>', `${simulateFormats.join(', ')}; repeatable (default: text)`).argParser(collect))
      .addHelpText(
        'after',
        '\nExamples:\n  sandglass simulate --scenario slow-inventory\n  sandglass simulate before.yaml --compare after.yaml --seeds 5 --report avalanche.html\n  sandglass simulate --sweep "gateway.place-order>order.create.timeout=1s..30s" --format json\n',
      )
  },
  run: (args, options, system) => simulate(args, options as unknown as Flags, system),
}

function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`expected a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`)
    return value
  }
}

/** What was run, for JSON and for people. */
interface Outcome {
  readonly json: SimulateResult | SimulateIntervals | CompareResult | SweepResult
  readonly arms: SimulateReport['arms']
  readonly sweep: SweepResult | null
  readonly scenario: Scenario
  readonly notes: readonly Note[]
}

async function simulate(args: readonly string[], flags: Flags, system: System): Promise<number> {
  const formats = formatsOf(flags)
  if (flags.sweep !== undefined && flags.compare !== undefined)
    throw new Unusable(['sandglass simulate: --sweep and --compare are two different things; give one of them'])
  if (flags.seeds > 1 && flags.batches > 1)
    throw new Unusable(['sandglass simulate: --seeds and --batches both give intervals; give one of them'])
  const progress = startProgress(system.stderr)
  const loaded = await loadChain(args, system, progress)
  const outcome = await runAll(args, loaded.chain, flags, system, progress)
  const report: SimulateReport = { ...outcome, facts: factsOf(outcome.scenario, ratesOf(loaded.chain, outcome.scenario)) }
  for (const { name, file } of formats) writeReport(await render(name, outcome, report, system), file, system)
  progress.done()
  for (const line of noteLines([...loaded.notes, ...outcome.notes])) system.stderr.write(`${line}\n`)
  return 0
}

function formatsOf({ format = [], report }: Flags): readonly FormatChoice<(typeof simulateFormats)[number]>[] {
  const given = readFormats('simulate', format, simulateFormats)
  const chosen = given.length > 0 ? given : [{ name: 'text' as const, file: null }]
  return report === undefined ? chosen : [...chosen, { name: 'html', file: report }]
}

async function runAll(args: readonly string[], chain: Chain, flags: Flags, system: System, progress: Progress): Promise<Outcome> {
  const chosen = chooseScenario(chain, flags.scenario)
  if (!chosen.ok) throw new Unusable([`sandglass simulate: ${chosen.message}`])
  const { scenario } = chosen
  const options: SimulateOptions = {
    seed: flags.seed,
    seeds: flags.seeds,
    batches: flags.batches,
    ...(flags.timing ? { clock: () => performance.now() } : {}),
    onProgress: (share) => progress.say(`simulating ${scenario.name}: ${Math.floor(share * 100)} %`),
  }
  if (flags.sweep !== undefined) return sweepRun(flags.sweep, chain, scenario, options)
  if (flags.compare !== undefined) return compareRun(armName(args), flags.compare, { chain, scenario, options }, system, progress)
  const simulated = run(chain, scenario, options)
  if (!simulated.ok) throw unusable(simulated.problems)
  return { json: simulated.result, arms: [{ name: '', result: simulated.result }], sweep: null, scenario, notes: simulated.notes }
}

function sweepRun(text: string, chain: Chain, scenario: Scenario, options: SimulateOptions): Outcome {
  const read = readSweep(text, chain, scenario)
  if (!read.ok) throw new Unusable([`sandglass simulate: ${read.message}`])
  const swept = runSweep(chain, read.sweep, options)
  if (!swept.ok) throw unusable(swept.problems)
  return { json: swept.result, arms: [], sweep: swept.result, scenario, notes: swept.notes }
}

interface FirstArm {
  readonly chain: Chain
  readonly scenario: Scenario
  readonly options: SimulateOptions
}

async function compareRun(
  name: string,
  files: readonly string[],
  { chain, scenario, options }: FirstArm,
  system: System,
  progress: Progress,
): Promise<Outcome> {
  const arms: Arm[] = [{ name, chain }]
  const notes: Note[] = []
  for (const file of files) {
    const loaded = await loadChain([file], system, progress)
    arms.push({ name: file, chain: loaded.chain })
    notes.push(...loaded.notes)
  }
  const compared = runCompare(arms, scenario, options)
  if (!compared.ok) throw unusable(compared.problems)
  return {
    json: compared.result,
    arms: compared.result.arms.map((result) => ({ name: result.name, result })),
    sweep: null,
    scenario,
    notes: [...notes, ...compared.notes],
  }
}

function armName(args: readonly string[]): string {
  return args.length === 0 ? 'sandglass.yaml' : args.join(' + ')
}

function ratesOf(chain: Chain, scenario: Scenario): { name: string; perS: number[] }[] {
  return loadOf(chain, scenario).map(({ journey, steps }) => ({ name: journey.name, perS: steps.map(({ ratePerS }) => ratePerS) }))
}

async function render(name: (typeof simulateFormats)[number], outcome: Outcome, report: SimulateReport, system: System): Promise<string> {
  if (name === 'json') return simulateJson(outcome.json)
  if (name === 'text') return simulateText(report, textStyleFor(system.stdout, system.env))
  const { simulateHtml } = await import('../../report/simulate-html.js')
  return simulateHtml(report)
}

function unusable(problems: readonly Problem[]): Unusable {
  return new Unusable(problems.map(problemLine))
}
