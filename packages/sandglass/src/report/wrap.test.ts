import { describe, expect, it } from 'vitest'
import { wrap } from './wrap.js'

describe('wrapping', () => {
  it('breaks at spaces, and indents the later lines', () => {
    expect(wrap('one two three', 8, '  ')).toEqual(['one two', '  three'])
    expect(wrap('unbreakable', 4)).toEqual(['unbreakable'])
    expect(wrap('', 10)).toEqual([''])
  })

  it('keeps a number and its unit together', () => {
    expect(wrap('gives up after 4 s, the', 17)).toEqual(['gives up after', '4 s, the'])
    expect(wrap('fails in 12 % of all', 11)).toEqual(['fails in', '12 % of all'])
    expect(wrap('takes 3 slots', 8)).toEqual(['takes 3', 'slots'])
  })
})
