import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { changedVersions } from './changed-versions.js'
import { readLockfile } from './read-lockfile.js'

function refusal(text: string): string {
  const read = readLockfile({ file: 'x.lock', text })
  if (!('message' in read)) return 'read'
  const { line = 0, column = 0 } = read.spot ? placeOf(read.spot) : {}
  return `${line}:${column} ${read.message}`
}

describe('readLockfile', () => {
  it('says in one line why a text is none', () => {
    expect(refusal('')).toBe(
      '1:1 is empty; one of npm, pnpm, Yarn or Bun was expected (package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock)',
    )
    expect(refusal('hello')).toContain('1:1 is no lockfile; one of npm, pnpm')
    const manifest = '1:1 is no lockfile: it has no "lockfileVersion", no "packages" and no "dependencies" with versions'
    expect(refusal('{ "name": "shop" }')).toBe(manifest)
    expect(refusal('{ "name": "shop", "dependencies": { "axios": "^1.0.0" } }')).toBe(manifest)
    expect(refusal('{ "name": "shop", "dependencies": { "axios": { "version": "1.7.9" } } }')).toBe('read')
    expect(refusal('{\n  "packages": x\n}')).toBe('2:15 not valid JSON: unexpected "x"')
    expect(refusal('{ "packages": {')).toBe('1:16 not valid JSON: it ends too early')
    expect(refusal('lockfileVersion: 6\npackages: [')).toMatch(/^2:\d+ not valid YAML: /)
    expect(refusal('{\n  "name": "shop",\n  "lockfileVersion": 4,\n  "packages": {}\n}')).toBe(
      '3:22 lockfileVersion 4 is not known; 1 to 3 are',
    )
    expect(refusal("lockfileVersion: '10.0'\npackages: {}\n")).toBe('1:19 lockfileVersion 10 is not known; 5 to 9 are')
    expect(refusal('{\n<<<<<<< HEAD\n  "lockfileVersion": 3,\n=======\n')).toBe(
      '2:1 holds the marks of a merge that is not finished; merge it, then let the package manager write it anew',
    )
  })

  it.each([
    ['{"lockfileVersion":3}', '1:20 version 3 has an object "packages"; there is none'],
    ['{"lockfileVersion":3,"packages":[]}', '1:33 "packages" is a list; an object was expected'],
    ['{"lockfileVersion":3,"packages":{"node_modules/axios":null}}', '1:55 "node_modules/axios" is null; an object was expected'],
    [
      '{"lockfileVersion":3,"packages":{"node_modules/axios":{"version":5}}}',
      '1:66 "node_modules/axios" has 5 as its version; one such as "1.2.3" was expected',
    ],
    [
      '{"lockfileVersion":3,"packages":{"node_modules/axios":{"version":"not.a.version"}}}',
      '1:66 "node_modules/axios" has "not.a.version" as its version; one such as "1.2.3" was expected',
    ],
    [
      '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.2.3","dependencies":"x"}}}',
      '1:76 "dependencies" is a string; an object was expected',
    ],
    ["lockfileVersion: '9.0'\nimporters: [1, 2]\n", '2:12 "importers" is no mapping; one was expected'],
    ["lockfileVersion: '9.0'\nimporters: {}\npackages: 5\n", '3:11 "packages" is no mapping; one was expected'],
    ["lockfileVersion: '9.0'\nimporters: {}\npackages:\n  a@1.2.3: [1]\n", '4:3 "a@1.2.3" is no mapping; one was expected'],
    ['lockfileVersion: 9.0\n&a a: *a\n', '1:18 version 9.0 has a mapping "importers"; there is none'],
    ['# yarn lockfile v1\n\na@1:\n  version "1.2.3"\n\naxios@^1:\n  versio', '6:1 this entry has no version; '],
    ['# yarn lockfile v1\n\na@1:\nb@1:\n  version "1.2.3"\n', '3:1 this entry has no version; '],
    ['__metadata:\n  version: 99\n', '2:12 version 99 of the format is not known; 4 to 10 are'],
    ['__metadata:\n  version: 8\na:\n  version: 1.2.3\n', '3:1 this entry has no version or no resolution; both were expected below it'],
    [
      '{"lockfileVersion":1,"workspaces":{"":{}},"packages":{"a":["a@1.2.3"],"axios":"x"}}',
      '1:79 "axios" is no list that begins with a package',
    ],
    ['{"lockfileVersion":1,"workspaces":{"":{}},"packages":{"pg":[]}}', '1:60 "pg" is no list that begins with a package'],
  ])('says of %j what was expected, and where', (text, said) => {
    expect(refusal(text)).toContain(said)
  })

  it.each([
    '{"lockfileVersion":3,"packages":{"":{"version":"next"},"node_modules/a":{"link":true,"resolved":"a"},"a":{"version":"x"}}}',
    '{"lockfileVersion":1,"dependencies":{"a":{"version":"git+ssh://a"},"b":{"version":"file:b"},"c":{"version":"npm:d@1.0.0"},"e":{"bundled":true}}}',
    "lockfileVersion: '6.0'\nsettings: {}\n",
    "lockfileVersion: '9.0'\nimporters:\n  .: {}\npackages:\n",
    '# yarn lockfile v1\n\n\n',
  ])('reads %j, which a package manager may write', (text) => {
    expect(refusal(text)).toBe('read')
  })

  it('takes members of any type, and names that every object has', () => {
    const odd =
      '{ "lockfileVersion": 3, "packages": { "": { "dependencies": 7 }, "node_modules/__proto__": {}, "node_modules/a": { "version": "" } } }'
    const read = readLockfile({ file: 'package-lock.json', text: odd })
    if ('message' in read) throw new Error(read.message)
    expect(['__proto__', 'a', 'constructor', 'toString', ''].map((name) => read.versionOf(name, 'src'))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect(read.find('constructor', 'src')).toBeNull()
  })

  it('reads any text made of the words of lockfiles', () => {
    const words = fc.constantFrom(
      '{ "lockfileVersion": 3, "packages": ',
      'lockfileVersion: 5.4\n',
      '__metadata:\n',
      '# yarn lockfile v1\n',
      '"workspaces": { "": {} }, ',
      'importers:\n',
      'dependencies:\n',
      '  version "1.2.3"\n',
      '  version: 1.2.3\n',
      '  resolution: "a@workspace:."\n',
      '"a@npm:^1, a@1":\n',
      '"node_modules/a": { "link": true, "resolved": "..", "version": "npm:@b/c@1.2.3" }',
      'a: /@b/c@1.2.3(d)\n',
      'a: { version: 1.2.3_x }\n',
      '/a/1.2.3_b:\n',
      'snapshots:\n',
      '---\n',
      '  ',
      '{',
      '}',
      ',',
      '"',
      ':',
      '[',
      ']',
      '/*',
      '&x ',
      '*x',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.array(words, { maxLength: 10 }), (parts, others) => {
        const [one, other] = [parts, others].map((list) => readLockfile({ file: 'a/x.lock', text: list.join('') }))
        if (!one || 'message' in one) return
        for (const name of ['a', '@b/c', 'a@npm:^1', '']) {
          for (const from of ['a', 'a/node_modules', '/', '..']) {
            const { start, end } = one.find(name, from)?.spot ?? { start: 0, end: 0 }
            expect(start).toBeLessThanOrEqual(end)
            expect(end).toBeLessThanOrEqual(one.source.text.length)
          }
        }
        expect(changedVersions(one, one)).toEqual([])
        if (other && !('message' in other)) changedVersions(one, other)
      }),
      { numRuns: 300 },
    )
  })

  it('reads deep nesting and long words without a search that starts over', () => {
    const many = 200_000
    const texts = [
      '{"dependencies":{"a":'.repeat(many),
      `${'{"dependencies":{"a":'.repeat(10_000)}1${'}}'.repeat(10_000)}`,
      `{ "packages": ${'/*'.repeat(many)}`,
      `{ "packages": ${'"\\'.repeat(many)}`,
      `# yarn lockfile v1\n${'a@1, '.repeat(many)}:\n  version "1.2.3"\n`,
      `lockfileVersion: 5.4\npackages:\n  ${'a.'.repeat(many)}: {}\ndependencies:\n  a: ${'1.'.repeat(many)}\n  b: ${'1.1.1_'.repeat(many)}\n`,
      `__metadata: {}\n${'a'.repeat(many)}: {resolution: "${'@workspace:'.repeat(many)}"}\n`,
    ]
    const startedAt = performance.now()
    for (const text of texts) {
      const read = readLockfile({ file: 'x.lock', text })
      if (!('message' in read)) read.versions()
    }
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})
