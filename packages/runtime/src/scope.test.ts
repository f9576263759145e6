import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { armedCount } from './clock.js'
import { type Ending, Scope } from './scope.js'
import { linkOf } from './signal-link.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
beforeEach(() => void (clock = useManualClock()))
afterEach(() => clock.restore())

const open = (parent: Scope | undefined, name: string, budgetMs: number): Scope => new Scope(parent, name, clock.now, clock.now + budgetMs)

test('a child never outlives its parent: 1000 in 300 is 300, 100 in that is 100, nothing asked is 300', () => {
  const parent = open(undefined, 'parent', 300)
  const child = open(parent, 'child', 1000)
  const grandchild = open(child, 'grandchild', 100)
  const sibling = open(parent, 'sibling', Infinity)
  expect([parent, child, grandchild, sibling].map((scope) => scope.remainingAt(clock.now))).toEqual([300, 300, 100, 300])
})

test('the error of a child says which level expired and what it had', async () => {
  const parent = open(undefined, 'place-order', 300)
  const child = open(parent, 'child', 1000)
  const { signal } = child
  await clock.advance(310)
  expect(signal.reason).toMatchObject({
    name: 'TimeoutError',
    code: 'DEADLINE_EXCEEDED',
    whose: 'inherited',
    level: 'place-order',
    budgetMs: 300,
  })
  expect((signal.reason as Error).message).toContain('the parent deadline "place-order" of 300 ms')
})

test('scopes that end with their parent arm no timer of their own', () => {
  const parent = open(undefined, 'request', 300)
  for (let n = 0; n < 100; n++) open(parent, 'call', n % 2 === 0 ? Infinity : 5000)
  expect(armedCount()).toBe(1)
})

test('nothing fires early, and a signal that is asked for late is aborted already', async () => {
  const scope = open(undefined, 'request', 250.7)
  await clock.advance(250.5)
  expect(scope.isOpen).toBe(true)
  await clock.advance(10)
  expect(scope.isOpen).toBe(false)
  expect(scope.signal.aborted).toBe(true)
})

test('no controller is made until somebody asks for the signal', async () => {
  const made: unknown[] = []
  const real = globalThis.AbortController
  globalThis.AbortController = class extends real {
    constructor() {
      super()
      made.push(this)
    }
  }
  try {
    const scope = open(undefined, 'request', 50)
    open(scope, 'call', 10)
    await clock.advance(100)
    expect(scope.ending?.kind).toBe('expired')
    expect(made).toEqual([])
  } finally {
    globalThis.AbortController = real
  }
})

test('closing aborts nothing and leaves no timer', async () => {
  const scope = open(undefined, 'request', 50)
  const { signal } = scope
  scope.close()
  await clock.advance(100)
  expect(signal.aborted).toBe(false)
  expect(armedCount()).toBe(0)
})

test('what a closed scope left running keeps its deadline and goes on under the parent above', async () => {
  const shutdown = open(undefined, 'shutdown', Infinity)
  const request = open(shutdown, 'request', 100)
  const left = open(request, 'left running', Infinity)
  request.close()
  expect(left.isOpen).toBe(true)
  await clock.advance(110)
  expect(left.ending?.kind).toBe('expired')
  const later = open(request, 'started after', Infinity)
  shutdown.cancel('own')
  expect(later.ending?.kind).toBe('cancelled')
})

test('the owner is told once, before the signal aborts', async () => {
  const told: string[] = []
  const scope = new Scope(undefined, 'call', clock.now, clock.now + 10, {
    onScopeEnd: (_: Scope, ending: Ending) => void told.push(ending.kind),
  })
  scope.signal.addEventListener('abort', () => void told.push('signal'))
  await clock.advance(20)
  scope.cancel('own')
  expect(told).toEqual(['expired', 'signal'])
})

test('an outer signal has one listener for ten thousand scopes, and none after they closed', () => {
  const shutdown = new AbortController()
  const scopes = Array.from({ length: 10_000 }, () => {
    const scope = open(undefined, 'request', 1000)
    scope.follow(linkOf(shutdown.signal))
    return scope
  })
  expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(1)
  for (const scope of scopes.slice(1)) scope.close()
  expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(1)
  scopes[0]?.close()
  expect(getEventListeners(shutdown.signal, 'abort')).toHaveLength(0)
})

test('an abort reaches every scope that is open, with the reason', () => {
  const shutdown = new AbortController()
  const scopes = Array.from({ length: 5 }, () => {
    const scope = open(undefined, 'request', 1000)
    scope.follow(linkOf(shutdown.signal))
    return scope
  })
  scopes[2]?.close()
  shutdown.abort(new Error('the process is told to stop'))
  expect(scopes.map((scope) => scope.ending?.kind)).toEqual(['cancelled', 'cancelled', undefined, 'cancelled', 'cancelled'])
  expect(scopes[0]?.signal.reason).toMatchObject({ name: 'AbortError', whose: 'caller', cause: { message: 'the process is told to stop' } })
})

test('a scope opened under one that ended is over at once', () => {
  const parent = open(undefined, 'request', 100)
  parent.cancel('caller')
  expect(open(parent, 'call', 50).ending).toMatchObject({ kind: 'cancelled', whose: 'caller' })
})
