import { expect, test } from 'vitest'
import { type Does, fallbackTiers, mayFallBack, mayHedge, mayRetry } from './safety.js'

test.each<[Does, withoutKey: boolean, withKey: boolean]>([
  ['read', true, true],
  ['idempotent-write', false, true],
  ['write', false, false],
  ['external-effect', false, true],
  ['manual', false, false],
  ['compensation', false, true],
])('%s may be repeated without a key: %s, with one: %s', (does, withoutKey, withKey) => {
  expect(mayRetry(does)).toBe(withoutKey)
  expect(mayRetry(does, { idempotencyKey: false })).toBe(withoutKey)
  expect(mayRetry(does, { idempotencyKey: true })).toBe(withKey)
})

test('a compensation without a state guard is not repeated even with its key', () => {
  expect(mayRetry('compensation', { idempotencyKey: true, stateGuard: false })).toBe(false)
  expect(mayRetry('compensation', { idempotencyKey: true, stateGuard: true })).toBe(true)
})

test.each<[Does, readonly string[]]>([
  ['read', ['snapshot', 'default', 'empty', 'defer']],
  ['idempotent-write', ['defer']],
  ['write', ['defer']],
  ['external-effect', ['defer']],
  ['manual', ['defer']],
  ['compensation', ['defer']],
])('%s may be answered from %j', (does, tiers) => {
  expect(fallbackTiers.filter((tier) => mayFallBack(does, tier))).toEqual(tiers)
})

test('only reads are hedged', () => {
  const all: readonly Does[] = ['read', 'idempotent-write', 'write', 'external-effect', 'manual', 'compensation']
  expect(all.filter(mayHedge)).toEqual(['read'])
})
