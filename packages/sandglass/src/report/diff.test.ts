import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { Factor } from '../model/diagnostic.js'
import type { Source, Spot } from '../model/sourced.js'
import { compareScans } from '../scan/calls/compare-scans.js'
import type { Outcome, ScannedCall } from '../scan/calls/scanned-call.js'
import { diffJson } from './diff-json.js'
import { diffMarkdown } from './diff-markdown.js'
import type { LockfileDiff } from './diff-report.js'
import { diffText } from './diff-text.js'

const code: Source = {
  file: 'src/search.ts',
  text: 'const hits = await client.search({ index })\nconst more = await client.search({ index: other })\nconst price = await ky(url)\n',
}
const lock: Source = { file: 'package-lock.json', text: '{ "packages": { "node_modules/x": { "version": "9.4.3" } } }' }

function spotOf(source: Source, text: string, from = 0): Spot {
  const start = source.text.indexOf(text, from)
  return { source, start, end: start + text.length }
}

const first = spotOf(code, 'client.search({ index })')
const second = spotOf(code, 'client.search({ index: other })')
const price = spotOf(code, 'ky(url)')

function call(spot: Spot, library: string, version: string, outcome: Outcome, more: Partial<ScannedCall> = {}): ScannedCall {
  return { spot, library, version, outcome, worstMs: null, factors: [], isShallow: false, target: null, ...more }
}

const own: Factor = {
  name: 'requestTimeout',
  value: 30_000,
  unit: 'ms',
  origin: { kind: 'default', product: 'elasticsearch-js', version: '<9', spot: first },
}
const elastic8 = (spot: Spot) =>
  call(
    spot,
    'elasticsearch-js',
    '8.19.1',
    { state: 'bounded', ms: 30_000, kind: 'total' },
    { factors: [own], packageName: '@elastic/elasticsearch' },
  )
const elastic9 = (spot: Spot) => call(spot, 'elasticsearch-js', '9.4.3', { state: 'unbounded' }, { packageName: '@elastic/elasticsearch' })
const ky1 = call(price, 'ky', '1.14.3', { state: 'bounded', ms: 2000, kind: 'attempt' }, { worstMs: 6900 })
const ky2 = call(price, 'ky', '2.1.0', { state: 'bounded', ms: 2000, kind: 'total' }, { worstMs: 2000 })

function diffOf(before: readonly ScannedCall[], after: readonly ScannedCall[]): LockfileDiff {
  const { changes, calls } = compareScans(before, after)
  const locked = { name: '@elastic/elasticsearch', version: '9.4.3', spot: spotOf(lock, '"9.4.3"') }
  return {
    before: 'main:package-lock.json',
    after: 'package-lock.json',
    changes,
    calls,
    versions: changes.length === 0 ? [] : [{ packageName: '@elastic/elasticsearch', importer: '', before: null, after: locked }],
    lockedAt: ({ library }) => (library === 'ky' ? null : locked.spot),
    notRead: [],
    notes: [],
  }
}

const changed = diffOf([elastic8(first), elastic8(second), ky1], [elastic9(first), elastic9(second), ky2])
const unchanged = diffOf([ky1], [ky1])

describe('the text of a diff', () => {
  it('says once what happened to calls for the same reason, with each place', () => {
    expect(diffText(changed)).toBe(`error weaker  the bounds of 2 calls go from 30 s to none (@elastic/elasticsearch 8.19.1 -> 9.4.3)
  src/search.ts:1:20
  1 | const hits = await client.search({ index })
    |                    ^^^^^^^^^^^^^^^^^^^^^^^^ was 30 s, now none
  package-lock.json:1:48
  1 | { "packages": { "node_modules/x": { "version": "9.4.3" } } }
    |                                                ^^^^^^^ was 8.19.1
  requestTimeout 30 s (default) no longer counts
  also src/search.ts:2:20

info tighter  this call's bound goes from 6.9 s in all to 2 s (ky 1.14.3 -> 2.1.0)
  src/search.ts:3:21
  3 | const price = await ky(url)
    |                     ^^^^^^^ was 6.9 s in all, now 2 s

2 calls weaker, 1 call tighter; 0 of 3 calls as before. 1 package changed version.
`)
  })

  it('says in one line that nothing changed', () => {
    expect(diffText(unchanged)).toBe('No bound changed in 1 call. No package changed version.\n')
  })
})

describe('the JSON of a diff', () => {
  const schema = JSON.parse(readFileSync(new URL('../../schema/diff.schema.json', import.meta.url), 'utf8')) as AnySchemaObject
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)

  it('is what its published schema says, with and without changes', () => {
    for (const diff of [changed, unchanged]) {
      void validate(JSON.parse(diffJson(diff)))
      expect(validate.errors).toBeNull()
    }
  })

  it('gives both sides of each change', () => {
    const { summary, changes } = JSON.parse(diffJson(changed)) as { summary: unknown; changes: unknown[] }
    expect(summary).toEqual({ weaker: 2, tighter: 1, unclear: 0, calls: 3 })
    expect(changes[0]).toMatchObject({
      change: 'weaker',
      at: { file: 'src/search.ts', line: 1, column: 20 },
      before: { version: '8.19.1', outcome: 'bounded', ms: 30_000, kind: 'total' },
      after: { version: '9.4.3', outcome: 'unbounded', ms: null, kind: null },
      lockedAt: { file: 'package-lock.json', line: 1, column: 48 },
    })
    expect(changes[2]).toMatchObject({ change: 'tighter', before: { ms: 2000, worstMs: 6900 }, after: { worstMs: 2000 }, lockedAt: null })
  })
})

describe('the Markdown of a diff', () => {
  it('has a row for each change and folds the versions away', () => {
    expect(diffMarkdown(changed)).toBe(`### Sandglass: 2 calls may take longer

2 calls weaker, 1 call tighter; 0 of 3 calls as before. 1 package changed version.

| | call | bound before | bound now | library |
|---|---|---|---|---|
| weaker | src/search.ts:1:20<br>src/search.ts:2:20 | 30 s | **none** | @​elastic/elasticsearch 8.19.1 -&gt; 9.4.3 |
| tighter | src/search.ts:3:21 | 6.9 s in all | **2 s** | ky 1.14.3 -&gt; 2.1.0 |

<details>
<summary>1 changed version</summary>

| package | for | before | now |
|---|---|---|---|
| @\u200belastic/elasticsearch | the root |  | 9.4.3 |

</details>
`)
    expect(diffMarkdown(unchanged)).toBe('### Sandglass: no bound changed\n\nNo bound changed in 1 call. No package changed version.\n')
  })
})
