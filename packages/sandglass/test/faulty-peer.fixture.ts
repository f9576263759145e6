import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** What a peer does with the requests it gets. */
export type Fault = 'hang' | 'drip-header' | 'drip-body' | 'half-body' | 'refuse' | 'blackhole' | 'deaf'

/** A peer on this machine that misbehaves in one way. */
export interface FaultyPeer {
  readonly port: number
  /** Connections with a request that it took so far. */
  readonly taken: () => number
  readonly close: () => void
}

/** One byte in so many ms: far shorter than the limits under test, for a busy machine is late. */
export const DRIP_MS = 100
/** Bytes of an answer that drips: all of it takes longer than the limits under test. */
export const DRIPS = 20
const DRIPPED_HEADER = 'HTTP/1.0 204 N\r\n\r\n'
/** Longer than a connection on this machine takes to be made. */
const CONNECT_MS = 150
const BACKLOG = 1

/** Starts a peer; `folder` is where a program may be written. */
export async function faultyPeer(fault: Fault, folder: string): Promise<FaultyPeer> {
  if (fault === 'blackhole') return blackhole(folder)
  let taken = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (fault === 'deaf') {
      taken++
      socket.pause()
      return
    }
    socket.once('data', () => {
      taken++
      answer(fault, socket)
    })
  })
  const port = await listening(server)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  if (fault === 'refuse') close()
  return { port, taken: () => taken, close }
}

/** The first bytes of an answer, and how it goes on. */
function answer(fault: Fault, socket: Socket): void {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${DRIPS}\r\nConnection: close\r\n\r\n`
  if (fault === 'half-body') socket.write(`${head}12`)
  if (fault === 'drip-body') {
    socket.write(head)
    drip('x'.repeat(DRIPS), socket)
  }
  if (fault === 'drip-header') drip(DRIPPED_HEADER, socket)
}

function drip(text: string, socket: Socket): void {
  let at = 0
  const timer = setInterval(() => {
    socket.write(text[at++] ?? '')
    if (at < text.length) return
    clearInterval(timer)
    socket.end()
  }, DRIP_MS)
  socket.on('close', () => clearInterval(timer))
}

/**
 * A port at which nothing is answered, not even a connection: a process that listens is stopped, and its few places are filled, so that
 * the kernel drops what else asks to connect.
 */
async function blackhole(folder: string): Promise<FaultyPeer> {
  const program = join(folder, 'blackhole.mjs')
  writeFileSync(
    program,
    `import { createServer } from 'node:net'
createServer().listen({ host: '127.0.0.1', port: 0, backlog: ${BACKLOG} }, function () { process.send(this.address().port) })
process.on('message', () => process.kill(process.pid, 'SIGSTOP'))
`,
  )
  // What the tests themselves were started with is nothing to it.
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const port = await new Promise<number>((done, fail) => {
    child.once('message', (message) => done(Number(message)))
    child.once('close', (code, signal) => fail(new Error(`the listening process ended with ${code ?? signal}: ${said}`)))
  })
  child.kill('SIGSTOP')
  const fillers: Socket[] = []
  const close = () => {
    for (const socket of fillers) socket.destroy()
    child.kill('SIGKILL')
  }
  for (let count = 0; count < BACKLOG + 10; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    fillers.push(socket)
    if (!(await isConnected(socket))) return { port, taken: () => 0, close }
  }
  close()
  throw new Error(`port ${port} still takes connections`)
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((done) => {
    // What happened meanwhile on a busy machine is told before the answer is no.
    const timer = setTimeout(() => setImmediate(() => setImmediate(() => done(false))), CONNECT_MS)
    socket.once('connect', () => {
      clearTimeout(timer)
      done(true)
    })
  })
}

function listening(server: Server): Promise<number> {
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)))
}

/** A port at which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((done) => server.close(done))
  return port
}
