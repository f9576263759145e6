import { startFaultProxy } from '../fault/fault-proxy.js'
import type { LabFault } from '../fault/lab-fault.js'
import type { Cluster } from './cluster.js'

/** Faults that come and go while an arm runs. */
export interface FaultPlayer {
  /** Plays a fault: when its time comes, for as long as it lasts. `isUntold`: the simulator does not know of it. */
  play(fault: LabFault, isUntold?: boolean): void
  /** Whether a fault was played that the simulator does not know of. */
  readonly hasUntold: boolean
  /** What is wrong right now. */
  readonly active: readonly LabFault[]
  /** Ends all that is under way. */
  stop(): Promise<void>
}

/** Prepares to play faults; `atMs` counts from `startAt` (epoch ms). `onChange` is told in words what begins and ends. */
export function createFaultPlayer(cluster: Cluster, startAt: number, onChange: (text: string) => void): FaultPlayer {
  const timers = new Set<NodeJS.Timeout>()
  const active = new Set<LabFault>()
  let hasUntold = false
  const endings = new Map<LabFault, () => Promise<void>>()
  const at = (epochMs: number, fn: () => Promise<void>): void => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        void fn().catch((error: unknown) => onChange(`fault failed: ${String(error)}`))
      },
      Math.max(0, epochMs - Date.now()),
    )
    timers.add(timer)
  }
  const refresh = (service: string): void =>
    cluster.strike(
      service,
      [...active].flatMap((fault) => (fault.on === 'operation' && fault.service === service ? [fault.trouble] : [])),
    )

  async function begin(fault: LabFault): Promise<void> {
    active.add(fault)
    onChange(`begins: ${fault.text}`)
    if (fault.on === 'operation') refresh(fault.service)
    else if (fault.on === 'process') cluster.signal(fault.service, fault.signal)
    else {
      const { port } = cluster.services.get(fault.callee) ?? { port: 0 }
      const proxy = await startFaultProxy(port, fault.wire)
      endings.set(fault, async () => {
        cluster.route(fault.caller, fault.callee, port)
        await proxy.close()
      })
      cluster.route(fault.caller, fault.callee, proxy.port)
    }
  }

  async function end(fault: LabFault): Promise<void> {
    active.delete(fault)
    onChange(`ends: ${fault.text}`)
    if (fault.on === 'operation') refresh(fault.service)
    else if (fault.on === 'process' && fault.signal === 'SIGSTOP') cluster.signal(fault.service, 'SIGCONT')
    await endings.get(fault)?.()
    endings.delete(fault)
  }

  return {
    play(fault, isUntold = fault.on === 'wire') {
      hasUntold ||= isUntold
      at(startAt + fault.atMs, () => begin(fault))
      if (fault.forMs !== null) at(startAt + fault.atMs + fault.forMs, () => end(fault))
    },
    get hasUntold() {
      return hasUntold
    },
    get active() {
      return [...active]
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([...endings.values()].map((ending) => ending()))
    },
  }
}
