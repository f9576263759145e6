import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  call,
  createInbound,
  type InboundOptions,
  type Opened,
  observe,
  outbound,
  type RequestRecord,
  remainingMs,
  setInstanceName,
} from './index.js'
import { fakePeer } from './testing/fake-peer.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
let records: RequestRecord[]
let stop: () => void
beforeEach(() => {
  clock = useManualClock()
  records = []
  stop = observe((record) => void (record.kind === 'request' && records.push(record)))
})
afterEach(() => {
  stop()
  clock.restore()
})

test('a request that nobody named goes by "request"', () => {
  for (const operation of [undefined, '', null] as unknown as string[])
    createInbound({ budgetMs: 100 }).open(
      { operation, headers: {} },
      (opened) => void (opened.state === 'open' && opened.request.answered(200)),
    )
  expect(records.map((record) => record.operation)).toEqual(['request', 'request', 'request'])
})

test('the record of a request without a deadline speaks of no reserve', () => {
  const opened = open({ budgetMs: Infinity })
  if (opened.state === 'open') opened.request.answered(200)
  expect(records).toMatchObject([{ budgetInMs: Infinity, reserveMs: 0 }])
})

type Headers = Readonly<Record<string, string | string[]>>

function open(options: InboundOptions, headers: Headers = {}, arrivedAt?: number): Opened {
  let result: Opened | undefined
  createInbound(options).open(
    { operation: 'create', headers, ...(arrivedAt !== undefined && { arrivedAt }) },
    (opened) => void (result = opened),
  )
  if (result === undefined) throw new Error('the request was not opened at once')
  return result
}

function budgetOf(options: InboundOptions, headers: Headers = {}, arrivedAt?: number): number {
  const opened = open(options, headers, arrivedAt)
  return opened.state === 'open' ? opened.request.run(() => remainingMs()) : 0
}

test('a caller that names no budget gets the default', async () => {
  expect(budgetOf({ budgetMs: 2800 })).toBe(2800)
})

test('a caller may shorten, and lengthen only up to a cap that was given on purpose', async () => {
  expect(budgetOf({ budgetMs: 2800 }, { 'request-budget-ms': '800' })).toBe(800)
  expect(budgetOf({ budgetMs: 2800 }, { 'request-budget-ms': '4000' })).toBe(2800)
  expect(budgetOf({ budgetMs: 2800, maxBudgetMs: 5000 }, { 'request-budget-ms': '4000' })).toBe(4000)
  expect(budgetOf({ budgetMs: 2800, maxBudgetMs: 5000 }, { 'request-budget-ms': '9999999999' })).toBe(5000)
  expect(budgetOf({ budgetMs: 2800, trust: 'none' }, { 'request-budget-ms': '5' })).toBe(2800)
})

test.each(['', '-5', '1.5', '+5', '12abc', 'NaN', 'Infinity', '0x10', '1e3', '99999999999', '10, 20', 'x'.repeat(1_000_000)])(
  'a header that makes no sense (%#) is the default and counted, never no limit',
  async (value) => {
    expect(budgetOf({ budgetMs: 2800 }, { 'request-budget-ms': value })).toBe(2800)
    const opened = open({ budgetMs: 2800 }, { 'request-budget-ms': value })
    if (opened.state === 'open') opened.request.answered(200)
    await clock.settle()
    await clock.settle()
    expect(records.at(-1)).toMatchObject({ budgetFrom: 'malformed', budgetInMs: 2800 })
  },
)

test('two different values are the default, the same one twice is that one', async () => {
  expect(budgetOf({ budgetMs: 2800 }, { 'request-budget-ms': ['100', '200'] })).toBe(2800)
  expect(budgetOf({ budgetMs: 2800 }, { 'request-budget-ms': ['100', '100'] })).toBe(100)
})

test('a budget of 0 is answered 504 without running anything', async () => {
  expect(open({ budgetMs: 2800 }, { 'request-budget-ms': '0' })).toMatchObject({
    state: 'refused',
    refusal: { status: 504, code: 'DEADLINE_EXCEEDED' },
  })
  await clock.settle()
  expect(records[0]).toMatchObject({ outcome: 'expired', whose: 'inherited', status: 504 })
})

test('budgets that are no numbers of ms are refused when the server is made', async () => {
  expect(() => createInbound({ budgetMs: Number.NaN })).toThrow(TypeError)
  expect(() => createInbound({ budgetMs: '5' as unknown as number })).toThrow(TypeError)
  expect(() => createInbound({ budgetMs: 1000, reserveMs: Number.NaN })).toThrow(TypeError)
  expect(() => createInbound({ budgetMs: 1000, concurrency: 0 })).toThrow(RangeError)
})

test('time in the accept queue counts, each try names its own budget, and a second try gets what is left', async () => {
  setInstanceName('order-1')
  const seen: string[] = []
  const arrivedAt = clock.now
  await clock.advance(50)
  const opened = open({ budgetMs: 5000, reserveMs: 0 }, { 'request-budget-ms': '800' }, arrivedAt)
  if (opened.state !== 'open') throw new Error('refused')
  await opened.request.run(async () => {
    expect(remainingMs()).toBe(750)
    await clock.advance(120)
    expect(remainingMs()).toBe(630)
    const peer = fakePeer({
      does: 'run',
      fn: ({ attempt, signal }) => {
        seen.push(`${attempt}: ${outbound('b.c').headers['request-budget-ms']}`)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    const ask = call('b.c', { does: 'read', attempts: 2, attemptMs: 300, backoff: { baseMs: 50, jitter: 'none' } }, peer.fn)
    const failing = expect(ask()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await clock.advance(700)
    await failing
  })
  // The wheel is up to 6 ms late, so what is left for the second try is at most 280.
  expect(seen[0]).toBe('1: 300')
  expect(Number(seen[1]?.slice(3))).toBeGreaterThanOrEqual(270)
  expect(Number(seen[1]?.slice(3))).toBeLessThanOrEqual(280)
})

test.each([0, 3_600_000, -3_600_000])('a clock that is %d ms away changes nothing, time lost on the way is taken off', (skewMs) => {
  const inbound = createInbound({ budgetMs: 5000 })
  const send = (lostMs: number): number => {
    let leftMs = -1
    const sentAt = clock.now + 1_700_000_000_000 + skewMs - lostMs
    inbound.open(
      {
        operation: 'create',
        headers: { 'request-budget-ms': '800', 'request-budget-meta': `sent=${sentAt}; from=gw-1; hop=1; attempt=1` },
      },
      (opened) => {
        leftMs = opened.state === 'open' ? opened.request.run(() => remainingMs()) : 0
      },
    )
    return leftMs
  }
  expect(send(2)).toBe(800)
  expect(send(2)).toBe(800)
  expect(send(102)).toBe(700)
  expect(send(1000)).toBe(0)
})

test('a request that is itself a retry is not retried, and says so to those below', async () => {
  const opened = open({ budgetMs: 5000 }, { 'request-budget-meta': 'hop=1; attempt=2' })
  if (opened.state !== 'open') throw new Error('refused')
  const peer = fakePeer({ does: 'fail', error: new Error('broken') })
  let meta = ''
  await opened.request.run(async () => {
    meta = outbound('b.c').headers['request-budget-meta'] ?? ''
    await expect(call('b.c', { does: 'read', attempts: 3 }, peer.fn)()).rejects.toThrow('broken')
  })
  expect(peer.visits).toHaveLength(1)
  expect(meta).toContain('hop=2; attempt=2')
})

test('what is handed down is what is left less the reserve, taken once', async () => {
  const opened = open({ budgetMs: 1000 })
  if (opened.state !== 'open') throw new Error('refused')
  await opened.request.run(async () => {
    expect(outbound('raw').headers['request-budget-ms']).toBe('950')
    const inner = call('b.c', { does: 'read' }, () => outbound('b.c').headers['request-budget-ms'])
    expect((await inner()).value).toBe('950')
  })
})

test('less than a millisecond is a local failure and never a header', async () => {
  const opened = open({ budgetMs: 5, reserveMs: 5 })
  if (opened.state !== 'open') throw new Error('refused')
  opened.request.run(() =>
    expect(() => outbound('b.c')).toThrow(expect.objectContaining({ code: 'BUDGET_TOO_SMALL', outcome: 'not-sent' })),
  )
  await clock.advance(20)
  opened.request.run(() => expect(() => outbound('b.c')).toThrow(expect.objectContaining({ code: 'DEADLINE_EXCEEDED' })))
})

test('the time is up: the listener is given the answer to send, and the signal aborts', async () => {
  const opened = open({ budgetMs: 100 })
  if (opened.state !== 'open') throw new Error('refused')
  const answers: number[] = []
  opened.request.onExpired(({ status }) => void answers.push(status))
  const { signal } = opened.request.context
  await clock.advance(110)
  expect(answers).toEqual([504])
  expect(signal.aborted).toBe(true)
  opened.request.answered(504)
  await clock.settle()
  expect(records).toMatchObject([{ outcome: 'expired', whose: 'own' }])
})

test('a caller that leaves cancels the work, which is told apart from an expiry', async () => {
  const opened = open({ budgetMs: 100 })
  if (opened.state !== 'open') throw new Error('refused')
  const { signal } = opened.request.context
  opened.request.left()
  opened.request.answered(200)
  expect(signal.reason).toMatchObject({ name: 'AbortError', whose: 'caller' })
  await clock.settle()
  expect(records).toMatchObject([{ outcome: 'caller-left', whose: 'caller', status: 499 }])
})

test('with slots for two a third request waits, is served when one is free, and its wait is told', async () => {
  const inbound = createInbound({ budgetMs: 1000, concurrency: 2 })
  const opened: Opened[] = []
  for (let n = 0; n < 3; n++) inbound.open({ operation: 'create', headers: {} }, (one) => void opened.push(one))
  expect(opened).toHaveLength(2)
  await clock.advance(80)
  if (opened[0]?.state === 'open') opened[0].request.answered(200)
  expect(opened).toHaveLength(3)
  if (opened[2]?.state === 'open') opened[2].request.answered(200)
  await clock.settle()
  expect(records[1]).toMatchObject({ queueMs: 80 })
})

test('who waits for a slot until the time is up is answered 504, who leaves meanwhile is forgotten', async () => {
  const inbound = createInbound({ budgetMs: 100, concurrency: 1 })
  const results: Opened[] = []
  inbound.open({ operation: 'create', headers: {} }, (one) => void results.push(one))
  const leave = inbound.open({ operation: 'create', headers: {} }, (one) => void results.push(one))
  inbound.open({ operation: 'create', headers: {} }, (one) => void results.push(one))
  leave()
  await clock.advance(120)
  expect(results.map(({ state }) => state)).toEqual(['open', 'refused'])
  if (results[0]?.state === 'open') results[0].request.answered(200)
  let later: Opened | undefined
  inbound.open({ operation: 'create', headers: {} }, (one) => void (later = one))
  expect(later?.state).toBe('open')
})

test('what cannot finish is refused with 503 and retry-after; observe-only counts it and lets it pass', async () => {
  const refused = open({ budgetMs: 1000, admission: { mode: 'can-finish', floorMs: 300 } }, { 'request-budget-ms': '200' })
  expect(refused).toMatchObject({ state: 'refused', refusal: { status: 503, code: 'ADMISSION_REFUSED', headers: { 'retry-after': '1' } } })
  const watched = open({ budgetMs: 1000, admission: { mode: 'can-finish', floorMs: 300 }, observe: true }, { 'request-budget-ms': '200' })
  if (watched.state !== 'open') throw new Error('refused')
  watched.request.answered(200)
  await clock.settle()
  expect(records.at(-1)).toMatchObject({ outcome: 'answered', wouldHave: ['ADMISSION_REFUSED'] })
})

test('who leaves while waiting takes no slot when its turn would have come', () => {
  const inbound = createInbound({ budgetMs: 10_000, concurrency: 1 })
  const results: Opened[] = []
  const enter = (): (() => void) => inbound.open({ operation: 'create', headers: {} }, (one) => void results.push(one))
  enter()
  const leave = enter()
  leave()
  if (results[0]?.state === 'open') results[0].request.answered(200)
  enter()
  expect(results.map(({ state }) => state)).toEqual(['open', 'open'])
})

test('a shutdown refuses those who wait and those who come, and aborts those who are served', () => {
  const shutdown = new AbortController()
  const inbound = createInbound({ budgetMs: 10_000, concurrency: 1, signal: shutdown.signal })
  const results: Opened[] = []
  const enter = (): (() => void) => inbound.open({ operation: 'create', headers: {} }, (one) => void results.push(one))
  enter()
  enter()
  const signal = results[0]?.state === 'open' ? results[0].request.context.signal : undefined
  shutdown.abort(new Error('deploy'))
  enter()
  expect(signal?.aborted).toBe(true)
  expect(results).toMatchObject([{ state: 'open' }, { refusal: { status: 503 } }, { refusal: { status: 503 } }])
  if (results[0]?.state === 'open') expect(results[0].request.refusalOf(signal?.reason)).toMatchObject({ status: 503, code: 'CANCELLED' })
})

test('observe-only lets pass what would wait for a slot, and counts it', async () => {
  const inbound = createInbound({ budgetMs: 1000, concurrency: 1, observe: true })
  const opened: Opened[] = []
  for (let n = 0; n < 3; n++) inbound.open({ operation: 'create', headers: {} }, (one) => void opened.push(one))
  for (const one of opened) if (one.state === 'open') one.request.answered(200)
  await clock.settle()
  expect(records.map(({ wouldHave }) => wouldHave)).toEqual([[], ['ADMISSION_REFUSED'], ['ADMISSION_REFUSED']])
})

test('a listener that throws is warned of, and the request does not notice', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  const end = observe(() => {
    throw new Error('a broken sink')
  })
  const opened = open({ budgetMs: 100 })
  if (opened.state === 'open') opened.request.answered(200)
  await clock.settle()
  end()
  process.off('warning', onWarning)
  expect(warnings).toMatchObject([{ message: 'a broken sink' }])
})

test('standing event-loop delay sheds load', async () => {
  const inbound = createInbound({ budgetMs: 1000, shed: { loop: { targetMs: 20, intervalMs: 100 } } })
  const states: string[] = []
  for (let n = 0; n < 30; n++) {
    inbound.open({ operation: 'create', headers: {} }, (one) => void states.push(one.state))
    await clock.advance(1)
    clock.block(100)
    await clock.advance(1)
  }
  expect(states[0]).toBe('open')
  expect(states.at(-1)).toBe('refused')
})

test('operation names from outside do not grow the memory', async () => {
  const inbound = createInbound({ budgetMs: 1000, admission: 'can-finish' })
  for (let n = 0; n < 2000; n++)
    inbound.open({ operation: `/made-up/${n}`, headers: {} }, (one) => void (one.state === 'open' && one.request.answered(200)))
  await clock.settle()
  expect(records).toHaveLength(2000)
  expect(clock.armed).toBe(0)
})
