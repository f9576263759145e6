import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts, type TestProject } from '../scan.fixture.js'

const left = (text: string | TestProject) => scanTexts(text).diagnostics.filter(({ rule }) => rule === 'timer-left')

describe('timer-left', () => {
  test('C013: the timer of a race that nothing clears keeps the process alive for its time', () => {
    const found = left(`export const q = (work: Promise<number>) => Promise.race([
  work,
  new Promise((_, no) => setTimeout(() => no(new Error("late")), 200)),
])`)
    expect(found.map(({ message, severity, values }) => [severity, values.ms, message])).toEqual([
      ['info', 200, 'this timer is never cleared: it keeps the process alive for up to 200 ms after the race is over'],
    ])
  })

  test('races whose timer one function arms are one finding', () => {
    const races = `const late = (ms: number) => new Promise((_, no) => setTimeout(no, ms))
export const a = (work: Promise<number>) => Promise.race([work, late(200)])
export const b = (work: Promise<number>) => Promise.race([work, late(300)])`
    const [found, ...others] = left(races)
    expect([found?.values.ms, found?.related.map(({ label }) => label), others]).toEqual([300, ['is armed by the same function'], []])
    expect(left(races.replace('late(300)', 'new Promise((_, no) => setTimeout(no, 300))'))).toHaveLength(2)
    const [helper = '', ...uses] = races.split('\n')
    const apart = { 'late.ts': `export ${helper}`, 'code.ts': ["import { late } from './late.js'", ...uses].join('\n') }
    expect(left({ files: apart })).toHaveLength(2)
  })

  test('a long timer is an info, too: it holds up the end of the process and nothing else', () => {
    const found = left(`import { ms } from './limits.js'
export const a = (work: Promise<number>) => Promise.race([work, new Promise((_, no) => setTimeout(no, 30_000))])
export const b = (work: Promise<number>) => Promise.race([work, new Promise((_, no) => setTimeout(no, ms))])`)
    expect(found.map(({ severity, values }) => [severity, values.ms])).toEqual([
      ['info', 30_000],
      ['info', null],
    ])
  })

  test('nothing is said of a race that no caller gets to', () => {
    const race = (callers: string) => `function wait({ work, timeout }) {
  if (timeout !== undefined) return Promise.race([work, new Promise((_, no) => setTimeout(no, timeout))])
  return work
}
${callers}`
    expect(left(race('wait({ work: a() })'))).toEqual([])
    expect(left(race('wait({ work: a() }); wait({ work: b(), timeout: 500 })'))).toHaveLength(1)
    expect(left(race('wait(options)'))).toHaveLength(1)
    expect(left(race('export { wait }'))).toHaveLength(1)
  })

  test('nothing is said where the process ends right after the race', () => {
    const stop = (end: string) => `async function stop(server) {
  await Promise.race([server.close(), new Promise((done) => setTimeout(done, 12_000))])
  ${end}
}
const other = () => process.exit(1)`
    expect(left(stop('process.exit(0)'))).toEqual([])
    expect(left(stop('app.exit(0)'))).toEqual([])
    expect(left(stop('log()'))).toHaveLength(1)
  })

  test('nothing is said of what stops a part of a program that ends the process itself', () => {
    const part = (name: string) => `export class Part {
  async ${name}() { await Promise.race([this.work, new Promise((done) => setTimeout(done, 5_000))]) }
}`
    const main = (end: string) =>
      `import { Part } from './part.js'\nconst part = new Part()\nprocess.on('SIGTERM', async () => { await part.stop(); ${end} })`
    const told = (name: string, end: string) => left({ files: { 'package.json': '{}', 'part.js': part(name), 'main.js': main(end) } })
    expect(told('stop', 'process.exit(0)')).toEqual([])
    expect(told('stopAll', 'process.exit(0)')).toEqual([])
    expect(told('stop', 'log()')).toHaveLength(1)
    expect(told('stopped', 'process.exit(0)')).toHaveLength(1)
    expect(told('load', 'process.exit(0)')).toHaveLength(1)
  })

  test('nothing is said of a file that ends the process when its work is over', () => {
    const check = (end: string) => `const race = () => Promise.race([work(), new Promise((_, no) => setTimeout(no, 5_000))])
const run = () => race().then(log)
run()${end}`
    expect(left(check('.then(() => process.exit())'))).toEqual([])
    expect(left(check('.then(function () { process.exit(0) })'))).toEqual([])
    expect(left(check('.catch(() => process.exit(1))'))).toHaveLength(1)
    expect(left(`${check('')}\nif (help) process.exit(0)`)).toHaveLength(1)
  })

  test('nothing is said of a function that ends the process as the last thing that it does, however far behind', () => {
    const main = (end: string) => `async function main() {
  await Promise.race([work(), new Promise((_, no) => setTimeout(no, 5_000))])
  ${'await more()\n  '.repeat(60)}${end}
}
main()`
    expect(left(main('process.exit(0)'))).toEqual([])
    expect(left(main('if (all) process.exit(0)'))).toHaveLength(1)
    expect(left(main('later(() => { process.exit(0) })'))).toHaveLength(1)
  })

  test('nothing is said of a function that goes on to one that ends the process, in another file as well', () => {
    const util = (end: string) =>
      `import { gracefulExit } from '@scg82/exit-hook'\nexport async function shutdown(code) {\n  if (!isTest) {\n    ${end}\n  }\n}`
    const main = (name: string) => `import { shutdown, shutdown as check } from './util.js'
export async function run(cli) {
  try { await cli.run() } finally {
    if (isTraced) {
      try { await Promise.race([traces.shutdown(), new Promise((done) => setTimeout(done, 3000))]) } catch (error) { log(error) }
    }
    ${'log(cli)\n    '.repeat(60)}await ${name}(0)
  }
  return cli
}`
    const told = (name: string, end: string) => left({ files: { 'util.js': util(end), 'main.js': main(name) } }).length
    expect(told('shutdown', 'gracefulExit(code)')).toBe(0)
    expect(told('shutdown', 'process.exit(code)')).toBe(0)
    expect(told('shutdown', 'log(code)')).toBe(1)
    expect(told('shutdown', 'later(() => { process.exit(code) })')).toBe(1)
    expect(told('check', 'process.exit(code)')).toBe(1)
    const elsewhere = (name: string) => left(main(name).replace('./util.js', '@acme/core/build/util.js')).length
    expect(elsewhere('shutdown')).toBe(0)
    expect(elsewhere('check')).toBe(1)
  })

  test('nothing is said of a program with a window, which ends when its user says so', () => {
    const text = 'export const get = (work) => Promise.race([work, new Promise((_, no) => setTimeout(no, 200))])'
    const at = (manifest: string) => scanTexts({ files: { 'a.js': text, 'package.json': manifest } }).diagnostics.length
    expect(at('{ "devDependencies": { "electron": "37" } }')).toBe(0)
    expect(at('{ "devDependencies": { "vite": "7" } }')).toBe(1)
  })

  test('nothing is said of a timer that fires at once, or nearly', () => {
    const left = (rest: string) =>
      scanTexts(`export const get = (work) => Promise.race([work, new Promise((_, no) => setTimeout(() => no(new Error('a'))${rest}))])`)
        .diagnostics.length
    expect([left(''), left(', 0'), left(', 99'), left(', 100'), left(', given')]).toEqual([0, 0, 0, 1, 1])
  })

  test('a helper of the project that leaves its timer is one finding, with the longest time it is used with', () => {
    const scanned = scanTexts(`async function withTimeout<T>(work: Promise<T>, ms: number) {
  return Promise.race([work, new Promise((_, no) => setTimeout(() => no(new Error('late')), ms))])
}
export const a = () => withTimeout(fetch('http://a', { signal: AbortSignal.timeout(100) }), 200)
export const b = () => withTimeout(fetch('http://b'), 5000)`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 timer-left', 'code.ts:5 work-not-cancelled'])
    expect(scanned.diagnostics.find(({ rule }) => rule === 'timer-left')?.values.ms).toBe(5000)
  })

  test.each([
    [
      'cleared in a finally',
      'let t; const end = new Promise((_, no) => { t = setTimeout(no, 200) }); return Promise.race([work, end]).finally(() => clearTimeout(t))',
    ],
    [
      'kept in a constant and cleared',
      'return new Promise((yes, no) => { const t = setTimeout(no, 200); work.then((v) => { clearTimeout(t); yes(v) }, no) })',
    ],
    ['unref', 'return Promise.race([work, new Promise((_, no) => { setTimeout(no, 200).unref() })])'],
    ['unref later', 'return Promise.race([work, new Promise((_, no) => { const t = setTimeout(no, 200); t.unref() })])'],
    [
      'a sleep that a signal ends',
      'const end = new AbortController(); return Promise.race([work, sleep(200, null, { signal: end.signal })]).finally(() => end.abort())',
    ],
    ['a sleep that holds nothing up', 'return Promise.race([work, sleep(200, null, { ref: false })])'],
    ['a wait that is no race', 'await new Promise((yes) => setTimeout(yes, 200)); return work'],
    ['two timers that race each other', 'return Promise.race([sleep(200), sleep(300)])'],
    ['a signal', 'return Promise.race([work, aborted(AbortSignal.timeout(200))])'],
  ])('%s is not reported', (_, body) => {
    expect(
      left(`import { setTimeout as sleep } from 'node:timers/promises'
const aborted = (signal: AbortSignal) => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))
export async function get(work: Promise<number>) { ${body} }`),
    ).toEqual([])
  })

  test('a page in a browser has no process that is kept alive', () => {
    expect(
      left(`document.title = 'x'
export const q = (work: Promise<number>) => Promise.race([work, new Promise((_, no) => setTimeout(no, 200))])`),
    ).toEqual([])
  })
})
