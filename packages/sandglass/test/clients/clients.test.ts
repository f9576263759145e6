import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allCases } from './all-cases.js'
import { packagesOf } from './installed-clients.js'
import { judge, kindProblems } from './judge.js'
import type { Measured } from './measure.js'

const manifest = readFileSync(new URL('package.json', import.meta.url), 'utf8')

describe('the cases of the client libraries', () => {
  test('have names of their own', () => {
    const names = allCases.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('mark the line of one call, and export run', () => {
    const marks = ({ code }: { code: string }) => code.split('// measured\n').length - 1
    expect(allCases.filter((one) => marks(one) !== 1 || !/export (const|async function|function) run\b/.test(one.code))).toEqual([])
  })

  test('name packages that the lock folder has', () => {
    const installed = new Set(packagesOf(manifest).map(({ name, version }) => `${name}@${version}`))
    expect(allCases.flatMap(({ packages }) => packages).filter((each) => !installed.has(each))).toEqual([])
  })

  test('claim no kind of limit that what they say of the peers denies', () => {
    expect(allCases.flatMap((one) => kindProblems(one).map((problem) => `${one.name}: ${problem}`))).toEqual([])
  })
})

describe('judging a measurement', () => {
  const one = allCases.find(({ name }) => name === 'fetch: signal of a timeout')!
  const good: Measured = { mode: 'hang', end: 'rejects', ms: 310, latestMs: 0, words: '', attempts: 1, cancelsWork: true }
  const of = (change: Partial<Measured>) => judge(one, [{ ...good, ...change }], 1500)

  test('accepts what is as written', () => {
    expect(of({})).toEqual([])
  })

  test('refuses an end too early, too late, or none', () => {
    expect(of({ ms: 290 })).toEqual(['hang: ended after 290 ms, not 300'])
    expect(of({ ms: 430 })).toEqual(['hang: ended after 430 ms, not 300'])
    expect(of({ end: 'pending', ms: 1500 })).toContain('hang: pending at 1500 ms (), not rejects at 300')
  })

  test('forgives the lateness that a busy machine had', () => {
    expect(of({ ms: 430, latestMs: 50 })).toEqual([])
  })

  test('refuses another number of attempts, and work that goes on', () => {
    expect(of({ attempts: 2 })).toEqual(['hang: 2 attempts, not 1'])
    expect(of({ cancelsWork: false })).toEqual(['hang: the peer saw no close'])
  })
})
