import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The processes a lab has started, none of which may outlive it. */
export interface Processes {
  /** Starts a script of this package in a process of its own. */
  start(name: string, script: string): ChildProcess
  /** Ends all processes but the keeper, and waits until they are gone. */
  endAll(): Promise<void>
  /** Ends everything. */
  close(): Promise<void>
}

/** How long a process may take to end by itself (ms). */
const POLITE_MS = 300

/**
 * Starts processes that end with this one, however it ends: they leave when their channel to it breaks, and a keeper beside them kills
 * what cannot (a stopped process cannot leave).
 */
export function createProcesses(): Processes {
  const children = new Set<ChildProcess>()
  const keeper = startScript('run/keeper-process.js', true)
  function startScript(script: string, isKeeper = false): ChildProcess {
    const child = fork(fileURLToPath(new URL(`../${script}`, import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      detached: isKeeper,
      execArgv: ['--no-warnings'],
    })
    child.on('error', () => undefined)
    return child
  }
  async function endAll(): Promise<void> {
    const gone = [...children].map((child) => goneOf(child))
    for (const child of children) if (child.connected) child.send({ type: 'stop' }, () => undefined)
    await Promise.race([Promise.all(gone), new Promise((resolve) => setTimeout(resolve, POLITE_MS))])
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(gone)
  }
  return {
    start(name, script) {
      const child = startScript(script)
      child.on('exit', () => {
        children.delete(child)
        if (keeper.connected) keeper.send({ gone: child.pid }, () => undefined)
      })
      children.add(child)
      keeper.send({ keep: child.pid, name }, () => undefined)
      return child
    },
    endAll,
    async close() {
      await endAll()
      const gone = goneOf(keeper)
      if (keeper.connected) keeper.disconnect()
      await gone
    },
  }
}

async function goneOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
