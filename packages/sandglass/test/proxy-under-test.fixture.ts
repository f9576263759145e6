import { execFileSync, spawn } from 'node:child_process'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** True where a program answers to `-v`; where it does not, that is said, because nothing is compared with it then. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn(`SKIPPED: ${program} is not installed, so nothing here compares the importer with it`)
    return false
  }
}

/** True where a program ends well with these arguments. */
export function accepts(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs a program until `work` is done with it. */
export async function whileRunning<T>(program: string, args: readonly string[], port: number, work: () => Promise<T>): Promise<T> {
  const running = spawn(program, args, { stdio: 'ignore' })
  try {
    await untilOpen(port)
    return await work()
  } finally {
    running.kill('SIGKILL')
  }
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`nothing listens on port ${port}`)
}

/** How a request through a proxy ended. */
export interface Ending {
  /** Null where the connection was closed before a status. */
  readonly status: number | null
  /** The answer broke off. */
  readonly isCut: boolean
  readonly tookMs: number
}

/** Asks through the proxy and waits for the end, whatever it is. */
export function ask(
  port: number,
  { method = 'GET', body = '' }: { readonly method?: string; readonly body?: string | Uint8Array } = {},
): Promise<Ending> {
  const startedAt = performance.now()
  return new Promise((done) => {
    const ended = (status: number | null, isCut: boolean) => done({ status, isCut, tookMs: performance.now() - startedAt })
    const asking = request({ port, host: '127.0.0.1', method, agent: false, headers: { 'content-length': Buffer.byteLength(body) } })
    asking.on('response', (response) => {
      const status = response.statusCode ?? null
      response.on('error', () => ended(status, true)).on('end', () => ended(status, !response.complete))
      response.resume()
    })
    asking.on('error', () => ended(null, true))
    asking.end(body)
  })
}

/** Opens a connection and waits until the other side ends it. */
export function silentConnection(port: number): Promise<number> {
  const startedAt = performance.now()
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('x'))
    socket.on('error', () => {}).on('close', () => done(performance.now() - startedAt))
    socket.resume()
  })
}
