import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Arm } from '../arms/arm.js'
import { type ServiceSpec, serviceSpecs } from '../chain/service-spec.js'
import { type Counters, noCounters } from '../service/counters.js'
import type { Backing, FromService, ToService, Trouble } from '../service/messages.js'
import { type LabChain, limitsText } from './lab-chain.js'
import type { Processes } from './processes.js'

/** A service while the lab runs. */
export interface RunningService {
  readonly spec: ServiceSpec
  readonly port: number
  readonly pid: number
  /** The real server behind it, empty for a stand-in. */
  readonly behind: string
  counters: Counters
  /** How its process ended before it was asked to; undefined while it runs. */
  ended: string | undefined
}

/** All services of one arm, each in a process of its own. */
export interface Cluster {
  readonly services: ReadonlyMap<string, RunningService>
  /** What is wrong with the operations of a service from now on. */
  strike(service: string, troubles: readonly Trouble[]): void
  signal(service: string, signal: NodeJS.Signals): void
  /** Sends what `caller` asks of `callee` to this port. */
  route(caller: string, callee: string, port: number): void
  /** Asks all services for their counters, and waits for them (those that answer). */
  read(): Promise<Readonly<Record<string, Counters>>>
}

/** How long a service may take to start (ms): the machine may be busy. */
const START_MS = 20_000

/** Starts the services of an arm, callees first. Rejects with the first that cannot start. */
export async function startCluster(
  processes: Processes,
  arm: Arm,
  { chain }: LabChain,
  { backing, folder, onNote }: { backing: Backing; folder: string; onNote: (text: string) => void },
): Promise<Cluster> {
  mkdirSync(folder, { recursive: true })
  const specs = serviceSpecs(chain, arm.protection)
  const started = await Promise.all(specs.map((spec) => startProcess(processes, spec, onNote)))
  const services = new Map<string, RunningService>()
  const children = new Map<string, ChildProcess>()
  const ports: [string, number][] = []
  for (const { spec, child, ready } of started) {
    const limitsPath = arm.protection === 'sandglass' ? join(folder, `${spec.name}.json`) : null
    if (limitsPath !== null) writeFileSync(limitsPath, limitsText(chain, spec.name))
    send(child, { type: 'start', spec, ports, limitsPath, backing })
    const { port, behind } = await ready
    ports.push([spec.name, port])
    children.set(spec.name, child)
    services.set(spec.name, watched(child, { spec, port, behind, pid: child.pid ?? 0, counters: noCounters(), ended: undefined }, onNote))
  }
  return {
    services,
    strike: (service, troubles) => send(children.get(service), { type: 'trouble', troubles }),
    signal: (service, signal) => void children.get(service)?.kill(signal),
    route: (caller, callee, port) => send(children.get(caller), { type: 'route', service: callee, port }),
    read: () => readAll(services, children),
  }
}

function send(child: ChildProcess | undefined, message: ToService): void {
  if (child?.connected === true) child.send(message, () => undefined)
}

interface Starting {
  readonly spec: ServiceSpec
  readonly child: ChildProcess
  readonly ready: Promise<{ port: number; behind: string }>
}

async function startProcess(processes: Processes, spec: ServiceSpec, onNote: (text: string) => void): Promise<Starting> {
  const child = processes.start(spec.name, 'service/service-process.js')
  const ready = new Promise<{ port: number; behind: string }>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${spec.name} did not start within ${START_MS / 1000} s`)), START_MS)
    child.on('exit', () => {
      clearTimeout(timer)
      reject(new Error(`${spec.name} ended before it had started`))
    })
    child.on('message', (message: FromService) => {
      if (message.type === 'note') onNote(`${spec.name} ${message.text}`)
      if (message.type !== 'listening') return
      clearTimeout(timer)
      resolve(message)
    })
  })
  ready.catch(() => undefined)
  return { spec, child, ready }
}

function watched(child: ChildProcess, service: RunningService, onNote: (text: string) => void): RunningService {
  child.on('message', (message: FromService) => {
    if (message.type === 'counters') service.counters = message.counters
  })
  child.on('exit', (code, signal) => {
    if (code === 0) return
    service.ended = signal ?? `code ${code}`
    onNote(`${service.spec.name} ended (${service.ended})`)
  })
  return service
}

async function readAll(
  services: ReadonlyMap<string, RunningService>,
  children: ReadonlyMap<string, ChildProcess>,
): Promise<Readonly<Record<string, Counters>>> {
  const answers = [...children].map(([, child]) => {
    if (!child.connected || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 500)
      child.once('message', () => {
        clearTimeout(timer)
        resolve()
      })
      send(child, { type: 'report' })
    })
  })
  await Promise.all(answers)
  return Object.fromEntries([...services].map(([name, { counters }]) => [name, counters]))
}
