import { describe, expect, it } from 'vitest'
import type { ArmSummary } from '../measure/summary.js'
import { differencesOf, msText, percent, resultTable } from './table.js'
import { targetsOf } from './targets.js'

const arm = (name: string, parts: Partial<ArmSummary> = {}): ArmSummary => ({
  name,
  answeredShare: 1,
  usefulShare: 1,
  degradedShare: 0.3,
  goodputPerS: 50,
  p50Ms: 40,
  p99Ms: 300,
  recoveryMs: 0,
  orphanedShare: 0.0005,
  amplification: { order: 1, inventory: 1.02 },
  underFault: { answeredShare: 1, usefulShare: 0.98, goodputPerS: 60 },
  ...parts,
})

describe('the table', () => {
  it('has what was measured, what was simulated, and how far apart they are', () => {
    const text = resultTable([{ measured: arm('sandglass'), simulated: arm('sandglass', { goodputPerS: 54, p50Ms: 45, p99Ms: 300 }) }])
    const [head, measured, simulated, difference] = text.split('\n')
    expect(head).toMatch(
      /^arm +answered +useful +degraded +useful under fault +goodput +under fault +p50 +p99 +back after +orphaned +most amplified$/,
    )
    expect(measured).toMatch(/^sandglass +100.0 % +100.0 % +30.0 % +98.0 % +50.0\/s +60.0\/s +40 ms +300 ms +0 ms +0.05 % +1.02 inventory$/)
    expect(simulated).toMatch(/^ {2}simulated /)
    expect(difference).toMatch(/^ {2}difference +\+8.0 % +\+12.5 % ! +\+0.0 %$/)
  })

  it('says where nothing can be compared', () => {
    expect(differencesOf({ measured: arm('a', { p50Ms: null }), simulated: arm('a') }).find(({ what }) => what === 'p50Ms')).toEqual({
      what: 'p50Ms',
      share: null,
      isNear: false,
    })
    expect(differencesOf({ measured: arm('a'), simulated: null })).toEqual([])
  })

  it('writes numbers so that small ones are not lost', () => {
    expect([percent(0.0004), percent(0.972), percent(0), msText(null), msText(12_345), msText(41.6)]).toEqual([
      '0.04 %',
      '97.2 %',
      '0.0 %',
      '-',
      '12.3 s',
      '42 ms',
    ])
  })
})

describe('the targets', () => {
  const pairs = (...arms: ArmSummary[]) => arms.map((measured) => ({ measured, simulated: null }))
  const missed = (...arms: ArmSummary[]) =>
    targetsOf(pairs(...arms), 'avalanche')
      .filter(({ isMet }) => !isMet)
      .map(({ text }) => text)

  it('are met by an arm that keeps all of them', () => {
    expect(targetsOf(pairs(arm('sandglass')), 'avalanche')).toHaveLength(5)
    expect(missed(arm('sandglass'))).toEqual([])
  })

  it.each([
    [{ answeredShare: 0.998 }, /answered/],
    [{ underFault: { answeredShare: 1, usefulShare: 0.971, goodputPerS: 60 } }, /useful under fault/],
    [{ amplification: { db: 1.11 } }, /amplification/],
    [{ orphanedShare: 0.01 }, /orphaned/],
    [{ recoveryMs: 2001 }, /back within/],
    [{ recoveryMs: null }, /back within/],
  ])('tell which one is missed: %o', (parts, which) => {
    expect(missed(arm('sandglass', parts))).toEqual([expect.stringMatching(which)])
  })

  it('compare with the better of the peers, and expect uniform to collapse', () => {
    const better = arm('opossum', { underFault: { answeredShare: 1, usefulShare: 0.5, goodputPerS: 41 } })
    expect(
      missed(arm('sandglass'), better, arm('cockatiel', { underFault: { answeredShare: 1, usefulShare: 0, goodputPerS: 0 } })),
    ).toEqual(['goodput under fault >= 1.5 x the better peer'])
    expect(missed(arm('uniform', { usefulShare: 0.5, amplification: { inventory: 3.9 } }))).toHaveLength(2)
    expect(missed(arm('uniform', { usefulShare: 0.2, amplification: { inventory: 6 } }))).toEqual([])
    expect(targetsOf(pairs(arm('uniform'), better), 'long-chain')).toEqual([])
  })
})
