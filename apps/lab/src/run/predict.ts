import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ArmSummary, RunTimes } from '../measure/summary.js'
import type { LabChain } from './lab-chain.js'

/** What `sandglass simulate` says about an arm: its numbers, and its goodput second by second. */
export interface Prediction {
  readonly summary: ArmSummary
  readonly goodputPerS: readonly number[]
}

/** Seeds of a prediction: its numbers are means over so many runs. */
const SEEDS = 20

const packageFile = createRequire(import.meta.url).resolve('sandglass/package.json')
const { bin } = JSON.parse(readFileSync(packageFile, 'utf8')) as { bin: { sandglass: string } }
const command = join(dirname(packageFile), bin.sandglass)

interface Mean {
  readonly mean: number
}

interface SimulateJson {
  readonly journeys: Readonly<Record<string, Readonly<Record<'offered' | 'succeeded' | 'degraded' | 'failed' | 'goodputPerS', Mean>> & { readonly p50Ms: Mean | null; readonly p99Ms: Mean | null }>>
  readonly operations: Readonly<Record<string, { readonly amplification: Mean; readonly busyMean: Mean; readonly orphanedMs: Mean }>>
  readonly series: { readonly windowMs: number; readonly journeys: Readonly<Record<string, { readonly goodputPerS: { readonly mean: readonly number[] }; readonly failed: { readonly mean: readonly number[] }; readonly offered: { readonly mean: readonly number[] } }>> }
}

/** Asks `sandglass simulate` with the very chain that the services of an arm are made from. */
export async function predict(name: string, { text, chain }: LabChain, times: RunTimes, folder: string): Promise<Prediction> {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, text)
  const args = [command, 'simulate', file, '--scenario', 'lab', '--seeds', String(SEEDS), '--format', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 })
  return predictionOf(name, JSON.parse(stdout) as SimulateJson, times, new Set([...chain.services.values()].filter(({ kind }) => kind.value === 'third-party').map((service) => service.name)))
}

/** Reads the numbers of a simulation as the lab has them. */
export function predictionOf(name: string, json: SimulateJson, times: RunTimes, theirs: ReadonlySet<string>): Prediction {
  const [journeyName = '', journey] = Object.entries(json.journeys)[0]!
  const { offered, succeeded, degraded, failed } = journey!
  const series = json.series.journeys[journeyName]!
  const goodput = series.goodputPerS.mean
  const services = Object.entries(json.operations).map(([id, operation]) => ({ service: id.split('.')[0]!, ...operation }))
  const ours = services.filter(({ service }) => !theirs.has(service))
  const amplification: Record<string, number> = {}
  for (const { service, amplification: { mean } } of services) amplification[service] = (amplification[service] ?? 0) + mean
  return {
    summary: {
      name,
      answeredShare: share(succeeded.mean + degraded.mean + failed.mean, offered.mean),
      usefulShare: share(succeeded.mean + degraded.mean, offered.mean),
      degradedShare: share(degraded.mean, offered.mean),
      goodputPerS: journey!.goodputPerS.mean,
      p50Ms: journey!.p50Ms?.mean ?? null,
      p99Ms: journey!.p99Ms?.mean ?? null,
      recoveryMs: simulatedRecoveryMs(goodput, series.offered.mean, json.series.windowMs, times),
      orphanedShare: share(
        ours.reduce((sum, { orphanedMs }) => sum + orphanedMs.mean, 0),
        ours.reduce((sum, { busyMean }) => sum + busyMean.mean * (times.durationMs - times.warmupMs), 0),
      ),
      amplification,
      underFault: times.fault === null ? null : underFault(goodput, series.failed.mean, series.offered.mean, json.series.windowMs, times.fault),
    },
    goodputPerS: goodput,
  }
}

/** Over the windows that lie wholly within the fault. */
function underFault(goodput: readonly number[], failed: readonly number[], offered: readonly number[], windowMs: number, fault: { fromMs: number; toMs: number }): ArmSummary['underFault'] {
  const [from, to] = [Math.ceil(fault.fromMs / windowMs), Math.floor(fault.toMs / windowMs)]
  const sum = (values: readonly number[]): number => values.slice(from, to).reduce((total, value) => total + value, 0)
  const useful = (sum(goodput) * windowMs) / 1000
  return { usefulShare: share(useful, sum(offered)), answeredShare: share(useful + sum(failed), sum(offered)), goodputPerS: to > from ? sum(goodput) / (to - from) : 0 }
}

/** The first window after the fault from which goodput stays at 95 % of what is offered, in the share that was usual before. */
function simulatedRecoveryMs(goodput: readonly number[], offered: readonly number[], windowMs: number, { fault, warmupMs, durationMs }: RunTimes): number | null {
  if (fault === null) return null
  const ratioAt = (window: number): number => share((goodput[window] ?? 0) * (windowMs / 1000), offered[window] ?? 0)
  const [first, last] = [Math.ceil(fault.toMs / windowMs), Math.floor(durationMs / windowMs) - 1]
  const before = Array.from({ length: Math.max(0, Math.floor(fault.fromMs / windowMs) - Math.ceil(warmupMs / windowMs)) }, (_, i) => ratioAt(Math.ceil(warmupMs / windowMs) + i))
  const usual = before.length === 0 ? 1 : Math.min(1, before.reduce((sum, one) => sum + one, 0) / before.length)
  let back: number | null = null
  for (let window = last; window >= first && ratioAt(window) >= 0.95 * usual; window--) back = window
  return back === null ? null : Math.max(0, back * windowMs - fault.toMs)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole)
}
