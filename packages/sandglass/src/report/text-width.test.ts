import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { textWidth } from './text-width.js'

const range = (first: number, last: number) => fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code))
const letter = fc.oneof(
  range(0x20, 0x7e),
  range(0xa1, 0x24f),
  range(0x400, 0x45f),
  range(0x3041, 0x3096),
  range(0x30a0, 0x30fe),
  range(0x4e00, 0x9fff),
  range(0xac00, 0xd7a3),
  range(0xff01, 0xff60),
  range(0x20000, 0x2a6df),
  fc.constantFrom('e\u0301', '…', '→', '│', '✕', '✓', '😀', '👩‍💻', '🇩🇪', '⚠️', '❤️', '\u200b', '沙漏', '한국'),
)

describe('the width of text', () => {
  it('is what string-width says for letters, ideographs and emoji', () => {
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 20 }), (letters) => {
        // Separated, so that neither joins letters that stand beside each other by chance.
        const text = letters.join(' ')
        expect(textWidth(text)).toBe(stringWidth(text))
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['', 0],
    ['timeout: 3s', 11],
    ['超时三十秒', 10],
    ['日本→', 5],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['🇩🇪', 2],
  ])('of %j is %i', (text, columns) => {
    expect(textWidth(text)).toBe(columns)
  })

  it('takes no longer for a long line: 64,000 letters with a wide one at the end', () => {
    const before = process.cpuUsage()
    expect(textWidth(`${'a'.repeat(64_000)}超e\u0301`)).toBe(64_003)
    expect(textWidth('超'.repeat(20_000))).toBe(40_000)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})
