import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const servers: Server[] = []

/** Starts a server that `closeServers` ends; returns its address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Ends all servers and their connections. */
export function closeServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

/** Waits, in real time. */
export const sleep = (ms: number): Promise<void> => new Promise((wake) => void setTimeout(wake, ms))

/** How some work ended, and after how long. */
export interface Timed<T> {
  readonly tookMs: number
  readonly value?: T
  readonly error?: { readonly [field: string]: unknown }
}

/** Measures some work, whether it succeeds or fails. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const startedAt = performance.now()
  try {
    return { value: await work(), tookMs: performance.now() - startedAt }
  } catch (error) {
    return { error: error as { [field: string]: unknown }, tookMs: performance.now() - startedAt }
  }
}
