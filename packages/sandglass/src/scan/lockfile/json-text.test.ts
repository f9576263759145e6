import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSpot, strictJson } from './json-text.js'

describe('strictJson', () => {
  it('blanks comments and last commas, and leaves strings and positions alone', () => {
    const text = '{ // a "quote\n "a, }": ["/* no */", 1, /* yes, */ ], "b\\"": "x,", \n}'
    expect(JSON.parse(strictJson(text))).toEqual({ 'a, }': ['/* no */', 1], 'b"': 'x,' })
    expect(strictJson(text)).toHaveLength(text.length)
    expect(strictJson('{"a":1,\n// end\n}')).toBe('{"a":1 \n      \n}')
  })

  it('changes nothing in a text that is JSON already', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1)
        expect(strictJson(text)).toBe(text)
      }),
    )
  })

  it('reads any text, and keeps its length and its lines', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', '\\', '/', '*', '//', '/*', '*/', ',', '{', '}', '[', ']', '\n', ' ', 'a')), (parts) => {
        const text = parts.join('')
        expect(strictJson(text).replace(/[^\n]/g, '.')).toBe(text.replace(/[^\n]/g, '.'))
      }),
    )
  })
})

describe('jsonSpot', () => {
  it('gives the text of each value', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('a', '__proto__', 'b"c', '{', '\\'))
    fc.assert(
      fc.property(fc.dictionary(key, fc.dictionary(key, fc.oneof(fc.string(), fc.integer()))), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        for (const [outer, members] of Object.entries(value)) {
          for (const [inner, expected] of Object.entries(members)) {
            const { start, end } = jsonSpot({ file: 'x', text }, text, [outer, inner])
            expect(JSON.parse(text.slice(start, end))).toBe(expected)
          }
        }
      }),
    )
  })

  it('stops at the last key that is there', () => {
    const text = '{ "a": { "b": 1 } }'
    expect(jsonSpot({ file: 'x', text }, text, ['a', 'c', 'd'])).toMatchObject({ start: 7, end: 8 })
  })
})
