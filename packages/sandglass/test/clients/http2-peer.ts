import { createServer, type ServerHttp2Stream } from 'node:http2'
import { type BadPeer, listening } from './bad-peer.js'

/** Speaks HTTP/2 without TLS, and answers no request: what a gRPC service does that hangs. A cancelled stream counts as closed. */
export async function openHttp2Hang(): Promise<BadPeer> {
  const streams: ServerHttp2Stream[] = []
  const sessions = new Set<{ destroy(): void }>()
  const server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream) => {
    streams.push(stream)
    stream.on('error', () => {})
    stream.resume()
  })
  const port = await listening(server)
  return {
    port,
    attempts: () => streams.length,
    stillOpen: async () => streams.filter((stream) => !stream.closed && !stream.destroyed && !stream.aborted).length,
    close() {
      for (const session of sessions) session.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
