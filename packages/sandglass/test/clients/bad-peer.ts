import { createServer, type Server, type Socket } from 'node:net'
import { openBlackHole } from './black-hole.js'

/** A server that does not answer as it should, and what it saw. */
export interface BadPeer {
  readonly port: number
  /** Its address for clients that take one; default `http://127.0.0.1:<port>`. */
  readonly url?: string
  /** Connections on which something was asked, or where no one speaks first all of them; null where they cannot be seen. */
  readonly attempts: () => number | null
  /** Connections on which something was asked and that the client has not closed; null where that cannot be seen. */
  readonly stillOpen: () => Promise<number | null>
  readonly close: () => Promise<void>
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
const BUSY = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
const BYTE = '1\r\n \r\n'
const GAP_MS = 100

/** What each kind of peer does with a connection. */
const manners = {
  /** Accepts, reads, never answers. */
  hang: (socket) => void socket.resume(),
  /** Headers and one byte of the body, then nothing. */
  stall: (socket) => onceAsked(socket, () => void socket.write(`${HEAD}${BYTE}`)),
  /** Headers, then a byte each 100 ms for ever. */
  drip: (socket) =>
    onceAsked(socket, () => {
      socket.write(HEAD)
      each(socket, BYTE)
    }),
  /** Headers after 200 ms, then a byte each 100 ms for ever: tells one limit of headers and body from one for each. */
  'late-drip': (socket) =>
    onceAsked(
      socket,
      () =>
        void setTimeout(() => {
          socket.write(HEAD)
          each(socket, BYTE)
        }, 2 * GAP_MS),
    ),
  /** A byte of the headers each 100 ms for ever. */
  'slow-headers': (socket) =>
    onceAsked(socket, () => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
      each(socket, 'x')
    }),
  /** 503 to every request. */
  busy: (socket) => onceAsked(socket, () => void socket.end(BUSY)),
  'accept-and-close': (socket) => void socket.destroy(),
  /** Accepts, never reads. */
  silent: (socket) => void socket.pause(),
} as const satisfies Record<string, (socket: Socket) => void>

/** The ways in which a peer over plain TCP can be bad; nobody listens at `refuse`, and `black-hole` lets no connection be opened. */
export type TcpMode = keyof typeof manners | 'refuse' | 'black-hole'

/** Opens a bad peer on a free port of 127.0.0.1. */
export async function openBadPeer(mode: TcpMode): Promise<BadPeer> {
  if (mode === 'black-hole') return openBlackHole()
  if (mode === 'refuse') return refuse()
  return listenAs(createServer(), manners[mode])
}

/** Listens on a free port of 127.0.0.1 and counts connections. */
export async function listenAs(server: Server, manner: (socket: Socket) => void): Promise<BadPeer> {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    manner(socket)
  })
  const port = await listening(server)
  // A client may open a connection before it has anything to ask (undici does after an abort); who never asks has made no attempt.
  const asked = () => sockets.filter(({ bytesRead }) => bytesRead > 0)
  return {
    port,
    attempts: () => asked().length || sockets.length,
    async stillOpen() {
      // Who never reads does not notice that the other side has gone.
      for (const socket of sockets) socket.resume()
      await new Promise((resolve) => setTimeout(resolve, 20))
      return asked().filter((socket) => !socket.closed).length
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The port on which a server now listens, on 127.0.0.1. */
export function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

async function refuse(): Promise<BadPeer> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return { port, attempts: () => null, stillOpen: async () => null, close: async () => {} }
}

function onceAsked(socket: Socket, answer: () => void) {
  let tail = ''
  let isAsked = false
  socket.on('data', (chunk) => {
    if (isAsked) return
    const text = `${tail}${chunk.toString('latin1')}`
    tail = text.slice(-3)
    isAsked = text.includes('\r\n\r\n')
    if (isAsked) answer()
  })
}

function each(socket: Socket, text: string) {
  if (socket.destroyed) return
  const timer = setInterval(() => socket.write(text), GAP_MS)
  socket.on('close', () => clearInterval(timer))
}
