// What the three services have in common: listen, say which budget came in, say when the work stopped and why.
import { createServer } from 'node:http'
import { currentSignal, isSandglassError, remainingMs, serve } from '@sandglass/runtime'

/** Starts a service that answers with what `work` returns. Each line it prints is one event as JSON. */
export function startService(/** @type {string} */ name, /** @type {number} */ budgetMs, /** @type {() => Promise<unknown>} */ work) {
  const say = (/** @type {string} */ event, /** @type {object} */ more) =>
    process.stdout.write(`${JSON.stringify({ service: name, event, at: Date.now(), ...more })}\n`)
  const server = createServer(
    serve(
      async (_, response) => {
        say('received', { budgetMs: Math.floor(remainingMs()) })
        const signal = currentSignal()
        signal?.addEventListener('abort', () => {
          const reason = /** @type {unknown} */ (signal.reason)
          if (isSandglassError(reason)) say('stopped', { why: reason.name, whose: reason.whose })
        })
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(await work()))
        say('answered', {})
      },
      { budgetMs, operation: `${name}.work`, onError: (error) => say('failed', { message: String(error) }) },
    ),
  )
  server.listen(0, '127.0.0.1', () => say('listening', { port: /** @type {import('node:net').AddressInfo} */ (server.address()).port }))
  process.on('message', (message) => message === 'stop' && process.exit(0))
}
