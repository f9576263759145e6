import { describe, expect, it } from 'vitest'
import { mayBeTooDeep } from './too-deep.js'

/** Ways to nest, by one level of them: each ends the process of a native parser when there are some ten thousand. */
const NESTING = {
  parentheses: '(',
  arrays: '[',
  blocks: '{',
  templates: '`${',
  conditions: 'a ? b : ',
  assignments: 'a = ',
  'arrow functions': 'a => ',
  negations: '!',
  constructions: 'new ',
  labels: 'a: ',
  'loops in loops': 'for (;;) ',
  'ifs in ifs': 'if (a) ',
  'ifs one after the other': 'if (a) b(); else ',
  sums: 'a + ',
  members: '.y',
  calls: '.y()',
  casts: ' as A',
  elements: '<a>',
  types: 'A<',
  keys: 'keyof ',
  'templates one after the other': '``',
  'indexes one after the other': '[0]',
}

describe('mayBeTooDeep', () => {
  it.each(Object.entries(NESTING))('sees %s nested 5,000 times', (_, level) => {
    expect(mayBeTooDeep(`const x = y\n${level.repeat(5000)}`)).toBe(true)
  })

  it('takes no long file for a deep one', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `export function f${i}(a, b) { if (a) return [b, { c: a ? 1 : 2 }]; else return a => a }`,
    )
    expect(mayBeTooDeep(lines.slice(0, 300).join('\n'))).toBe(false)
    expect(mayBeTooDeep(lines.map((line) => `${line};`).join('\n'))).toBe(false)
  })

  it('reads a text of a megabyte in no time, whatever is in it', () => {
    const startedAt = performance.now()
    for (const part of [';', ';  ', '}', 'a', ' ', '\n', 'else ', '/*', '"']) mayBeTooDeep(part.repeat(1_000_000 / part.length))
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})
