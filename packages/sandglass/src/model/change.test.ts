import { describe, expect, test } from 'vitest'
import { advice, allOf, anyOf, changeCount, changeLimit, changeWord } from './change.js'
import { byDefault, declared, type Source, type Spot } from './sourced.js'

function spotOf(text: string, file = 'sandglass.yaml'): Spot {
  const source: Source = { file, text: `timeout: ${text} # why` }
  return { source, start: 9, end: 9 + text.length }
}

describe('a change of a limit', () => {
  test('says old and new, and replaces the text', () => {
    const spot = spotOf('3s')
    expect(changeLimit('timeout', declared(3000, spot), 1450)).toEqual({ text: 'timeout 3 s -> 1.45 s', edits: [{ spot, text: '1.45s' }] })
  })

  test('rounds down to whole ms, and is none where nothing would be left or change', () => {
    expect(changeLimit('timeout', declared(3000, spotOf('3s')), 1450.9)?.text).toBe('timeout 3 s -> 1.45 s')
    expect(changeLimit('timeout', declared(3000, spotOf('3s')), 0.5)).toBeNull()
    expect(changeLimit('timeout', declared(3000, spotOf('3s')), Number.NaN)).toBeNull()
    expect(changeLimit('timeout', declared(3000, spotOf('3s')), Number.POSITIVE_INFINITY)).toBeNull()
    expect(changeLimit('timeout', declared(3000, spotOf('3s')), 3000)).toBeNull()
    expect(changeLimit('timeout', undefined, 3000)).toBeNull()
  })

  test('never touches what a platform sets', () => {
    expect(changeLimit('timeout', { ...declared(29_000, spotOf('29s')), fixed: true }, 1000)).toBeNull()
    expect(changeCount('attempts', { ...declared(3, spotOf('3')), fixed: true }, 1)).toBeNull()
  })

  test('replaces no text that is not a duration of a chain file, and none that is not there', () => {
    expect(changeLimit('timeout', declared(30_000, spotOf('30000', 'application.yml')), 3000)).toEqual({
      text: 'timeout 30 s -> 3 s',
      edits: [],
    })
    expect(changeLimit('timeout', byDefault(60_000, spotOf('1m'), 'nginx', '1.29'), 3000)?.edits).toEqual([])
  })
})

describe('changes of counts and words', () => {
  test('replace what stands there', () => {
    const spot = spotOf('3')
    expect(changeCount('attempts', declared(3, spot), 1)).toEqual({ text: 'attempts 3 -> 1', edits: [{ spot, text: '1' }] })
    expect(changeCount('attempts', declared(1, spot), 1)).toBeNull()
    expect(changeWord('jitter', declared('none', spotOf('none')), 'full')).toMatchObject({
      text: 'jitter none -> full',
      edits: [{ text: 'full' }],
    })
  })
})

describe('suggestions', () => {
  const first = changeCount('attempts', declared(3, spotOf('3')), 1)
  const second = changeLimit('timeout', declared(3000, spotOf('3s')), 1000)

  test('of alternatives apply the first one', () => {
    expect(anyOf([null, first, second])).toMatchObject({ text: 'attempts 3 -> 1, or timeout 3 s -> 1 s', edits: [{ text: '1' }] })
    expect(anyOf([advice('leave it'), first])?.edits).toEqual([])
    expect(anyOf([null])).toBeNull()
  })

  test('of several needed changes apply all', () => {
    expect(allOf([first, null, second])).toMatchObject({
      text: 'attempts 3 -> 1 and timeout 3 s -> 1 s',
      edits: [{ text: '1' }, { text: '1s' }],
    })
    expect(allOf([])).toBeNull()
  })
})
