import { describe, expect, it, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { EXACT_CHAIN } from './exact-chain.fixture.js'
import { planChain } from './plan.js'
import type { PlanOptions } from './plan-options.js'
import { writePlan } from './write-plan.js'
import { commentsIn } from './yaml-edit.js'

function rewritten(text: string, options: Partial<PlanOptions> = {}): string {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  const [written] = writePlan(planChain(chain, { gridMs: 10, ...options }))
  return written?.text ?? text
}

/** A journey of one service; `calls` stand below `calls:`, indented by ten. */
function chainOf(calls: string): string {
  return `sandglass: 1
journeys: { j: { promise: 1s, starts: app.start } }
services:
  app:
    operations:
      start:
        does: write
        calls:
${calls}
  leaf: { operations: { get: { does: read, latency: { exponential: 20ms }, errors: 5% } } }
  note: { operations: { put: { does: write, latency: { exponential: 10ms } } } }
`
}

function callsOf(text: string): readonly { to: string; timeout: unknown; attempts: unknown; attempt: unknown }[] {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  return chain.calls.map(({ to, timeoutMs, attempts, attemptMs }) => ({
    to: to.value,
    timeout: timeoutMs?.value,
    attempts: attempts.value,
    attempt: attemptMs?.value,
  }))
}

test('a plan is written beside what stands there, comments and order kept', () => {
  const text = rewritten(
    EXACT_CHAIN.replace(
      '- { to: pay.charge }',
      '- to: pay.charge   # the channel\n            # its tail is long\n            attempts: 3\n            timeout: 30s',
    ),
  )
  expect(text).toContain('{ to: auth.check, timeout: 80ms, floor: 19ms, basis: "sandglass plan: 80 ms of')
  expect(text).toContain(
    '- to: pay.charge   # the channel\n            # its tail is long\n            attempts: 1\n            timeout: 280ms\n            floor: 100ms\n            basis: "',
  )
  expect(callsOf(text).map(({ timeout }) => timeout)).toEqual([80, 200, 200, 280])
})

test('what does not belong to a call is the same byte for byte', () => {
  const text = rewritten(EXACT_CHAIN)
  const without = text.replace(/, timeout: \d+ms, floor: \d+ms, basis: "[^"]*"/g, '')
  expect(without).toBe(EXACT_CHAIN)
})

describe('a comment stays', () => {
  it.each([
    ['beside a field that is replaced', '          - to: leaf.get\n            timeout: 30s  # KEPT'],
    ['beside a field that goes', '          - to: leaf.get\n            silence: 5s  # KEPT\n            timeout: 30s'],
    [
      'inside a block that goes',
      '          - to: note.put\n            attempts: 3\n            backoff:\n              base: 50ms  # KEPT\n              max: 1s\n            timeout: 30s',
    ],
    [
      'inside braces that go',
      '          - { to: note.put, attempts: 3, backoff: { base: 50ms,  # KEPT\n              max: 1s }, timeout: 30s }',
    ],
    [
      'behind the comma of a field that goes',
      '          - { to: leaf.get,\n              silence: 5s,  # KEPT\n              timeout: 30s }',
    ],
    ['behind the last field, which goes', '          - { to: leaf.get, timeout: 30s,  # KEPT\n              silence: 5s }'],
    ['beside the dash of a field that goes', '          - silence: 5s  # KEPT\n            to: leaf.get'],
    ['in front of a value on a line of its own', '          - to: leaf.get\n            timeout:  # KEPT\n              30s'],
    [
      'behind the sign of a block of text',
      '          - to: leaf.get\n            basis: >  # KEPT\n              because it # was\n              so\n            timeout: 30s',
    ],
    [
      'inside a limit that is written as a mapping',
      '          - to: leaf.get\n            timeout:\n              value: 30s  # KEPT\n              fixed: false',
    ],
  ])('%s', (_, calls) => {
    const text = rewritten(chainOf(calls))
    expect(commentsIn(text)).toEqual(['# KEPT'])
    expect(callsOf(text)[0]?.timeout).toEqual(expect.any(Number))
    expect(rewritten(text)).toBe(text)
  })
})

describe('anchors', () => {
  it('of a whole call are written once, with limits that suit every place', () => {
    const text = rewritten(chainOf('          - &ask { to: leaf.get }\n          - *ask'))
    expect(text.match(/timeout/g)).toHaveLength(1)
    expect(callsOf(text).map(({ timeout }) => timeout)).toEqual([500, 500])
  })

  it('that are copied by << are overridden, also where the copy must not repeat what the original may', () => {
    const text = rewritten(chainOf('          - &ask { to: leaf.get, attempts: 3, silence: 9s }\n          - { <<: *ask, to: note.put }'))
    const [leaf, note] = callsOf(text)
    expect(leaf).toMatchObject({ attempts: 3 })
    expect(note).toMatchObject({ attempts: 1, attempt: 'none' })
    expect(rewritten(text)).toBe(text)
  })

  it('of a limit that is replaced leave its old value to whoever else names it', () => {
    const text = rewritten(
      chainOf(
        '          - { to: leaf.get, timeout: &long 30s }\n          - { to: note.put, queue: { perAttempt: *long }, timeout: *long }',
      ),
    )
    expect(text).toContain('queue: { perAttempt: 30s }')
    expect(text).not.toContain('long')
    expect(callsOf(text).every(({ timeout }) => timeout !== 30_000)).toBe(true)
  })
})

test('Windows line ends stay, also those of new lines', () => {
  const text = rewritten(chainOf('          - to: leaf.get\n            silence: 5s  # kept').replaceAll('\n', '\r\n'))
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(commentsIn(text)).toEqual(['# kept'])
})

test('what a platform fixes is not touched', () => {
  const call = '{ to: leaf.get, timeout: { value: 700ms, fixed: true }, basis: "theirs" }'
  expect(rewritten(chainOf(`          - ${call}`))).toContain('timeout: { value: 700ms, fixed: true }, floor: 14ms, basis: "theirs" }')
})

test('limits that cannot end anything within the plan go, those that can stay', () => {
  const text = rewritten(chainOf('          - { to: leaf.get, connect: 50ms, write: 9s, queue: 30s, timeout: 30s, retryStartWithin: 4s }'))
  expect(text).toContain('connect: 50ms')
  expect(text).not.toMatch(/write: 9s|queue|retryStartWithin/)
})

test('a reserve of the file stays and says so; one that the plan wrote is derived again', () => {
  const own = rewritten(chainOf('          - { to: leaf.get, reserve: 40ms }'))
  expect(own).toContain('reserve: 40ms')
  expect(own).toContain('reserve as written"')
  const derived = rewritten(chainOf('          - { to: leaf.get }'))
  expect(derived).toContain('reserve: 50ms')
  expect(rewritten(derived.replace('promise: 1s', 'promise: 2s'))).toContain('reserve: 100ms')
})

test('a chain of several files is written into each of them', () => {
  const { chain } = readChainText(EXACT_CHAIN)
  const plan = planChain(chain, { gridMs: 10 })
  expect(writePlan(plan).map(({ source, changed }) => [source.file, changed])).toEqual([['sandglass.yaml', 4]])
})
