import { connect, createServer, type Socket } from 'node:net'
import { type BadPeer, listening } from './bad-peer.js'

/** A real server on this machine, behind a proxy of the matrix. */
export interface Service {
  readonly name: string
  readonly host: string
  readonly port: number
  /** How a client addresses the proxy on a port. */
  readonly url: (port: number) => string
  /** How many of the connections from these ports the server works for; null where it cannot be asked. */
  readonly working: ((localPorts: readonly number[]) => Promise<number>) | null
  /** Ends what it works on for connections from these ports, which it may not notice to be closed. */
  readonly end: ((localPorts: readonly number[]) => Promise<void>) | null
}

/** What a client says in the request that is measured; whatever it sends before, to open a session, is answered. */
const MARK = 'freeze'

/** Passes everything on to a real server; what is asked with the mark is counted. */
export function openService(service: Service): Promise<BadPeer> {
  return openProxy(service, false)
}

/** Passes on until a client says the mark, and from then on is silent on that connection, as a server is whose network has gone. */
export function openFrozen(service: Service): Promise<BadPeer> {
  return openProxy(service, true)
}

async function openProxy(service: Service, freezes: boolean): Promise<BadPeer> {
  const marked = new Set<Socket>()
  const all = new Set<Socket>()
  const ports: number[] = []
  let attempts = 0
  const server = createServer((client) => {
    const upstream = connect(service.port, service.host, () => ports.push(upstream.localPort ?? 0))
    for (const socket of [client, upstream]) {
      all.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => all.delete(socket))
    }
    client.on('data', (chunk) => {
      if (chunk.includes(MARK)) {
        attempts++
        marked.add(client)
      }
      if (!(freezes && marked.has(client))) upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (!(freezes && marked.has(client))) client.write(chunk)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      if (!(freezes && marked.has(client))) client.end()
    })
  })
  const port = await listening(server)
  return {
    port,
    url: service.url(port),
    attempts: () => attempts,
    async stillOpen() {
      if (!freezes && service.working !== null) return service.working(ports).catch(() => null)
      return [...marked].filter((socket) => !socket.closed).length
    },
    async close() {
      for (const socket of all) socket.destroy()
      if (!freezes) await service.end?.(ports).catch(() => {})
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
