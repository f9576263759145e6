import { expect, test } from 'vitest'
import { fingerprints } from '../src/report/fingerprint.js'
import { scanTexts } from '../src/scan/scan.fixture.js'

const lines = (count: number, line: (k: number) => string) => Array.from({ length: count }, (_, k) => line(k)).join('\n')

/** Processor time, so that what else the machine does counts as little as it can. */
function tookMs(text: string): number {
  const before = process.cpuUsage()
  const files = { 'code.ts': text, 'package.json': '{ "name": "a", "private": true }' }
  fingerprints(scanTexts({ files }, { seesAllUsers: true }).diagnostics)
  const { user } = process.cpuUsage(before)
  return user / 1000
}

test.each([
  ['functions that are exported', (count: number) => lines(count, (k) => `export const f${k} = () => fetch('x')`)],
  ['functions that are not', (count: number) => lines(count, (k) => `const f${k} = () => fetch('x')\nf${k}()`)],
  ['calls in one line', (count: number) => `const x = ${Array.from({ length: count }, () => "await fetch('x')").join(' + ')}`],
  [
    'timers in one function',
    (count: number) => `export function f(cb) {\n${lines(count / 4, () => "setTimeout(() => cb(1), 5000)\nfetch('x', () => cb(2))")}\n}`,
  ],
  ['callers of one function', (count: number) => `const a = () => fetch('x')\n${lines(count, () => 'a()')}`],
])(
  'the time for %s in one file grows as their number does, not with its square',
  (_, textOf) => {
    tookMs(textOf(500))
    // What else runs in the process, as compilers and the collector do, only ever adds to it.
    const few = Math.min(...[1, 2, 3].map(() => tookMs(textOf(1000))))
    const many = Math.min(...[1, 2].map(() => tookMs(textOf(10_000))))
    expect(many / few).toBeLessThan(18)
  },
  120_000,
)
