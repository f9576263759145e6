import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderOf, foldersUp, pathBelow, tidyFolder } from './folder-path.js'

describe('folder paths', () => {
  it('are tidy: one spelling for one folder', () => {
    expect(['./a//b/', 'a\\b', 'a/x/../b', '.', '', '/a/..', '../../a', 'a/../..'].map(tidyFolder)).toEqual([
      'a/b',
      'a/b',
      'a/b',
      '',
      '',
      '/',
      '../../a',
      '..',
    ])
    expect(['a/b.ts', 'b.ts', './b.ts', '/b.ts', '../b.ts'].map(folderOf)).toEqual(['a', '', '', '/', '..'])
  })

  it('know what is below what', () => {
    expect(pathBelow('a/b', 'a')).toBe('b')
    expect(pathBelow('a', 'a')).toBe('')
    expect(pathBelow('ab', 'a')).toBeNull()
    expect(pathBelow('../a', '')).toBeNull()
    expect(pathBelow('../../a', '..')).toBeNull()
    expect(pathBelow('/a/b', '/')).toBe('a/b')
    expect(pathBelow('/a', '')).toBeNull()
    expect(foldersUp('a/b')).toEqual(['a/b', 'a', ''])
  })

  it('stay what they are when they are tidied again', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '.', '..', '/', '\\', 'b')), (parts) => {
        const tidy = tidyFolder(parts.join(''))
        expect(tidyFolder(tidy)).toBe(tidy)
      }),
    )
  })
})
