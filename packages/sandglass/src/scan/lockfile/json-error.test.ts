import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonErrorAt } from './json-error.js'

describe('jsonErrorAt', () => {
  it('finds where a text stops being JSON', () => {
    expect(jsonErrorAt('{ "a": x }')).toBe(7)
    expect(jsonErrorAt('{ "a" 1 }')).toBe(6)
    expect(jsonErrorAt('{ a: 1 }')).toBe(2)
    expect(jsonErrorAt('{ "a": [1,] }')).toBe(10)
    expect(jsonErrorAt('{ "a": [1}')).toBe(9)
    expect(jsonErrorAt('{ "a": 01 }')).toBe(7)
    expect(jsonErrorAt('{} {}')).toBe(3)
    expect(jsonErrorAt('{ "a": [')).toBe(8)
  })

  it('finds nothing in JSON, and in what is cut off only its end', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value, null, 1)
        expect(jsonErrorAt(text)).toBe(text.length)
        const part = text.slice(0, cut % text.length)
        expect([part.length, Math.max(0, part.search(/[\w.+-]+$/))]).toContain(jsonErrorAt(part))
      }),
    )
  })
})
