// The child process of one server case: imports its code, reads what the server says of itself, and waits how long connections live.
// node run-server.mjs <module> <capMs>
import { connect } from 'node:net'

const [, , file, cap] = process.argv
const capMs = Number(cap)
process.on('disconnect', () => process.exit())

let latestMs = 0
let lookedAt = performance.now()
setInterval(() => {
  const now = performance.now()
  latestMs = Math.max(latestMs, now - lookedAt - 10)
  lookedAt = now
}, 10)

/** How long a connection lives on which this was asked; null where it lives longer than the cap. */
function life(/** @type {number} */ port, /** @type {string} */ path) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let startedAt = 0
    const end = () => resolve(performance.now() - startedAt)
    socket.on('connect', () => {
      startedAt = performance.now()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    })
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      // An answer to what hangs is its end, whatever it says; one to the other begins its idle time.
      if (path === '/hang') end()
      else if (chunk.length > 0) startedAt = performance.now()
    })
    socket.on('close', end)
    setTimeout(() => resolve(null), capMs)
  })
}

try {
  const { server } = await import(String(file))
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  const listened = {
    requestTimeoutMs: server.requestTimeout,
    headersTimeoutMs: server.headersTimeout,
    keepAliveTimeoutMs: server.keepAliveTimeout,
    timeoutMs: server.timeout,
  }
  const [idleMs, hangMs] = await Promise.all([life(port, '/'), life(port, '/hang')])
  process.send?.({ listened, idleMs, hangMs, latestMs })
} catch (error) {
  process.send?.({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}
