import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { WireFault } from './lab-fault.js'

/** A proxy that stands between two services. */
export interface FaultProxy {
  /** Where the caller is sent instead of to the callee. */
  readonly port: number
  /** Breaks its connections and gives its port back. */
  close(): Promise<void>
}

/** Starts a TCP proxy to a port on this machine that does to its traffic what the fault says. */
export async function startFaultProxy(targetPort: number, fault: WireFault): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    return socket
  }
  const server = createServer((caller) => {
    keep(caller)
    if (fault.hangs === true) return void caller.resume()
    if (fault.resets === true) return void caller.once('data', () => caller.resetAndDestroy())
    const callee = keep(connect(targetPort, '127.0.0.1'))
    pass(caller, callee, fault)
    pass(callee, caller, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  if (fault.refuses === true) await stop()
  return {
    port,
    async close() {
      const stopped = fault.refuses === true ? Promise.resolve() : stop()
      for (const socket of sockets) socket.destroy()
      await stopped
    },
  }
}

/** Passes bytes on in their order, each part when its time has come. */
function pass(from: Socket, to: Socket, fault: WireFault): void {
  let freeAt = 0
  const later = (ms: number, fn: () => void): void => void (ms <= 0 ? fn() : setTimeout(fn, ms))
  from.on('data', (chunk: Buffer) => {
    const nowAt = performance.now()
    for (const part of partsOf(chunk, fault)) {
      const dueAt = Math.max(freeAt + spacingMs(part, fault), nowAt + (fault.delayMs ?? 0) + Math.random() * (fault.jitterMs ?? 0))
      freeAt = dueAt
      later(dueAt - nowAt, () => {
        if (to.writable) to.write(part)
      })
    }
  })
  from.on('end', () => later(freeAt - performance.now(), () => to.end()))
  from.on('close', () => later(freeAt - performance.now(), () => to.destroy()))
}

function partsOf(chunk: Buffer, { dripMs, bytesPerS }: WireFault): Buffer[] {
  const size = dripMs !== undefined ? 1 : bytesPerS !== undefined ? Math.max(1, Math.floor(bytesPerS / 20)) : chunk.length
  const parts: Buffer[] = []
  for (let at = 0; at < chunk.length; at += size) parts.push(chunk.subarray(at, at + size))
  return parts
}

function spacingMs(part: Buffer, { dripMs, bytesPerS }: WireFault): number {
  if (dripMs !== undefined) return dripMs
  return bytesPerS === undefined ? 0 : (part.length * 1000) / bytesPerS
}
