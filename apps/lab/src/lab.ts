import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LabOptions } from './arguments.js'
import type { ArmName } from './arms/arm.js'
import { armOf } from './arms/arms.js'
import type { LabSize } from './chain/lab-size.js'
import { pooled, summarize } from './measure/summary.js'
import { labJson } from './report/lab-json.js'
import { createLiveView, type LiveView } from './report/live.js'
import { goodputChart, type LabReport, labPage, type ReportedArm } from './report/page.js'
import { reasonsFor } from './report/reasons.js'
import { differencesOf, percent, resultTable } from './report/table.js'
import { targetsOf } from './report/targets.js'
import { type OpenedBacking, openBacking } from './run/backing.js'
import { type Calibration, calibrate } from './run/calibrate.js'
import { type Control, openControl } from './run/control.js'
import { labChain } from './run/lab-chain.js'
import { temporaryFolder } from './run/leftovers.js'
import { type Prediction, predict } from './run/predict.js'
import { createProcesses, type Processes } from './run/processes.js'
import { type ArmRun, runArm } from './run/run-arm.js'
import { readScenario } from './run/scenario.js'

/** Where a lab writes. */
export interface LabIo {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: NodeJS.ProcessEnv
  /** The command line, for the report. */
  readonly command: string
}

/** Everything that has to be given back, however the lab ends. */
interface Held {
  readonly folder: string
  readonly processes: Processes
  readonly control: Control
  readonly live: LiveView
  opened: OpenedBacking | null
}

/** Runs the lab; its exit code. Whatever it started is gone when this is over, also after Ctrl-C. */
export async function runLab(options: LabOptions, io: LabIo): Promise<number> {
  let startedAt = Date.now()
  const held: Held = {
    folder: temporaryFolder(),
    processes: createProcesses(),
    control: openControl(() => Date.now() - startedAt),
    live: createLiveView(io.stderr),
    opened: null,
  }
  let stop: (signal: NodeJS.Signals) => void = () => undefined
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    stop = resolve
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  try {
    const done = play(options, io, held, (at) => void (startedAt = at))
    const ended = await Promise.race([done.then(() => null), stopped])
    if (ended === null) return 0
    done.catch(() => undefined)
    held.live.done(`stopped by ${ended}; ending all services`)
    return ended === 'SIGINT' ? 130 : 143
  } finally {
    await giveBack(held)
    for (const signal of signals) process.off(signal, stop)
  }
}

async function giveBack({ folder, processes, control, live, opened }: Held): Promise<void> {
  live.close()
  control.close()
  await processes.close()
  await opened?.close()
  rmSync(folder, { recursive: true, force: true })
}

/** One arm, its runs so far. */
interface Played {
  readonly name: ArmName
  readonly what: string
  readonly runs: ArmRun[]
}

async function play(options: LabOptions, io: LabIo, held: Held, onStart: (at: number) => void): Promise<void> {
  held.opened = await openBacking(options.standIns, io.env)
  const calibration = options.ratePerS === null ? await calibrate(held.processes, held.folder) : null
  const size = {
    ratePerS: options.ratePerS ?? calibration?.ratePerS ?? 1,
    durationMs: options.durationMs,
    networkMs: calibration?.hopMs ?? 2,
  }
  const facts = factLines(options, calibration, size, held.opened)
  for (const line of facts) held.live.done(line)
  const played = new Map<ArmName, Played>()
  for (let run = 0; run < options.runs; run++) {
    for (const name of options.arms) {
      const known = played.get(name)
      const result = await playArm(name, options, size, run, held, onStart)
      if (known) known.runs.push(result)
      else played.set(name, { name, what: armOf(name, options.peerLimits).what, runs: [result] })
      held.live.done(armLine(name, result, run, options.runs))
    }
    if (options.runs > 1 && !options.isJson)
      print(
        io,
        options.scenario.name,
        `\nrun ${run + 1} of ${options.runs}`,
        await reportedAll(played, (runs) => runs.slice(-1), options, size, held),
        false,
      )
  }
  const arms = await reportedAll(played, (runs) => runs, options, size, held)
  const report: LabReport = { scenario: options.scenario.name, what: options.scenario.what, command: io.command, facts, arms }
  if (options.isJson)
    io.stdout.write(
      `${JSON.stringify(
        labJson(
          options.scenario.name,
          size.ratePerS,
          options.runs,
          arms.map(({ pair }) => pair),
        ),
        null,
        2,
      )}\n`,
    )
  else print(io, options.scenario.name, options.runs > 1 ? `\nall ${options.runs} runs together` : '', arms, true)
  writeReports(report, options, held.live)
}

function factLines(options: LabOptions, calibration: Calibration | null, size: LabSize, opened: OpenedBacking): string[] {
  const machine =
    calibration === null
      ? 'as asked for'
      : `as much as leaves CPU for the worst arm: a hop takes ${calibration.hopMs.toFixed(1)} ms and ${calibration.cpuPerHopMs.toFixed(2)} ms of CPU on these ${calibration.cores} cores, whose load by others was ${calibration.loadBefore.toFixed(1)}`
  return [
    `${options.scenario.name}: ${options.scenario.what}`,
    `${size.ratePerS} requests/s at the peak (${machine}), ${size.durationMs / 1000} s each arm`,
    opened.what,
    ...(options.peerLimits === 'chain' ? ["the peers have the timeouts of the chain's table, not those of their documentation"] : []),
  ]
}

async function playArm(
  name: ArmName,
  options: LabOptions,
  size: LabSize,
  run: number,
  { processes, folder, control, live, opened }: Held,
  onStart: (at: number) => void,
): Promise<ArmRun> {
  const arm = armOf(name, options.peerLimits)
  const chain = labChain(readScenario(options.scenario), options.scenario.scenario, arm, size, [], options.keepsOwnFaults)
  return runArm(processes, {
    arm,
    chain,
    seed: options.seed + run,
    backing: opened!.backing,
    folder: join(folder, name),
    faults: options.faults,
    onStart,
    onProgress: (progress) => live.show(progress),
    onFaults: (player) => void (control.player = player),
  })
}

async function reportedAll(
  played: ReadonlyMap<ArmName, Played>,
  choose: (runs: readonly ArmRun[]) => readonly ArmRun[],
  options: LabOptions,
  size: LabSize,
  held: Held,
): Promise<ReportedArm[]> {
  const arms: ReportedArm[] = []
  for (const { name, what, runs } of played.values()) {
    const chosen = choose(runs)
    const prediction = await predicted(name, chosen, options, size, held)
    const facts = pooled(chosen.map((run) => run.facts))
    const measured = summarize(facts)
    arms.push({
      name,
      what,
      pair: { measured, simulated: prediction?.summary ?? null },
      run: chosen.at(-1)!,
      facts,
      simulatedGoodputPerS: prediction?.goodputPerS ?? [],
    })
  }
  return arms
}

/** What the simulator says; it is told what a hop really cost meanwhile, and nothing else of the runs. */
async function predicted(
  name: ArmName,
  runs: readonly ArmRun[],
  options: LabOptions,
  size: LabSize,
  { folder, live }: Held,
): Promise<Prediction | null> {
  const networkMs = runs.reduce((sum, { hopMs }) => sum + hopMs, 0) / runs.length
  const arm = armOf(name, options.peerLimits)
  const chain = labChain(
    readScenario(options.scenario),
    options.scenario.scenario,
    arm,
    { ...size, networkMs },
    options.faults,
    options.keepsOwnFaults,
  )
  try {
    return await predict(name, chain, runs[0]!.facts.times, folder)
  } catch (error) {
    live.done(
      `${name}: not simulated: ${
        String(error)
          .split('\n')
          .find((line) => line.includes('rror')) ?? 'unknown reason'
      }`,
    )
    return null
  }
}

function armLine(name: ArmName, { facts, events, mostLagMs, hopMs }: ArmRun, run: number, runs: number): string {
  const { answeredShare, usefulShare, underFault } = summarize(facts)
  const seen = events
    .filter(({ text }) => !/^(begins|ends): /.test(text))
    .map(({ atMs, text }) => `\n  ${(atMs / 1000).toFixed(1)} s ${text}`)
  return `${runs > 1 ? `${run + 1}/${runs} ` : ''}${name.padEnd(10)} answered ${percent(answeredShare)}, useful ${percent(usefulShare)}${underFault ? `, under fault ${percent(underFault.usefulShare)}` : ''}; a hop took ${hopMs.toFixed(1)} ms, the client was at most ${mostLagMs.toFixed(0)} ms late${seen.join('')}`
}

function print(io: LabIo, scenario: string, title: string, arms: readonly ReportedArm[], withReasons: boolean): void {
  const pairs = arms.map(({ pair }) => pair)
  const lines = [
    title,
    resultTable(pairs),
    '',
    ...targetsOf(pairs, scenario).map(({ text, found, isMet }) => `${isMet ? 'met   ' : 'MISSED'} ${text}: ${found}`),
  ]
  const far = arms
    .map(({ name, pair, facts, run }) => ({ name, reason: reasonsFor(name, facts, differencesOf(pair), run.hasUntoldFault) }))
    .filter(({ reason }) => reason !== '')
  if (withReasons && far.length > 0)
    lines.push('', 'where the prediction is further off (!):', ...far.map(({ name, reason }) => `  ${name}: ${reason}`))
  io.stdout.write(`${lines.join('\n')}\n`)
}

function writeReports(report: LabReport, { reportPath, picturePath }: LabOptions, live: LiveView): void {
  const path = reportPath ?? join(tmpdir(), 'lab-report.html')
  writeFileSync(path, labPage(report))
  live.done(`report: ${path}`)
  if (picturePath !== null) {
    writeFileSync(picturePath, `${goodputChart(report, false)}\n`)
    live.done(`picture: ${picturePath}`)
  }
}
