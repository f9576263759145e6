import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LabOptions } from './arguments.js'
import { armOf } from './arms/arms.js'
import { type Calibration, calibrate } from './run/calibrate.js'
import { openBacking } from './run/backing.js'
import { labChain } from './run/lab-chain.js'
import { type Prediction, predict } from './run/predict.js'
import { createProcesses } from './run/processes.js'
import { type ArmRun, runArm } from './run/run-arm.js'
import { readScenario } from './run/scenario.js'
import { summarize } from './measure/summary.js'
import { type ArmPair, resultTable } from './report/table.js'

/** Where a lab writes. */
export interface LabIo {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: NodeJS.ProcessEnv
}

/** Runs the lab; its exit code. */
export async function runLab(options: LabOptions, io: LabIo): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-lab-'))
  const processes = createProcesses()
  const { backing, what, close } = await openBacking(options.standIns, io.env)
  try {
    const calibration = await calibrate(processes, folder)
    io.stderr.write(`${JSON.stringify(calibration)}\n${what}\n`)
    const example = readScenario(options.scenario)
    const size = { ratePerS: options.ratePerS ?? calibration.ratePerS, durationMs: options.durationMs, networkMs: calibration.hopMs }
    for (let run = 0; run < options.runs; run++) {
      const pairs: ArmPair[] = []
      for (const name of options.arms) {
        const arm = armOf(name, options.peerLimits)
        const chain = labChain(example, options.scenario.scenario, arm, size, [], options.keepsOwnFaults)
        const result = await runArm(processes, { arm, chain, ratePerS: size.ratePerS, seed: options.seed + run, backing, folder: join(folder, name), faults: options.faults })
        const prediction = await predict(name, chain, result.facts.times, folder)
        pairs.push({ measured: summarize(result.facts), simulated: prediction.summary })
        io.stderr.write(`${name}: lag ${result.mostLagMs.toFixed(1)} ms, cpu ${Math.round(result.cpuMs)} ms, ${result.events.map((e) => `${Math.round(e.atMs)}: ${e.text}`).join('; ')}\n`)
      }
      io.stdout.write(`${resultTable(pairs)}\n`)
      io.stdout.write(JSON.stringify(pairs.map(p=>[p.measured.amplification,p.simulated?.amplification,p.measured.underFault,p.simulated?.underFault]),null,1)+'\n')
    }
    return 0
  } finally {
    await processes.close()
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}
