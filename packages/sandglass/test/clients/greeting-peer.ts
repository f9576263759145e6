import { createServer, type Socket } from 'node:net'
import { type BadPeer, listening } from './bad-peer.js'

/** What a peer says first, and its answer to a line that it answers; null to all others. */
interface Manners {
  readonly greeting: string
  readonly answer: (line: string) => string | null
}

/** A server of NATS to which one can connect, and that passes nothing on. */
export function openNatsHang(): Promise<BadPeer> {
  const info = { server_id: 'a', version: '2.10.0', proto: 1, max_payload: 1_048_576 }
  return openGreeting({ greeting: `INFO ${JSON.stringify(info)}\r\n`, answer: (line) => (line === 'PING' ? 'PONG\r\n' : null) })
}

/** A server of IMAP that greets, and answers no command. */
export function openImapHang(): Promise<BadPeer> {
  return openGreeting({ greeting: '* OK ready\r\n', answer: () => null })
}

async function openGreeting({ greeting, answer }: Manners): Promise<BadPeer> {
  const sockets = new Set<Socket>()
  let opened = 0
  const server = createServer((socket) => {
    opened++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.write(greeting)
    socket.setEncoding('utf8').on('data', (chunk) => {
      for (const line of String(chunk).split('\r\n')) {
        const said = answer(line)
        if (said !== null) socket.write(said)
      }
    })
  })
  const port = await listening(server)
  return {
    port,
    attempts: () => opened,
    stillOpen: async () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
