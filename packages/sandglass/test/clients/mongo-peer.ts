import { Buffer } from 'node:buffer'
import { createRequire } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type BadPeer, listening } from './bad-peer.js'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

interface Bson {
  serialize(document: object): Uint8Array
  deserialize(bytes: Uint8Array): Record<string, unknown>
}

/** Greets as a MongoDB server does, and answers nothing but greetings; the driver's own BSON is taken from `home`. */
export async function openMongoHang(home: string): Promise<BadPeer> {
  const bson = createRequire(join(home, 'node_modules', 'x.js'))('bson') as Bson
  const asked: Socket[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (; rest.length >= 16 && rest.length >= rest.readInt32LE(0); rest = rest.subarray(rest.readInt32LE(0))) {
        const replies = answers(rest.subarray(0, rest.readInt32LE(0)), bson)
        if (replies.length === 0) asked.push(socket)
        for (const reply of replies) socket.write(reply)
      }
    })
  })
  const port = await listening(server)
  return {
    port,
    url: `mongodb://127.0.0.1:${port}/test`,
    attempts: () => asked.length,
    stillOpen: async () => asked.filter((socket) => !socket.closed).length,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The reply to a greeting; none where the request is another. */
function answers(message: Buffer, bson: Bson): Buffer[] {
  const requestId = message.readInt32LE(4)
  const opCode = message.readInt32LE(12)
  const at = opCode === OP_QUERY ? message.indexOf(0, 20) + 9 : 21
  const command = bson.deserialize(message.subarray(at))
  if (!['hello', 'ismaster', 'isMaster', 'ping', 'endSessions'].some((name) => name in command)) return []
  const body = bson.serialize(HELLO)
  if (opCode === OP_MSG) return [framed(requestId, OP_MSG, [Buffer.alloc(5), body])]
  const head = Buffer.alloc(20)
  head.writeInt32LE(1, 16)
  return [framed(requestId, OP_REPLY, [head, body])]
}

const HELLO = {
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
  ok: 1,
}

function framed(responseTo: number, opCode: number, parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(16)
  const whole = Buffer.concat([head, ...parts])
  whole.writeInt32LE(whole.length, 0)
  whole.writeInt32LE(responseTo, 8)
  whole.writeInt32LE(opCode, 12)
  return whole
}
