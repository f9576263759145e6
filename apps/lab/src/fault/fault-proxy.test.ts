import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFaultProxy } from './fault-proxy.js'
import type { WireFault } from './lab-fault.js'

let echo: Server
let port = 0

beforeAll(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  port = (echo.address() as AddressInfo).port
})
afterAll(() => void echo.close())

/** Sends a text through a proxy and waits for it to come back, at most so long: how long it took, or what went wrong. */
async function roundTrip(fault: WireFault, text = 'ping', atMostMs = 3000): Promise<number | string> {
  const proxy = await startFaultProxy(port, fault)
  try {
    return await new Promise((resolve) => {
      const startedAt = performance.now()
      let back = ''
      const socket = connect(proxy.port, '127.0.0.1', () => socket.write(text))
      const timer = setTimeout(() => end('silence'), atMostMs)
      const end = (how: number | string): void => {
        clearTimeout(timer)
        socket.destroy()
        resolve(how)
      }
      socket.on('data', (part) => {
        back += part.toString()
        if (back === text) end(performance.now() - startedAt)
      })
      socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'))
    })
  } finally {
    await proxy.close()
  }
}

describe('a fault proxy', () => {
  it('passes bytes on as they are when it has nothing to do', async () => {
    expect(await roundTrip({})).toBeLessThan(500)
    expect(await roundTrip({}, 'x'.repeat(100_000))).toBeLessThan(1500)
  })

  it('delays in both directions', async () => {
    expect(await roundTrip({ delayMs: 150 })).toBeGreaterThanOrEqual(298)
  })

  it('keeps the order of bytes, whatever the jitter', async () => {
    expect(await roundTrip({ jitterMs: 20, bytesPerS: 20_000 }, '0123456789'.repeat(500))).toBeGreaterThan(200)
  })

  it('hangs, resets, refuses', async () => {
    expect(await roundTrip({ hangs: true }, 'ping', 300)).toBe('silence')
    expect(await roundTrip({ resets: true })).toBe('ECONNRESET')
    expect(await roundTrip({ refuses: true })).toBe('ECONNREFUSED')
  })

  it('throttles and drips', async () => {
    expect(await roundTrip({ bytesPerS: 2000 }, 'x'.repeat(1000))).toBeGreaterThan(450)
    expect(await roundTrip({ dripMs: 20 }, '0123456789')).toBeGreaterThan(180)
  })

  it('gives its port back and breaks what it carried', async () => {
    const proxy = await startFaultProxy(port, { hangs: true })
    const socket = connect(proxy.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    await proxy.close()
    await closed
    const refused = await new Promise((resolve) =>
      connect(proxy.port, '127.0.0.1').on('error', (error: NodeJS.ErrnoException) => resolve(error.code)),
    )
    expect(refused).toBe('ECONNREFUSED')
  })
})
