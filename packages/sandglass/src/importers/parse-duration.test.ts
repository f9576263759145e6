import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DurationDialect, parseDuration } from './parse-duration.js'

const ms = (text: string, dialect: DurationDialect) => {
  const parsed = parseDuration(text, dialect)
  return parsed.ok ? parsed.ms : null
}

describe('parseDuration', () => {
  it('reads each dialect as its product does', () => {
    const table: readonly (readonly [DurationDialect, string, number | null])[] = [
      ['nginx', '90', 90_000],
      ['nginx', '1m30s', 90_000],
      ['nginx', '1m 30s', 90_000],
      ['nginx', '1m 30', 90_000],
      ['nginx', '500ms', 500],
      ['nginx', '0', 0],
      ['nginx', '1.5s', null],
      ['nginx', '30s1m', null],
      ['nginx', '1s1s', null],
      ['nginx', '1M', null],
      ['nginx', '60S', null],
      ['nginx', '$t', null],
      ['nginx-seconds', '10', 10_000],
      ['nginx-seconds', '10ms', null],
      ['nginx-seconds', '1M', 30 * 86_400_000],
      ['haproxy', '5000', 5000],
      ['haproxy', '5s', 5000],
      ['haproxy', '1500us', 2],
      ['haproxy', '1m30s', null],
      ['haproxy', '1.5s', null],
      ['protobuf', '0.25s', 250],
      ['protobuf', '15s', 15_000],
      ['protobuf', '250ms', null],
      ['protobuf', '15', null],
      ['istio', '0.2s', 200],
      ['istio', '1h1m', 3_660_000],
      ['istio', '10', null],
      ['go', '1m30.5s', 90_500],
      ['go', '0', 0],
      ['go-or-seconds', '30', 30_000],
      ['go-or-seconds', '30s', 30_000],
      ['spring', '3000', 3000],
      ['spring', '10s', 10_000],
      ['spring', 'PT1M3.5S', 63_500],
      ['spring', 'P1D', 86_400_000],
      ['spring', '1m30s', null],
      ['spring', 'PT', null],
      ['int-ms', '3000', 3000],
      ['int-ms', '3s', null],
      ['int-s', '120', 120_000],
      ['int-s', '120s', null],
      ['decimal-s', '0.5', 500],
      ['decimal-s', '60s', null],
      ['gep2257', '1h30m', 5_400_000],
      ['gep2257', '1.5h', null],
      ['gep2257', '100000s', null],
      ['gep2257', '10', null],
      ['postgres-ms', '5min', 300_000],
      ['postgres-ms', '250', 250],
      ['postgres-s', '60', 60_000],
      ['postgres-ms', '30 s', 30_000],
      ['compose', '1m30s', 90_000],
      ['compose', '30', null],
    ]
    for (const [dialect, text, expected] of table) expect([dialect, text, ms(text, dialect)]).toEqual([dialect, text, expected])
  })

  it('says what was expected', () => {
    expect(parseDuration('120s', 'int-s')).toEqual({ ok: false, message: '"120s" is not a whole number of seconds' })
  })

  const units: readonly (readonly [DurationDialect, string, number])[] = [
    ['nginx', 'ms', 1],
    ['nginx', '', 1000],
    ['nginx-seconds', 'm', 60_000],
    ['haproxy', '', 1],
    ['haproxy', 'h', 3_600_000],
    ['protobuf', 's', 1000],
    ['go', 'm', 60_000],
    ['go-or-seconds', '', 1000],
    ['istio', 'ms', 1],
    ['spring', '', 1],
    ['spring', 'd', 86_400_000],
    ['int-ms', '', 1],
    ['int-s', '', 1000],
    ['decimal-s', '', 1000],
    ['gep2257', 'h', 3_600_000],
    ['postgres-ms', 'min', 60_000],
    ['postgres-s', '', 1000],
    ['compose', 's', 1000],
  ]

  it('gives back every whole number that is written with a unit of its dialect', () => {
    fc.assert(
      fc.property(fc.constantFrom(...units), fc.integer({ min: 0, max: 99_999 }), ([dialect, unit, unitMs], count) => {
        expect(ms(`${count}${unit}`, dialect)).toBe(count * unitMs)
      }),
    )
  })

  it('adds up the parts of what it wrote itself, largest first', () => {
    const dialects = fc.constantFrom<DurationDialect>('nginx', 'go', 'istio', 'gep2257', 'compose', 'go-or-seconds')
    const part = fc.integer({ min: 0, max: 999 })
    fc.assert(
      fc.property(dialects, part, part, part, part, (dialect, h, m, s, rest) => {
        expect(ms(`${h}h${m}m${s}s${rest}ms`, dialect)).toBe(h * 3_600_000 + m * 60_000 + s * 1000 + rest)
      }),
    )
  })

  it('never throws and never gives NaN, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...units.map(([dialect]) => dialect)),
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9.smhdPT ]{0,12}$/)),
        (dialect, text) => {
          const parsed = parseDuration(text, dialect)
          expect(parsed.ok ? Number.isFinite(parsed.ms) && parsed.ms >= 0 : parsed.message.length > 0).toBe(true)
        },
      ),
    )
  })
})
