import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const queued = ends(5000, { cancelsWork: null })

function redisCases(version: string): ClientCase[] {
  // 4 has neither limit, and says a signal otherwise; 6 gives the wait in its queue 5 s.
  const isSix = version.startsWith('6')
  const isFour = version.startsWith('4')
  const base = { library: 'redis', packages: [`redis@${version}`] } as const
  const name = (what: string) => `redis ${version.split('.')[0]}: ${what}`
  const made = (options: string, socket = '') => `
import { createClient } from 'redis'
const { PEER_HOST, PEER_PORT } = process.env
const client = createClient({ socket: { host: PEER_HOST, port: Number(PEER_PORT), ${socket} }, ${options} })
client.on('error', () => {})
`
  const connected = (options: string, socket = '', call = "client.get('freeze')") =>
    `${made(options, socket)}await client.connect()\nexport const run = () => ${call} // measured\n`
  const opening = (options: string, socket = '') =>
    `${made(options, socket)}client.connect().catch(() => {})\nexport const run = () => client.get('freeze') // measured\n`
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: connected(''),
      expected: { state: 'unbounded' },
      seen: { 'frozen-redis': never },
    },
    {
      ...base,
      name: name('nothing set, no connection'),
      setting: 'nothing; not connected',
      code: opening(''),
      expected: { state: 'unbounded' },
      seen: isSix ? { refuse: queued, hang: queued, 'black-hole': queued } : { refuse: never, hang: never, 'black-hole': never },
      ...(isSix ? { note: 'the wait in the queue of the client has 5 s' } : {}),
    },
    {
      ...base,
      name: name('socketTimeout'),
      setting: isFour ? 'socket: { socketTimeout: 300 } (ignored)' : 'socket: { socketTimeout: 300 }',
      code: connected('', 'socketTimeout: 300'),
      expected: isFour ? { state: 'unbounded' } : boundedBy(300, 'silence'),
      seen: { 'frozen-redis': isFour ? never : ends(300) },
    },
    {
      ...base,
      name: name('timeout of the commands'),
      setting: 'commandOptions: { timeout: 300 }',
      code: connected('commandOptions: { timeout: 300 }'),
      expected: { state: 'unbounded' },
      seen: { 'frozen-redis': never },
      note: 'ends where the command has been written',
    },
    {
      ...base,
      name: name('timeout of the commands, no connection'),
      setting: `commandOptions: { timeout: 300 }${isFour ? ' (ignored)' : ''}; not connected`,
      code: opening('commandOptions: { timeout: 300 }'),
      expected: { state: 'unbounded' },
      seen: isFour ? { refuse: never, 'black-hole': never } : { refuse: ends(300), 'black-hole': ends(300) },
    },
    {
      ...base,
      name: name('connectTimeout'),
      setting: 'socket: { connectTimeout: 300, reconnectStrategy: false }',
      code: opening('', 'connectTimeout: 300, reconnectStrategy: false'),
      expected: { state: 'unbounded' },
      seen: { 'black-hole': ends([0, 300]), hang: never },
      note: 'over when the socket is open: a server that does not greet has no limit',
    },
    {
      ...base,
      name: name('no offline queue'),
      setting: 'disableOfflineQueue: true; not connected',
      code: opening('disableOfflineQueue: true'),
      expected: { state: 'unbounded' },
      seen: { refuse: ends([0, 20]) },
    },
    {
      ...base,
      name: name('signal of one command'),
      setting: 'abortSignal: AbortSignal.timeout(300)',
      code: isFour
        ? connected('', '', "client.get(commandOptions({ signal: AbortSignal.timeout(300) }), 'freeze')").replace(
            '{ createClient }',
            '{ commandOptions, createClient }',
          )
        : connected('', '', "client.withAbortSignal(AbortSignal.timeout(300)).get('freeze')"),
      expected: isFour ? boundedBy(300, 'total') : { state: 'unbounded' },
      seen: { 'frozen-redis': isFour ? ends(300, { cancelsWork: false }) : never },
      ...(isFour ? {} : { note: 'over when the command has been written' }),
    },
  ]
}

/** node-redis in three majors. */
export const allRedisCases: readonly ClientCase[] = [...redisCases('6.3.1'), ...redisCases('5.12.1'), ...redisCases('4.7.1')]
