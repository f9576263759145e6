import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const base = { library: 'fetch', packages: [], isQuick: true } as const

/** The fetch that Node has: whatever is set on it, undici's 300 s to the headers and between chunks hold as well. */
export const fetchCases: readonly ClientCase[] = [
  {
    ...base,
    name: 'fetch: nothing set',
    setting: 'nothing',
    code: `
const url = process.env.PEER_URL
export const run = () => fetch(url).then((answer) => answer.text()) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: {
      ...seenAs.silence([300_000, 325_000]),
      silent: ends([300_000, 325_000]),
      'slow-headers': ends([300_000, 325_000]),
      'black-hole': ends([10_000, 11_800]),
    },
  },
  {
    ...base,
    name: 'fetch: signal of a timeout',
    setting: 'signal: AbortSignal.timeout(300)',
    code: `
const url = process.env.PEER_URL
export const run = () => fetch(url, { signal: AbortSignal.timeout(300) }).then((answer) => answer.text()) // measured
`,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'late-drip': ends(300), 'slow-headers': ends(300), silent: ends(300), 'black-hole': ends(300) },
  },
  {
    ...base,
    name: 'fetch: controller with a timer that is cleared once the body is there',
    setting: 'controller, timer cleared after the body',
    code: `
const url = process.env.PEER_URL
export async function run() {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), 300)
  try {
    const answer = await fetch(url, { signal: controller.signal }) // measured
    return await answer.text()
  } finally {
    clearTimeout(timer)
  }
}
`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...base,
    name: 'fetch: controller with a timer that is cleared at the headers',
    setting: 'controller, timer cleared at the headers',
    code: `
const url = process.env.PEER_URL
export async function run() {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), 300)
  const answer = await fetch(url, { signal: controller.signal }) // measured
  clearTimeout(timer)
  return answer.text()
}
`,
    expected: boundedBy(300, 'headers'),
    seen: { hang: ends(300), 'slow-headers': ends(300), stall: ends([300_000, 325_000]), drip: never },
    note: 'the body is left with 300 s of silence',
  },
  {
    ...base,
    name: 'fetch: controller that is never passed',
    setting: 'controller not passed',
    code: `
const url = process.env.PEER_URL
export async function run() {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 300)
  const answer = await fetch(url, { method: 'GET' }) // measured
  return answer.text()
}
`,
    expected: boundedBy(300_000, 'silence'),
    seen: seenAs.silence([300_000, 325_000]),
  },
  {
    ...base,
    name: 'fetch: option timeout, which it does not have',
    setting: 'timeout: 300 (ignored)',
    code: `
const url = process.env.PEER_URL
export const run = () => fetch(url, { timeout: 300 }).then((answer) => answer.text()) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: seenAs.silence([300_000, 325_000]),
  },
  {
    ...base,
    name: 'fetch: signal made when the module was loaded',
    setting: 'signal: AbortSignal.timeout(300) of the module',
    code: `
const url = process.env.PEER_URL
const signal = AbortSignal.timeout(300)
await new Promise((resolve) => setTimeout(resolve, 400))
export const run = () => fetch(url, { signal }).then((answer) => answer.text()) // measured
`,
    expected: boundedBy(300, 'total'),
    seen: { hang: ends([0, 100], { attempts: 0 }) },
    note: 'over 300 ms after the start, then every call fails at once',
  },
  {
    ...base,
    name: 'fetch: signal before the spread of options with their own signal',
    setting: '{ signal: AbortSignal.timeout(300), ...init }',
    code: `
const url = process.env.PEER_URL
const load = (init) => fetch(url, { signal: AbortSignal.timeout(300), ...init }) // measured
export const run = () => load({ signal: new AbortController().signal }).then((answer) => answer.text())
`,
    expected: boundedBy(300_000, 'silence'),
    seen: seenAs.silence([300_000, 325_000]),
    note: "the caller's signal replaces the limit",
  },
  {
    ...base,
    name: 'fetch: any of a timeout and another signal',
    setting: 'signal: AbortSignal.any([AbortSignal.timeout(300), parent])',
    code: `
const url = process.env.PEER_URL
const parent = new AbortController()
export const run = () => fetch(url, { signal: AbortSignal.any([AbortSignal.timeout(300), parent.signal]) }).then((answer) => answer.text()) // measured
`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...base,
    name: 'fetch: any of a timeout and another signal, while memory is collected',
    setting: 'signal: AbortSignal.any([AbortSignal.timeout(800), parent]), memory is collected',
    code: `
const url = process.env.PEER_URL
const parent = new AbortController()
let kept = []
setInterval(() => {
  for (let i = 0; i < 100; i++) kept.push(new Array(1000).fill({}))
  if (kept.length > 2000) kept = []
}, 2)
export const run = () => fetch(url, { signal: AbortSignal.any([AbortSignal.timeout(800), parent.signal]) }).then((answer) => answer.text()) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends([300_000, 325_000]) },
    capMs: 2500,
    isOnlyMeasured: true,
    nodeMajor: 20,
    note: 'forgets the timeout with the first full collection of memory',
  },
  {
    ...base,
    name: 'fetch: race with a timer',
    setting: 'Promise.race with a timer of 300',
    code: `
const url = process.env.PEER_URL
export const run = () =>
  Promise.race([
    fetch(url).then((answer) => answer.text()), // measured
    new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 300)),
  ])
`,
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: seenAs.total(300),
  },
  {
    ...base,
    name: 'fetch: race with a timer that begins after the fetch',
    setting: 'Promise.race only around the headers',
    code: `
const url = process.env.PEER_URL
const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 300))
export async function run() {
  const answer = await Promise.race([fetch(url), late()]) // measured
  return answer.text()
}
`,
    expected: boundedBy(300, 'headers'),
    cancelsWork: false,
    seen: { hang: ends(300), stall: ends([300_000, 325_000], { cancelsWork: true }), drip: never },
  },
]
