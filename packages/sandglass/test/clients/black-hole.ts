import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { BadPeer } from './bad-peer.js'

/** Listens with room for one connection, and then never looks again: the kernel drops every later attempt to connect. */
const LISTENER = `
const { createServer } = require('node:net')
const { parentPort } = require('node:worker_threads')
const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})`

/** A port of 127.0.0.1 at which connections never open. */
export async function openBlackHole(): Promise<BadPeer> {
  const worker = new Worker(LISTENER, { eval: true })
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', (value: number) => resolve(value))
    worker.once('error', reject)
  })
  const fillers = Array.from({ length: 4 }, () => filler(port))
  await new Promise((resolve) => setTimeout(resolve, 100))
  return {
    port,
    attempts: () => null,
    stillOpen: async () => null,
    async close() {
      for (const socket of fillers) socket.destroy()
      await worker.terminate()
    },
  }
}

function filler(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return socket
}
