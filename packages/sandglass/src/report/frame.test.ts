import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import type { Source } from '../model/sourced.js'
import { frameLines } from './frame.js'
import { plainStyle } from './palette.js'
import { spotAt } from './report.fixture.js'

const paint = (text: string) => text
const at = (text: string, word: string, label: string, file = 'a.yaml') => {
  const source: Source = { file, text }
  return { spot: spotAt(source, word), label, paint }
}

describe('a frame', () => {
  it('underlines wide letters as wide as they are', () => {
    expect(frameLines([at('超时: 三十秒 # x', '三十秒', '太长')], plainStyle)).toEqual([
      'a.yaml:1:5',
      '1 | 超时: 三十秒 # x',
      '  |       ^^^^^^ 太长',
    ])
  })

  it('underlines two places of one line in one pane, the left one first', () => {
    const source: Source = { file: 'a.yaml', text: '{ timeout: 2s, attempts: 3 }' }
    const places = [
      { spot: spotAt(source, '3'), label: 'so often', paint },
      { spot: spotAt(source, '2s'), label: 'each', paint },
    ]
    expect(frameLines(places, plainStyle)).toEqual([
      'a.yaml:1:26',
      '1 | { timeout: 2s, attempts: 3 }',
      '  |            ^^ each',
      '  |                          ^ so often',
    ])
  })

  it('puts two places beside each other, the second one at half the width', () => {
    const lines = frameLines([at('timeout: 3s', '3s', 'stops waiting'), at('attempt: 2s', '2s', 'each attempt', 'b.yaml')], plainStyle)
    expect(lines).toHaveLength(3)
    expect(lines.map((line) => line.indexOf('b.yaml') >= 0 || line.lastIndexOf('1 |') > 40 || line.lastIndexOf('|') > 40)).toEqual([
      true,
      true,
      true,
    ])
    expect(lines[0]?.indexOf('b.yaml')).toBe(49)
  })

  it('cuts a long line around what it underlines', () => {
    const text = `${'x'.repeat(300)} HERE ${'y'.repeat(300)}`
    const [, code = '', under = ''] = frameLines([at(text, 'HERE', 'this')], { ...plainStyle, width: 60 })
    expect(stringWidth(code)).toBeLessThanOrEqual(60)
    expect(code).toContain('... '.trim())
    expect(code.indexOf('HERE')).toBe(under.indexOf('^^^^'))
  })

  it('shows a tab as two spaces and still points at the right letters', () => {
    const [, code = '', under = ''] = frameLines([at('\ttimeout: 3s', '3s', '')], plainStyle)
    expect(under.indexOf('^')).toBe(code.indexOf('3s'))
  })

  it('drops indentation that says nothing', () => {
    expect(frameLines([at(`${' '.repeat(30)}attempt: 2s`, '2s', 'each')], plainStyle)[1]).toBe('1 |     attempt: 2s')
  })

  it('never exceeds the width and never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 40, max: 140 }),
        fc.string({ maxLength: 20 }),
        (text, a, b, width, label) => {
          const start = a % (text.length + 1)
          const spot = { source: { file: 'f', text }, start, end: start + (b % 20) }
          for (const line of frameLines(
            [
              { spot, label, paint },
              { spot: { ...spot, source: { file: 'g', text } }, label, paint },
            ],
            { ...plainStyle, width },
          )) {
            expect(stringWidth(line)).toBeLessThanOrEqual(width)
          }
        },
      ),
    )
  })
})
