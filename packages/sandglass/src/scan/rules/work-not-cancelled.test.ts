import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const C013 = `export async function q() {
  return Promise.race([
    fetch("http://slow.internal"),
    new Promise((_, no) => setTimeout(() => no(new Error("late")), 200)),
  ]);
}
import pTimeout from "p-timeout";
export const q2 = () => pTimeout(fetch("http://slow.internal"), { milliseconds: 200 });`

describe('work-not-cancelled', () => {
  test('C013: a race and p-timeout abandon a fetch, and nothing says unbounded', () => {
    const scanned = scanTexts({ files: { 'code.ts': C013 }, versions: { node: '20.20.2', 'p-timeout': '7.0.2' } })
    expect(findingLines(scanned)).toEqual(['code.ts:3 work-not-cancelled', 'code.ts:4 timer-left', 'code.ts:8 work-not-cancelled'])
    const [race, pTimeout] = scanned.diagnostics.filter(({ rule }) => rule === 'work-not-cancelled')
    expect(race?.message).toBe(
      'Promise.race gives up after 200 ms, but fetch of Node 20.20.2 is not told to stop: only its default of 300 s ends it',
    )
    expect(pTimeout?.message).toContain('pTimeout gives up after 200 ms')
    expect(race?.values).toEqual({ ms: 200, workMs: 300_000 })
  })

  test('a call of the project that is raced is one finding, where the race names it', () => {
    const scanned = scanTexts(`import axios from 'axios'
async function load(id: string) { const a = await axios.get('/a/' + id); const b = await axios.get('/b'); return [a, b] }
const late = (ms: number) => new Promise<never>((_, no) => { const t = setTimeout(no, ms); t.unref() })
export const get = (id: string) => Promise.race([
  load(id),
  late(500),
])`)
    expect(findingLines(scanned)).toEqual(['code.ts:5 work-not-cancelled'])
    expect(scanned.diagnostics[0]?.message).toBe('Promise.race gives up after 500 ms, but axios is not told to stop: nothing ends it')
  })

  test('nothing is said of a client whose missing limit another call already tells of', () => {
    const text = (other: string) => `import { Pool } from 'pg'
const pool = new Pool({ connectionTimeoutMillis: 100 })
export const get = () => Promise.race([pool.query('select 1'), new Promise((_, no) => setTimeout(no, 500).unref())])
${other}`
    expect(findingLines(scanTexts(text('')))).toEqual(['code.ts:3 work-not-cancelled'])
    expect(findingLines(scanTexts(text("export const all = () => pool.query('select 2')")))).toEqual(['code.ts:2 unbounded-call'])
  })

  test('nothing is said of a call whose missing limit is told as another caller waits for it without an end', () => {
    const text = (other: string) => `import axios from 'axios'
const load = (id: string) => axios.get('http://a/' + id)
const late = new Promise((_, no) => setTimeout(no, 500).unref())
export const get = (id: string) => Promise.race([load(id), late])
${other}`
    const found = (other: string) => scanTexts(text(other)).diagnostics.map(({ rule }) => rule)
    expect(found('')).toEqual(['work-not-cancelled'])
    expect(found('export const all = (id: string) => load(id)')).toEqual(['unbounded-call'])
  })

  test('a breaker that gives up by its default is told by name and number', () => {
    const scanned = scanTexts(`import CircuitBreaker from 'opossum'
async function load(id: string) { return fetch('http://stock.internal/' + id) }
export const breaker = new CircuitBreaker(load)`)
    expect(findingLines(scanned)).toEqual(['code.ts:3 work-not-cancelled'])
    expect(scanned.diagnostics[0]?.message).toContain('opossum gives up after 10 s by default')
  })

  test.each([
    ['work with a limit of its own', 'Promise.race([fetch(u, { signal: AbortSignal.timeout(200) }), late(200)])'],
    ['work that is given a signal', 'race((signal) => fetch(u, { signal }), 200)'],
    ['a controller that the race aborts', 'aborted(u)'],
    ['options that nobody can see into', 'Promise.race([fetch(u, options()), late(200)])'],
    ['a policy that hands a signal on', 'policy.execute(({ signal }) => fetch(u, { signal }))'],
    ['the runtime, whose signal is taken', "call('stock', { does: 'read', timeoutMs: 200 }, ({ signal }) => fetch(u, { signal }))()"],
  ])('%s is not reported', (_, expression) => {
    const scanned = scanTexts(`import { timeout, TimeoutStrategy } from 'cockatiel'
import { call } from '@sandglass/runtime'
import { options } from './elsewhere.js'
const policy = timeout(200, TimeoutStrategy.Aggressive)
const late = (ms: number) => new Promise<never>((_, no) => { const t = setTimeout(no, ms); t.unref() })
async function race<T>(work: (signal: AbortSignal) => Promise<T>, ms: number) {
  const controller = new AbortController()
  try { return await Promise.race([work(controller.signal), late(ms)]) } finally { controller.abort() }
}
async function aborted(u: string) {
  const controller = new AbortController()
  try { return await Promise.race([fetch(u, { signal: controller.signal }), late(200)]) } finally { controller.abort() }
}
export const get = (u: string) => ${expression}`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'work-not-cancelled')).toEqual([])
  })

  test('what pg says of query_timeout is passed on, once', () => {
    const scanned = scanTexts(`import { Pool } from 'pg'
const pool = new Pool({ connectionTimeoutMillis: 1000, query_timeout: 2000 })
export const a = () => pool.query('select 1')
export const b = () => pool.query('select 2')`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 work-not-cancelled'])
    expect(scanned.diagnostics[0]?.suggestion?.text).toBe('add statement_timeout below 2000')
  })

  test('who makes a client, gives up and closes it, ends what it does', () => {
    const code = (end: string) => `import pTimeout from 'p-timeout'
import { ImapFlow } from 'imapflow'
export async function probe() {
  const mails = new ImapFlow({ host: 'a' })
  try { await pTimeout(mails.connect(), { milliseconds: 5000 }) } finally { ${end} }
}`
    const found = (end: string) => findingLines(scanTexts({ files: { 'code.ts': code(end) }, versions: { 'p-timeout': '7.0.2' } }))
    expect(found('mails.close()')).toEqual([])
    expect(found('')).toEqual(['code.ts:5 work-not-cancelled'])
  })
})
