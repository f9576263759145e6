import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Arm } from '../arms/arm.js'
import { uniform } from '../arms/uniform.js'
import { clientCall } from '../chain/service-spec.js'
import type { LabFault } from '../fault/lab-fault.js'
import type { LoadStep } from '../load/arrivals.js'
import type { FromLoad, ToLoad } from '../load/load-messages.js'
import type { SentRequest } from '../load/sent-request.js'
import type { RunFacts, RunTimes } from '../measure/summary.js'
import type { Counters } from '../service/counters.js'
import type { Backing } from '../service/messages.js'
import { type Cluster, startCluster } from './cluster.js'
import { type LabChain, playedFaults } from './lab-chain.js'
import { createFaultPlayer, type FaultPlayer } from './play-faults.js'
import { NO_BACKING, PROBE_WORK_MS, probeChain } from './probe.js'
import type { Processes } from './processes.js'

/** What the lab saw at one instant of a run. */
export interface Sample {
  readonly atMs: number
  readonly services: Readonly<Record<string, Counters>>
}

/** An arm that was run. */
export interface ArmRun {
  readonly facts: RunFacts
  readonly samples: readonly Sample[]
  /** What happened, with when (ms from the start). */
  readonly events: readonly { readonly atMs: number; readonly text: string }[]
  /** What stands behind which service. */
  readonly behind: Readonly<Record<string, string>>
  readonly mostLagMs: number
  readonly cpuMs: number
  readonly promiseMs: number
  /** What one hop there and back cost while the arm ran (ms): the median of a probe beside it. */
  readonly hopMs: number
  /** Whether a fault was played that the simulator does not know of. */
  readonly hasUntoldFault: boolean
}

/** An arm while it runs, for the live view. */
export interface ArmProgress {
  readonly arm: Arm
  readonly times: RunTimes
  readonly elapsedMs: number
  readonly requests: readonly SentRequest[]
  readonly cluster: Cluster
  readonly faults: FaultPlayer
}

/** How an arm is to be run. */
export interface ArmPlan {
  readonly arm: Arm
  readonly chain: LabChain
  readonly seed: number
  readonly backing: Backing
  /** Where limits files are written. */
  readonly folder: string
  /** Faults that no chain file can say. */
  readonly faults: readonly LabFault[]
  /** Told the instant (epoch ms) the run begins. */
  readonly onStart?: (startAt: number) => void
  readonly onProgress?: (progress: ArmProgress) => void
  readonly onFaults?: (player: FaultPlayer | null) => void
}

/** The run begins so long after everything has started (ms). */
const LEAD_MS = 300
/** How often the live view is told (ms). */
const PROGRESS_MS = 250
/** How much longer than the promise answers are waited for (ms). */
const GRACE_MS = 200

/** Starts the services of an arm, sends the load, plays the faults, and ends the services. */
export async function runArm(processes: Processes, plan: ArmPlan): Promise<ArmRun> {
  const { arm, chain, backing, folder } = plan
  const events: { atMs: number; text: string }[] = []
  let startAt = Date.now()
  const note = (text: string): void => void events.push({ atMs: Date.now() - startAt, text })
  try {
    const starting = { backing, folder, onNote: note }
    const [cluster, client, probe] = await Promise.all([
      startCluster(processes, arm, chain, starting),
      startClient(processes),
      startProbe(processes),
    ])
    startAt = Date.now() + LEAD_MS
    plan.onStart?.(startAt)
    return await measure({ client, probe }, plan, cluster, startAt, events, note)
  } finally {
    await processes.endAll()
  }
}

async function measure(
  { client, probe }: { client: ChildProcess; probe: Probe },
  plan: ArmPlan,
  cluster: Cluster,
  startAt: number,
  events: ArmRun['events'],
  note: (text: string) => void,
): Promise<ArmRun> {
  const { arm, chain, seed } = plan
  const times = timesOf(chain, plan.faults)
  const faults = createFaultPlayer(cluster, startAt, note)
  plan.onFaults?.(faults)
  for (const fault of [...playedFaults(chain), ...plan.faults]) faults.play(fault)
  const requests: SentRequest[] = []
  const samples: Sample[] = []
  const elapsedMs = (): number => Date.now() - startAt
  const timer = setInterval(() => {
    samples.push({ atMs: elapsedMs(), services: Object.fromEntries([...cluster.services].map(([name, { counters }]) => [name, counters])) })
    plan.onProgress?.({ arm, times, elapsedMs: elapsedMs(), requests, cluster, faults })
  }, PROGRESS_MS)
  const warm = wait(startAt + times.warmupMs - Date.now()).then(() => cluster.read())
  const over = wait(startAt + times.durationMs - Date.now()).then(() => cluster.read())
  try {
    const call = clientCall(chain.chain)
    const [service = '', operation = ''] = call.to.split('.')
    const settings: ToLoad = {
      type: 'start',
      port: cluster.services.get(service)!.port,
      operation,
      steps: stepsOf(chain),
      durationMs: times.durationMs,
      seed,
      timeoutMs: call.timeoutMs,
      graceMs: times.promiseMs + GRACE_MS,
      startAt,
      probe,
    }
    const done = await runLoad(client, settings, requests)
    const [from, to] = [await warm, await over]
    const services = Object.fromEntries(
      [...cluster.services].map(([name, { spec }]) => [name, { from: from[name]!, to: to[name]!, isOurs: spec.kind !== 'third-party' }]),
    )
    return {
      facts: { name: arm.name, times, requests, services },
      samples,
      events,
      behind: Object.fromEntries([...cluster.services].map(([name, { behind }]) => [name, behind])),
      mostLagMs: done.mostLagMs,
      cpuMs: done.cpuMs + Object.values(to).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      promiseMs: times.promiseMs,
      hopMs: Math.max(0.1, done.hopMs ?? 2),
      hasUntoldFault: faults.hasUntold,
    }
  } finally {
    clearInterval(timer)
    plan.onFaults?.(null)
    await faults.stop()
  }
}

type Probe = Extract<ToLoad, { type: 'start' }>['probe']

/** Starts the service that only waits. */
async function startProbe(processes: Processes): Promise<Probe> {
  const { services } = await startCluster(processes, uniform, probeChain(), {
    backing: NO_BACKING,
    folder: tmpdir(),
    onNote: () => undefined,
  })
  return { port: services.get('echo')?.port ?? 0, operation: 'work', workMs: PROBE_WORK_MS }
}

async function startClient(processes: Processes): Promise<ChildProcess> {
  const client = processes.start('client', 'load/load-process.js')
  await once(client, 'message')
  return client
}

function runLoad(client: ChildProcess, settings: ToLoad, into: SentRequest[]): Promise<Extract<FromLoad, { type: 'done' }>> {
  return new Promise((resolve, reject) => {
    client.on('exit', () => reject(new Error('the client ended before the run was over')))
    client.on('message', (message: FromLoad) => {
      if (message.type === 'results') into.push(...message.requests)
      else if (message.type === 'done') resolve(message)
    })
    client.send(settings)
  })
}

function stepsOf({ chain, scenario }: LabChain): readonly LoadStep[] {
  const journey = chain.journeys[0]!
  const rate = journey.ratePerS?.value
  return scenario.load.get(journey.name)?.value ?? [{ atMs: 0, ratePerS: typeof rate === 'number' ? rate : 1 }]
}

function timesOf({ chain, scenario }: LabChain, faults: readonly LabFault[]): RunTimes {
  const durationMs = scenario.durationMs.value
  const promise = chain.journeys[0]?.promiseMs?.value
  const spans = [
    ...scenario.faults.map((fault) => ({ fromMs: fault.atMs.value, toMs: fault.atMs.value + (fault.forMs?.value ?? Infinity) })),
    ...faults.map(({ atMs, forMs }) => ({ fromMs: atMs, toMs: atMs + (forMs ?? Infinity) })),
  ]
  return {
    durationMs,
    warmupMs: scenario.warmupMs.value,
    promiseMs: typeof promise === 'number' ? promise : 30_000,
    fault:
      spans.length === 0
        ? null
        : {
            fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)),
            toMs: Math.min(durationMs, Math.max(...spans.map(({ toMs }) => toMs))),
          },
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
