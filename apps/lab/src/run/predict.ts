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

/** Runs of a prediction, each with a seed of its own; what is told is the middle one, number by number. */
const SEEDS = 9
/** Simulations at once: nothing else of the lab runs meanwhile. */
const AT_ONCE = 3

const packageFile = createRequire(import.meta.url).resolve('sandglass/package.json')
const { bin } = JSON.parse(readFileSync(packageFile, 'utf8')) as { bin: { sandglass: string } }
const command = join(dirname(packageFile), bin.sandglass)

interface SimulateJson {
  readonly journeys: Readonly<
    Record<
      string,
      Readonly<Record<'offered' | 'succeeded' | 'degraded' | 'failed' | 'goodputPerS', number>> & {
        readonly p50Ms: number | null
        readonly p99Ms: number | null
      }
    >
  >
  readonly operations: Readonly<Record<string, { readonly amplification: number; readonly busyMean: number; readonly orphanedMs: number }>>
  readonly series: {
    readonly windowMs: number
    readonly journeys: Readonly<Record<string, Readonly<Record<'goodputPerS' | 'failed' | 'offered', readonly number[]>>>>
  }
}

/** Asks `sandglass simulate` with the very chain that the services of an arm are made from. Rejects when it cannot be run. */
export async function predict(name: string, { text, chain }: LabChain, times: RunTimes, folder: string): Promise<Prediction> {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, text)
  const theirs = new Set([...chain.services.values()].filter(({ kind }) => kind.value === 'third-party').map((service) => service.name))
  const predictions: Prediction[] = []
  for (let seed = 1; seed <= SEEDS; seed += AT_ONCE) {
    const seeds = Array.from({ length: AT_ONCE }, (_, i) => seed + i)
    predictions.push(...(await Promise.all(seeds.map(async (one) => predictionOf(name, await simulated(file, one), times, theirs)))))
  }
  return middleOf(predictions)
}

async function simulated(file: string, seed: number): Promise<SimulateJson> {
  const args = [command, 'simulate', file, '--scenario', 'lab', '--seed', String(seed), '--format', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout) as SimulateJson
}

/** Reads the numbers of a simulation as the lab has them. */
export function predictionOf(name: string, json: SimulateJson, times: RunTimes, theirs: ReadonlySet<string>): Prediction {
  const [journeyName, journey] = Object.entries(json.journeys)[0]!
  const { offered, succeeded, degraded, failed, goodputPerS, p50Ms, p99Ms } = journey
  const { windowMs, journeys } = json.series
  const series = journeys[journeyName]!
  const services = Object.entries(json.operations).map(([id, operation]) => ({ service: id.split('.')[0]!, ...operation }))
  const ours = services.filter(({ service }) => !theirs.has(service))
  const amplification: Record<string, number> = {}
  for (const { service, amplification: one } of services) amplification[service] = (amplification[service] ?? 0) + one
  return {
    summary: {
      name,
      answeredShare: share(succeeded + degraded + failed, offered),
      usefulShare: share(succeeded + degraded, offered),
      degradedShare: share(degraded, offered),
      goodputPerS,
      p50Ms,
      p99Ms,
      recoveryMs: simulatedRecoveryMs(series.goodputPerS, series.offered, windowMs, times),
      orphanedShare: share(
        ours.reduce((sum, { orphanedMs }) => sum + orphanedMs, 0),
        ours.reduce((sum, { busyMean }) => sum + busyMean * (times.durationMs - times.warmupMs), 0),
      ),
      amplification,
      underFault: times.fault === null ? null : underFault(series.goodputPerS, series.failed, series.offered, windowMs, times.fault),
    },
    goodputPerS: series.goodputPerS,
  }
}

/** The middle one of several predictions, number by number: a run in ten that goes another way does not move it, as it would a mean. */
export function middleOf(predictions: readonly Prediction[]): Prediction {
  return middle(predictions) as Prediction
}

function middle(values: readonly unknown[]): unknown {
  const [first] = values
  if (typeof first === 'string') return first
  if (Array.isArray(first)) return first.map((_, i) => middle(values.map((value) => (value as unknown[])[i])))
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  if (objects.length > values.length / 2)
    return Object.fromEntries(
      Object.keys(objects[0]!).map((key) => [key, middle(objects.map((one) => (one as Record<string, unknown>)[key]))]),
    )
  // Never is later than any time.
  const sorted = values.map((value) => (typeof value === 'number' ? value : Infinity)).sort((a, b) => a - b)
  const found = sorted[Math.floor((sorted.length - 1) / 2)]!
  return found === Infinity ? null : found
}

/** Over the windows that lie wholly within the fault. */
function underFault(
  goodput: readonly number[],
  failed: readonly number[],
  offered: readonly number[],
  windowMs: number,
  fault: { fromMs: number; toMs: number },
): ArmSummary['underFault'] {
  const [from, to] = [Math.ceil(fault.fromMs / windowMs), Math.floor(fault.toMs / windowMs)]
  const sum = (values: readonly number[]): number => values.slice(from, to).reduce((total, value) => total + value, 0)
  const useful = (sum(goodput) * windowMs) / 1000
  return {
    usefulShare: share(useful, sum(offered)),
    answeredShare: share(useful + sum(failed), sum(offered)),
    goodputPerS: to > from ? sum(goodput) / (to - from) : 0,
  }
}

/** The first window after the fault from which goodput stays at 95 % of what is offered, in the share that was usual before. */
function simulatedRecoveryMs(
  goodput: readonly number[],
  offered: readonly number[],
  windowMs: number,
  { fault, warmupMs, durationMs }: RunTimes,
): number | null {
  if (fault === null) return null
  const ratioAt = (window: number): number => share((goodput[window] ?? 0) * (windowMs / 1000), offered[window] ?? 0)
  const [first, last] = [Math.ceil(fault.toMs / windowMs), Math.floor(durationMs / windowMs) - 1]
  const before = Array.from({ length: Math.max(0, Math.floor(fault.fromMs / windowMs) - Math.ceil(warmupMs / windowMs)) }, (_, i) =>
    ratioAt(Math.ceil(warmupMs / windowMs) + i),
  )
  const usual = before.length === 0 ? 1 : Math.min(1, before.reduce((sum, one) => sum + one, 0) / before.length)
  let back: number | null = null
  for (let window = last; window >= first && ratioAt(window) >= 0.95 * usual; window--) back = window
  return back === null ? null : Math.max(0, back * windowMs - fault.toMs)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole)
}
