import { Buffer } from 'node:buffer'
import { createServer, type Socket } from 'node:net'
import { type BadPeer, listening } from './bad-peer.js'

const PRODUCE = 0
const METADATA = 3
const API_VERSIONS = 18

/** A broker of Kafka that leads partition 0 of every topic, and never acknowledges what is produced. */
export async function openKafkaHang(): Promise<BadPeer> {
  const produced: Socket[] = []
  const sockets = new Set<Socket>()
  let port = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (; rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0); rest = rest.subarray(4 + rest.readInt32BE(0))) {
        const request = rest.subarray(4, 4 + rest.readInt32BE(0))
        if (request.readInt16BE(0) === PRODUCE) produced.push(socket)
        else answer(request, port, socket)
      }
    })
  })
  port = await listening(server)
  return {
    port,
    attempts: () => produced.length,
    stillOpen: async () => produced.filter((socket) => !socket.closed).length,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function answer(request: Buffer, port: number, socket: Socket) {
  const parts = bodyOf(request.readInt16BE(0), request.readInt16BE(2), port)
  if (parts.length === 0) return
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeInt32BE(4 + body.length, 0)
  head.writeInt32BE(request.readInt32BE(4), 4)
  socket.write(Buffer.concat([head, body]))
}

/** The parts of a reply; none where the broker is silent. */
function bodyOf(apiKey: number, version: number, port: number): Buffer[] {
  if (apiKey === API_VERSIONS) {
    // Each with the least and the greatest version that is spoken.
    const spoken = [PRODUCE, 2, 3, METADATA, 1, 1, API_VERSIONS, 0, 2].map(int16)
    return [int16(0), int32(3), ...spoken, ...(version > 0 ? [int32(0)] : [])]
  }
  if (apiKey !== METADATA) return []
  const broker = [int32(0), text('127.0.0.1'), int32(port), int16(-1)]
  const partition = [int16(0), int32(0), int32(0), int32(1), int32(0), int32(1), int32(0)]
  const topic = [int16(0), text('freeze'), Buffer.from([0]), int32(1), ...partition]
  return [int32(1), ...broker, int32(0), int32(1), ...topic]
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value)])
}
