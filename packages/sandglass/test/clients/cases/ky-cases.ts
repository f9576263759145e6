import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

function kyCases(version: string): ClientCase[] {
  // ky 1 stops looking at the headers; ky 2 looks again, for as long, when its shortcuts read the body.
  const isTwo = version.startsWith('2')
  const limit = (ms: number): Pick<ClientCase, 'expected' | 'seen' | 'worstMs'> =>
    isTwo
      ? { expected: boundedBy(ms, 'total'), seen: { ...seenAs.total(ms), 'late-drip': ends(ms + 200) }, worstMs: 2 * ms }
      : { expected: boundedBy(ms, 'headers'), seen: { ...seenAs.headers(ms), 'late-drip': never } }
  const base = { library: 'ky', packages: [`ky@${version}`], isQuick: isTwo } as const
  const name = (what: string) => `ky ${version.split('.')[0]}: ${what}`
  const peer = `
import ky from 'ky'
const url = process.env.PEER_URL
`
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: `${peer}export const run = () => ky(url).text() // measured\n`,
      ...limit(10_000),
      seen: { ...limit(10_000).seen, busy: ends(900, { attempts: 3 }) },
      note: 'retries 2 of GET on 5xx, after 0.3 s and 0.6 s; not its own timeouts',
    },
    {
      ...base,
      name: name('timeout'),
      setting: 'timeout: 300',
      code: `${peer}export const run = () => ky(url, { timeout: 300 }).text() // measured\n`,
      ...limit(300),
    },
    {
      ...base,
      name: name('timeout switched off'),
      setting: 'timeout: false',
      code: `${peer}export const run = () => ky(url, { timeout: false }).text() // measured\n`,
      expected: boundedBy(300_000, 'silence'),
      worstMs: [900_900, 1_831_000],
      seen: { hang: ends([900_900, 975_000], { attempts: 3 }), stall: ends([300_000, 325_000]), drip: never },
      note: 'what is left is the limit of fetch, and ky takes its end for a network that failed: tried again twice',
    },
    {
      ...base,
      name: name('timeout that is retried'),
      setting: 'timeout: 300, retry: { limit: 2, retryOnTimeout: true, backoffLimit: 100 }',
      code: `${peer}export const run = () => ky(url, { timeout: 300, retry: { limit: 2, retryOnTimeout: true, backoffLimit: 100 } }).text() // measured\n`,
      ...(isTwo ? { expected: boundedBy(300, 'attempt'), worstMs: [1100, 2000] } : { expected: boundedBy(300, 'headers'), worstMs: 1100 }),
      attempts: 3,
      seen: isTwo ? { hang: ends(1100), drip: ends(300, { attempts: 1 }) } : { hang: ends(1100), drip: never },
      note: 'each attempt anew',
    },
    {
      ...base,
      name: name('extended instance'),
      setting: 'extend({ timeout: 300 })',
      code: `${peer}const api = ky.create({ timeout: 600 }).extend({ timeout: 300 })\nexport const run = () => api.get(url).json() // measured\n`,
      ...limit(300),
    },
    {
      ...base,
      name: name('signal of a timeout'),
      setting: 'signal: AbortSignal.timeout(300)',
      code: `${peer}export const run = () => ky(url, { signal: AbortSignal.timeout(300) }).text() // measured\n`,
      expected: boundedBy(300, 'total'),
      seen: seenAs.total(300),
    },
  ]
}

const ky2 = { library: 'ky', packages: ['ky@2.1.0'], isQuick: true } as const

/** ky over the fetch of Node. */
export const allKyCases: readonly ClientCase[] = [
  ...kyCases('1.14.3'),
  ...kyCases('2.1.0'),
  {
    ...ky2,
    name: 'ky 2: total timeout',
    setting: 'totalTimeout: 300',
    code: `
import ky from 'ky'
const url = process.env.PEER_URL
export const run = () => ky(url, { totalTimeout: 300 }).text() // measured
`,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), busy: ends(300, { attempts: 1 }) },
  },
]
