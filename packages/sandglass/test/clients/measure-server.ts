import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { MeasuredServer, ServerCase } from './server-case.js'

/** How long connections are watched, in ms: longer than the 5 s for which Node keeps them. */
export const SERVER_CAP_MS = 7000
const START_MS = 60_000
/** The parts of an answer arrive one after the other, and the idle time begins with the last. */
const EARLY_MS = 100
const LATE_MS = 300

const child = fileURLToPath(new URL('run-server.mjs', import.meta.url))

/** Runs a server, kept in `file`, and says where it differs from its case, one line each. */
export async function measureServer(one: ServerCase, file: string): Promise<{ measured: MeasuredServer | null; problems: string[] }> {
  const said = await listen(file)
  return 'fault' in said ? { measured: null, problems: [said.fault] } : { measured: said, problems: judgeServer(one, said) }
}

/** Where what was measured of a server is not what the case says, one line each. */
export function judgeServer(one: ServerCase, got: MeasuredServer): string[] {
  const limits = Object.entries(one.listened).flatMap(([name, ms]) => {
    const found = got.listened[name as keyof typeof got.listened]
    return found === ms ? [] : [`${name} is ${found}, not ${ms}`]
  })
  const ends = (what: string, ms: number | null, wanted: number | null) => {
    if (wanted === null || wanted > SERVER_CAP_MS) return ms === null ? [] : [`${what} ended after ${ms.toFixed(0)} ms, not never`]
    if (ms === null) return [`${what} was not ended, not after ${wanted} ms`]
    return ms >= wanted - EARLY_MS && ms <= wanted + LATE_MS + got.latestMs
      ? []
      : [`${what} ended after ${ms.toFixed(0)} ms, not ${wanted}`]
  }
  return [...limits, ...ends('an idle connection', got.idleMs, one.idleEnds), ...ends('a request that hangs', got.hangMs, one.hangEnds)]
}

function listen(file: string): Promise<MeasuredServer | { readonly fault: string }> {
  const running = fork(child, [file, `${SERVER_CAP_MS}`], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
  let errors = ''
  running.stderr?.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-4000)
  })
  return new Promise((resolve) => {
    const finish = (said: MeasuredServer | { readonly fault: string }) => {
      clearTimeout(timer)
      running.removeAllListeners('exit')
      running.kill('SIGKILL')
      resolve(said)
    }
    const timer = setTimeout(() => finish({ fault: `no end after ${START_MS} ms\n${errors}` }), START_MS)
    running.on('exit', () => finish({ fault: `the process ended early\n${errors}` }))
    running.on('message', finish)
  })
}
