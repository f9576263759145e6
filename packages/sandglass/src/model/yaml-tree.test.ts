import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeOf } from './sourced.js'
import { readYaml, type YamlNode } from './yaml-tree.js'

function root(text: string): YamlNode {
  const read = readYaml({ file: 'f.yaml', text })
  if (!read.ok) throw new Error(read.problem.message)
  if (!read.root) throw new Error('no root')
  return read.root
}

function problem(text: string): { message: string; at: string } {
  const read = readYaml({ file: 'f.yaml', text })
  if (read.ok || !read.problem.spot) throw new Error('no problem')
  const { line, column } = placeOf(read.problem.spot)
  return { message: read.problem.message, at: `${line}:${column}` }
}

/** The node at a path of keys and positions. */
function at(text: string, ...path: (string | number)[]): YamlNode {
  return path.reduce<YamlNode>((node, step) => {
    const next =
      node.kind === 'map'
        ? node.entries.find(({ key }) => key.text === step)?.value
        : node.kind === 'list'
          ? node.items[Number(step)]
          : undefined
    if (!next) throw new Error(`nothing at ${step}`)
    return next
  }, root(text))
}

/** Where a node stands, and the text there. */
function place(text: string, ...path: (string | number)[]): string {
  const node = at(text, ...path)
  const { line, column } = placeOf(node)
  return `${line}:${column} ${text.slice(node.start, node.end)}`
}

const scalar = (text: string, ...path: (string | number)[]): string | undefined => {
  const node = at(text, ...path)
  return node.kind === 'scalar' ? node.text : undefined
}

describe('positions', () => {
  test('a value in a block mapping', () => {
    expect(place('a:\n  b: 3s # why\n  c: 4s\n', 'a', 'b')).toBe('2:6 3s')
    expect(place('a:\n  - x\n  - { y: 5s }\n', 'a', 1, 'y')).toBe('3:10 5s')
  })

  test('a value in quotes is what stands between them', () => {
    expect(place('a: "3s"\n', 'a')).toBe('1:5 3s')
    expect(place("a: 'it''s'\n", 'a')).toBe("1:5 it''s")
    expect(scalar("a: 'it''s'\n", 'a')).toBe("it's")
  })

  test('a value over several lines starts on its first and ends there for those who underline it', () => {
    const text = 'a: one\n  two\nb: 3\n'
    expect(scalar(text, 'a')).toBe('one two')
    expect(placeOf(at(text, 'a'))).toMatchObject({ line: 1, column: 4, endColumn: 7 })
    expect(place('a: |\n  one\n  two\nb: 3s\n', 'b')).toBe('4:4 3s')
  })

  test('a list or mapping in brackets includes them', () => {
    expect(place('a: [x, y ] # z\n', 'a')).toBe('1:4 [x, y ]')
    expect(place('a: { b: [1, 2], c: { d: e } }\n', 'a')).toBe('1:4 { b: [1, 2], c: { d: e } }')
    expect(place('a: [1, # ] not here\n 2 ]\n', 'a')).toBe('1:4 [1, # ] not here\n 2 ]')
    expect(place('a: { "}": , "]": x }\n', 'a')).toBe('1:4 { "}": , "]": x }')
    expect(place('a: []\nb: {}\n', 'b')).toBe('2:4 {}')
  })

  test('nothing stands behind its key', () => {
    expect(placeOf(at('a: 1\nb:\nc: 2\n', 'b'))).toMatchObject({ line: 2, column: 2 })
    expect(placeOf(at('a: { b: , c: 1 }\n', 'a', 'b'))).toMatchObject({ line: 1, column: 7 })
  })

  test('lines end with CR LF as well, and a byte order mark is no column of the second line', () => {
    expect(place('a: 1\r\nb: {c: 3s}\r\n', 'b', 'c')).toBe('2:8 3s')
    expect(place('\ufeffa: 1\nb: 2\n', 'b')).toBe('2:4 2')
  })

  test('an alias stands where its anchor does', () => {
    expect(place('x: &base 3s\ny: *base\n', 'y')).toBe('1:10 3s')
  })
})

describe('merge keys', () => {
  test('copy what is not there, from one mapping or several, the first wins', () => {
    expect(scalar('x: &x { a: 1, b: 2 }\ny: { <<: *x, b: 3 }\n', 'y', 'a')).toBe('1')
    expect(scalar('x: &x { a: 1, b: 2 }\ny: { b: 3, <<: *x }\n', 'y', 'b')).toBe('3')
    expect(scalar('y: { <<: [{ a: 1 }, { a: 2, b: 2 }] }\n', 'y', 'a')).toBe('1')
  })

  test('are replaced by a key written later, once', () => {
    expect(scalar('x: &x { a: 1, b: 2 }\ny: { <<: *x, a: 3 }\n', 'y', 'a')).toBe('3')
    expect(problem('x: &x { a: 1 }\ny: { <<: *x, a: 3, a: 4 }\n').message).toContain('duplicate key "a"')
  })

  test('take mappings only', () => {
    expect(problem('a: { <<: 3 }\n')).toEqual({ message: '"<<" takes a mapping or a list of mappings', at: '1:6' })
  })

  test('in quotes are ordinary keys', () => {
    expect(scalar('a: { "<<": 3 }\n', 'a', '<<')).toBe('3')
  })

  test('work in mappings of many keys, replaced in place', () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `k${i}`)
    const text = `x: &x { ${keys.map((key) => `${key}: old`).join(', ')} }\ny: { <<: *x, ${keys.map((key) => `${key}: new`).join(', ')} }\n`
    const usedBefore = process.cpuUsage()
    const node = at(text, 'y')
    expect(
      node.kind === 'map' && node.entries.every(({ value }) => value.kind === 'scalar' && value.text === 'new') && node.entries.length,
    ).toBe(5000)
    expect(process.cpuUsage(usedBefore).user / 1000).toBeLessThan(2000)
  })
})

describe('what is refused', () => {
  test('two equal keys, in few or many, plain or quoted', () => {
    expect(problem('a: 1\n"a": 2\n')).toEqual({ message: 'duplicate key "a" in the same mapping', at: '2:2' })
    expect(problem(`${Array.from({ length: 40 }, (_, i) => `k${i}: 1\n`).join('')}k7: 2\n`)).toEqual({
      message: 'duplicate key "k7" in the same mapping',
      at: '41:1',
    })
  })

  test('aliases without anchor, and inside what they name', () => {
    expect(problem('a: *b\n').message).toBe('alias *b names no anchor')
    expect(problem('a: &x\n  b: *x\n').message).toBe('alias *x stands inside what it names')
  })

  test('a second document, and keys that are no words', () => {
    expect(problem('a: 1\n---\nb: 2\n').message).toContain('more than one YAML document')
    expect(problem('? [a]\n: b\n').message).toBe('a key must be a word, not a list or a mapping')
  })

  test('text that is no YAML, with the place', () => {
    expect(problem('a: [1')).toMatchObject({ message: expect.stringContaining('not valid YAML: ') })
    expect(problem('a: 1\nb: c: d\n').at).toMatch(/^2:/)
  })

  test('deep nesting, in brackets or by indentation, quickly', () => {
    const usedBefore = process.cpuUsage()
    expect(problem(`a: ${'['.repeat(100_000)}`).message).toBe('not valid YAML: nested too deeply (at most 64 levels)')
    expect(problem(Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}k:\n`).join('')).message).toContain('nested too deeply')
    expect(process.cpuUsage(usedBefore).user / 1000).toBeLessThan(2000)
  })

  test('bombs of aliases and of merges, quickly', () => {
    const lists = [
      'a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]',
      ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`),
    ]
    const merges = ['a0: &a0 { k0: 1 }', ...Array.from({ length: 5000 }, (_, i) => `a${i + 1}: &a${i + 1} { <<: *a${i}, k${i + 1}: 1 }`)]
    const repeated = ['a: &a { b: 1, c: 2, d: 3 }', `e: { <<: [${Array(100_000).fill('*a').join(', ')}] }`]
    const usedBefore = process.cpuUsage()
    expect(problem(lists.join('\n')).message).toContain('(an alias bomb?)')
    expect(problem(merges.join('\n')).message).toContain('(a merge bomb?)')
    expect(readYaml({ file: 'f', text: repeated.join('\n') }).ok).toBe(true)
    expect(process.cpuUsage(usedBefore).user / 1000).toBeLessThan(5000)
  })

  test('nothing is not refused: an empty text has no root', () => {
    for (const text of ['', '# only a comment\n', '\n\n']) expect(readYaml({ file: 'f', text })).toEqual({ ok: true, root: null })
  })

  test('any text is read or refused, and every node stands inside it', () => {
    const piece = fc.constantFrom(
      'a',
      'b: ',
      ': ',
      '- ',
      '\n',
      '\n  ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '&x ',
      '*x',
      '<<: ',
      '# ',
      '|\n',
      '>-\n',
      '? ',
      '!t ',
      '---\n',
      '...\n',
      '\t',
      '\r\n',
      '\u0000',
      '\ufeff',
      '1s',
      '~',
      '%',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        const read = readYaml({ file: 'f', text })
        if (!read.ok) {
          expect(read.problem.message.length).toBeGreaterThan(5)
          return
        }
        const visit = (node: YamlNode): void => {
          expect(node.start).toBeGreaterThanOrEqual(0)
          expect(node.end).toBeLessThanOrEqual(text.length)
          expect(node.end).toBeGreaterThanOrEqual(node.start)
          if (node.kind === 'map') for (const { key, value } of node.entries) [key, value].forEach(visit)
          if (node.kind === 'list') node.items.forEach(visit)
        }
        if (read.root) visit(read.root)
      }),
      { numRuns: 3000 },
    )
  })
})
