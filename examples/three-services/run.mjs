// node examples/three-services/run.mjs: a client asks the gateway and leaves after 300 ms. All three services stop, within 20 ms of one another.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const LEAVES_AFTER_MS = 300
/** @typedef {{ service: string, event: string, at: number, budgetMs?: number, port?: number, why?: string, whose?: string }} Event */

/** @type {Event[]} */
const events = []
/** @type {import('node:child_process').ChildProcess[]} */
const children = []

/** Prints one line. */
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** Starts a service in a process of its own and returns its address. */
async function start(/** @type {string} */ name, /** @type {Record<string, string>} */ env) {
  const child = fork(fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  return new Promise((/** @type {(url: string) => void} */ resolve, reject) => {
    child.on('exit', () => reject(new Error(`${name} did not start`)))
    let rest = ''
    child.stdout?.on('data', (part) => {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const event = /** @type {Event} */ (JSON.parse(line))
        events.push(event)
        if (event.event === 'listening') resolve(`http://127.0.0.1:${event.port}`)
      }
    })
  })
}

/** Waits until each service has said something, at most two seconds. */
async function told(/** @type {string} */ event) {
  for (let n = 0; n < 200 && events.filter((one) => one.event === event).length < 3; n++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return events.filter((one) => one.event === event)
}

const inventory = await start('inventory', {})
const order = await start('order', { INVENTORY_URL: inventory })
const gateway = await start('gateway', { ORDER_URL: order })

// Once for nothing: connections are opened and code is loaded, which is not what is to be seen.
await fetch(gateway, { signal: AbortSignal.timeout(500) }).catch(() => undefined)
await told('stopped')
events.length = 0

const client = new AbortController()
const answer = fetch(gateway, { signal: client.signal }).then(
  () => 'it was answered',
  (/** @type {Error} */ error) => error.name,
)
await told('received')
await new Promise((resolve) => setTimeout(resolve, LEAVES_AFTER_MS))
const leftAt = Date.now()
client.abort()
print(`the client leaves: ${await answer}\n`)

const stopped = await told('stopped')
print('service     budget that came in   stopped after the client left   why')
for (const name of ['gateway', 'order', 'inventory']) {
  const received = events.find((one) => one.service === name && one.event === 'received')
  const end = stopped.find((one) => one.service === name)
  print(
    `${name.padEnd(12)}${`${received?.budgetMs ?? '?'} ms`.padEnd(22)}${(end === undefined ? 'never' : `${end.at - leftAt} ms`).padEnd(32)}${end?.why ?? ''}, ${end?.whose ?? ''}`,
  )
}
const instants = stopped.map(({ at }) => at)
const spreadMs = stopped.length < 3 ? Infinity : Math.max(...instants) - Math.min(...instants)
print(`\nall three stopped within ${spreadMs} ms of one another`)

for (const child of children) child.send('stop')
await Promise.all(children.map((child) => (child.exitCode === null ? once(child, 'exit') : Promise.resolve())))
process.exitCode = spreadMs <= 20 ? 0 : 1
