import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileIndex, fits } from './file-index.js'

const sourcesOf = (...files: string[]) => files.map((file) => ({ file, text: '' }))
const found = (files: readonly string[], parts: readonly string[], from = 'nginx.conf') =>
  fileIndex(sourcesOf(...files))
    .endingWith(parts, from)
    .map(({ file }) => file)

describe('the index of files', () => {
  const files = ['nginx.conf', 'conf.d/a.conf', 'conf.d/b.conf', 'web/conf.d/a.conf', 'a.conf.bak']

  it('finds files by the end of their path, in their order', () => {
    expect(found(files, ['conf.d', 'a.conf'])).toEqual(['conf.d/a.conf', 'web/conf.d/a.conf'])
    expect(found(files, ['web', 'conf.d', 'a.conf'])).toEqual(['web/conf.d/a.conf'])
    expect(found(files, ['conf.d', '*.conf'])).toEqual(['conf.d/a.conf', 'conf.d/b.conf', 'web/conf.d/a.conf'])
    expect(found(files, ['*', '*', '?.conf'])).toEqual(['web/conf.d/a.conf'])
    expect(found(files, ['*.conf'])).toEqual(['nginx.conf', 'conf.d/a.conf', 'conf.d/b.conf', 'web/conf.d/a.conf'].slice(1))
    expect(found(files, ['nothing', 'a.conf'])).toEqual([])
    expect(found(files, ['conf.d', 'a.conf', ''])).toEqual([])
    expect(found(files, [])).toEqual([])
  })

  it('leaves out the file that asks, whoever asked first', () => {
    const index = fileIndex(sourcesOf('a.conf', 'b/a.conf'))
    expect(index.endingWith(['a.conf'], 'a.conf').map(({ file }) => file)).toEqual(['b/a.conf'])
    expect(index.endingWith(['a.conf'], 'b/a.conf').map(({ file }) => file)).toEqual(['a.conf'])
  })

  it('takes stars for any characters and nothing else for special', () => {
    expect(fits('a.conf', 'a?conf')).toBe(true)
    expect(fits('aXconf', 'a.conf')).toBe(false)
    expect(fits('', '**')).toBe(true)
    expect(fits('(a', '(a')).toBe(true)
    expect(fits('abcb', 'a*b')).toBe(true)
    expect(fits('abcbd', 'a*b')).toBe(false)
  })

  it('answers as the obvious regular expression does', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 })
    fc.assert(
      fc.property(name, pattern, (text, of) => {
        const obvious = new RegExp(`^${of.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`)
        return fits(text, of) === obvious.test(text)
      }),
    )
  })

  it('needs no longer for many stars', () => {
    expect(fits('a'.repeat(5000), `${'a*'.repeat(200)}b`)).toBe(false)
  })
})
