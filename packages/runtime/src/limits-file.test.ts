import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type CompiledLimits,
  call,
  createInbound,
  type LimitsFile,
  limitsFile,
  observe,
  remainingMs,
  type SandglassRecord,
} from './index.js'

let folder: string
let path: string
let refused: string[]
let records: SandglassRecord[]
let stop: () => void
const files: LimitsFile[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandglass-limits-'))
  path = join(folder, 'order.json')
  refused = []
  records = []
  stop = observe((record) => void (record.kind === 'limits' && records.push(record)))
})
afterEach(() => {
  stop()
  for (const file of files.splice(0)) file.close()
  rmSync(folder, { recursive: true })
})

const limits = (timeoutMs: number, more: object = {}): CompiledLimits => ({
  schemaVersion: 1,
  service: 'order',
  server: { budgetMs: 900 },
  calls: { 'inventory.deduct': { does: 'idempotent-write', timeoutMs, attempts: 1, idempotencyKey: true, ...more } },
})

function write(json: unknown): void {
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json))
}

function open(): LimitsFile {
  const file = limitsFile(path, { pollMs: 20, onRefused: (line) => void refused.push(line) })
  files.push(file)
  return file
}

const given = (file: LimitsFile): (() => Promise<number>) => {
  const ask = call('inventory.deduct', { does: 'idempotent-write', timeoutMs: 5000, limits: file }, ({ remainingMs: left }) => left())
  return async () => Math.round((await ask()).value / 100) * 100
}

test('a call takes its limits from the file by its name, and keeps those of the code that the file does not name', async () => {
  write(limits(1500))
  const file = open()
  expect(await given(file)()).toBe(1500)
  const other = call('promotion.apply', { does: 'read', timeoutMs: 700, limits: file }, ({ remainingMs: left }) => left())
  expect(Math.round((await other()).value / 100)).toBe(7)
})

test('a changed file takes effect without a restart', async () => {
  write(limits(1500))
  const ask = given(open())
  await ask()
  // As deployments do it: written beside and moved into place.
  writeFileSync(`${path}.new`, JSON.stringify(limits(400)))
  renameSync(`${path}.new`, path)
  for (let n = 0; n < 100 && records.length === 0; n++) await new Promise((wake) => setTimeout(wake, 20))
  expect(await ask()).toBe(400)
  expect(records).toMatchObject([{ accepted: true }])
  expect(refused).toEqual([])
})

test.each([
  ['{ "schemaVersion": 1, "service": "order", "calls": {', /is not JSON/],
  [{ ...limits(1), schemaVersion: 2 }, /schemaVersion must be 1, not 2/],
  [{ ...limits(1), calls: { 'a.b': { does: 'read', timoutMs: 5 } } }, /calls\["a\.b"\] has no field "timoutMs"/],
  [{ ...limits(1), calls: { 'a.b': { does: 'destroy' } } }, /does must be one of read, /],
  [limits(-5), /timeoutMs must be ms above 0 or "none", not -5/],
  [limits(100, { attempts: 1.5 }), /attempts must be a whole number/],
  [limits(100, { breaker: { failureRate: 7 } }), /failureRate must be between/],
  [limits(100, { does: 'read' }), /the file says read, the code idempotent-write/],
  [{ ...limits(100), server: { budgetMs: 'long' } }, /budget must be a number of ms/],
])('an invalid change (%#) is refused as a whole with one line, and the old limits stay', async (next, message) => {
  write(limits(1500))
  const file = open()
  const ask = given(file)
  createInbound({ budgetMs: 1000, limits: file })
  write(next)
  expect(file.reload()).toBe(false)
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatch(message)
  expect(refused[0]).not.toContain('\n')
  expect(refused[0]).toContain(path)
  expect(await ask()).toBe(1500)
  expect(records.at(-1)).toMatchObject({ accepted: false })
})

test('a file that is gone is refused, and one that comes back is taken', async () => {
  write(limits(1500))
  const file = open()
  const ask = given(file)
  rmSync(path)
  expect(file.reload()).toBe(false)
  expect(await ask()).toBe(1500)
  write(limits(600))
  expect(file.reload()).toBe(true)
  expect(await ask()).toBe(600)
})

test('the first reading must succeed', () => {
  expect(() => limitsFile(join(folder, 'none.json'))).toThrow(/cannot be read/)
  write('[]')
  expect(() => limitsFile(path)).toThrow(/must be one JSON object/)
  write(' '.repeat(5 * 1024 * 1024))
  expect(() => limitsFile(path)).toThrow(/bytes, more than/)
})

test('a breaker keeps its state over a change that leaves it alone, and starts anew when it changed', async () => {
  const breaker = { consecutive: 1, openMs: 60_000 }
  write(limits(100, { breaker }))
  const file = open()
  const ask = call('inventory.deduct', { does: 'idempotent-write', limits: file }, () => Promise.reject(new Error('down')))
  await expect(ask()).rejects.toThrow('down')
  write(limits(100, { breaker, floorMs: 1 }))
  file.reload()
  await expect(ask()).rejects.toMatchObject({ code: 'BREAKER_OPEN' })
  write(limits(100, { breaker: { ...breaker, openMs: 30_000 } }))
  file.reload()
  await expect(ask()).rejects.toThrow('down')
})

test('the server part goes before the options of the code', () => {
  write(limits(100))
  let left = 0
  createInbound({ budgetMs: 5000, limits: open() }).open({ operation: 'create', headers: {} }, (opened) => {
    if (opened.state === 'open') left = opened.request.run(() => remainingMs())
  })
  expect(Math.round(left / 100)).toBe(9)
})

test('an operation may have a budget and a floor of its own', () => {
  write({ ...limits(100), server: { budgetMs: 900, admission: 'can-finish', operations: { create: { budgetMs: 300, floorMs: 200 } } } })
  const inbound = createInbound({ budgetMs: 5000, limits: open() })
  const seen: number[] = []
  for (const [operation, headers] of [
    ['create', {}],
    ['other', {}],
    ['create', { 'request-budget-ms': '150' }],
  ] as const) {
    inbound.open(
      { operation, headers },
      (opened) => void seen.push(opened.state === 'open' ? Math.ceil(opened.request.run(() => remainingMs()) / 100) : -1),
    )
  }
  expect(seen).toEqual([3, 9, -1])
})

test('"none" is no limit on purpose, and a retry budget may be none too', async () => {
  write({ ...limits(1), calls: { 'a.b': { does: 'read', timeoutMs: 'none', retryBudget: 'none' } } })
  const ask = call('a.b', { does: 'read', timeoutMs: 5, limits: open() }, ({ remainingMs: left }) => left())
  expect((await ask()).value).toBe(Infinity)
})
