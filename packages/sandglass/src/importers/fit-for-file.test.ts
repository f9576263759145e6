import { describe, expect, it } from 'vitest'
import { declared } from '../model/sourced.js'
import { atLeastOne, fitFields } from './fit-for-file.js'

const spot = { source: { file: 'a', text: '' }, start: 0, end: 0 }

describe('fields of imported calls', () => {
  it('have counts of at least one; 0 is unknown', () => {
    expect(atLeastOne(declared(0, spot)).value).toBe('unknown')
    expect(atLeastOne(declared(1, spot)).value).toBe(1)
    const { attempts, bulkhead } = fitFields({ attempts: declared(0, spot), bulkhead: declared(0, spot) })
    expect([attempts?.value, bulkhead?.value]).toEqual(['unknown', 'unknown'])
  })

  it('keep what a breaker may say, and drop or shorten the rest', () => {
    const fit = {
      spot,
      window: declared({ calls: 10 }, spot),
      failureRate: declared(0.5, spot),
      minCalls: declared(5, spot),
      consecutive: declared(1, spot),
      open: declared({ baseMs: 1000, maxMs: 2000 }, spot),
      probes: declared(3, spot),
      slowMs: declared(200, spot),
      slowRate: declared(1, spot),
    }
    expect(fitFields({ breaker: fit }).breaker).toEqual(fit)
    const unfit = {
      spot,
      window: declared({ calls: 0.5 }, spot),
      failureRate: declared(50, spot),
      minCalls: declared(0, spot),
      consecutive: declared(1.5, spot),
      open: declared({ baseMs: 2 ** 41, maxMs: 2 ** 41 }, spot),
      probes: declared(1e20, spot),
      slowMs: declared('none' as const, spot),
      slowRate: declared(Number.NaN, spot),
    }
    expect(fitFields({ breaker: unfit }).breaker).toEqual({
      spot,
      open: declared({ baseMs: 9_999_999_999, maxMs: 9_999_999_999 }, spot),
      slowMs: declared('none', spot),
    })
    expect(fitFields({ breaker: { spot, window: declared({ ms: 2 ** 41 }, spot) } }).breaker?.window?.value).toEqual({ ms: 9_999_999_999 })
  })
})
