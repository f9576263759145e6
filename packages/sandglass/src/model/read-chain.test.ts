import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChain, readChainText } from './read-chain.js'
import { placeOf } from './sourced.js'
import { viewOf } from './view.js'

const guide = readFileSync(fileURLToPath(new URL('../../../../docs/guide/chain-file.md', import.meta.url)), 'utf8')
const worked = guide.split('```yaml\n')[1]?.split('```')[0] ?? ''

/** Problems as `line:column message`. */
function problems(text: string): string[] {
  return readChainText(text).problems.map(
    ({ spot, message }) => `${spot ? `${placeOf(spot).line}:${placeOf(spot).column} ` : ''}${message}`,
  )
}

describe('a chain file', () => {
  test('starts with its version', () => {
    expect(problems('')).toEqual(['1:1 the file is empty; a chain file starts with "sandglass: 1"'])
    expect(problems('services: {}')).toEqual(['1:1 "sandglass: 1" is missing; a chain file starts with "sandglass: 1"'])
    expect(problems('sandglass: 2')).toEqual(['1:12 version 1 of the chain file is read here; found "2"'])
    expect(problems('- a')[0]).toContain('expected a mapping; found a list')
  })

  test('knows the limits that a check section may set: a misspelt one would change nothing', () => {
    expect(problems('sandglass: 1\ncheck: { limits: { amplificatio: 12 } }')).toEqual([
      '2:20 check.limits has no field "amplificatio" (did you mean "amplification"?); it has amplification',
    ])
    expect(readChainText('sandglass: 1\ncheck: { limits: { amplification: 12 } }').chain.check.limits.get('amplification')?.value).toBe(12)
  })

  test('reports each problem at its place', () => {
    const text = `sandglass: 1
servces: {}
services:
  a:
    kind: sevice
    operations:
      x:
        calls:
          - to: b.y
            timeout: 3000
          - timout: 3s
  "b.c": {}
`
    expect(problems(text).map((line) => line.split(/[,;(]/)[0]?.trim())).toEqual([
      '2:1 a chain file has no section "servces"',
      '5:11 expected one of client',
      '10:22 "3000" needs a unit: 3000ms or 3000s?',
      '11:13 a call has no field "timout"',
      '11:13 a call needs "to"',
      "12:10 a service's name has no dot",
    ])
  })

  test('keeps what can be read beside what cannot', () => {
    const { chain } = readChainText(
      'sandglass: 1\nservices: { a: { operations: { x: { calls: [{ to: b.y, timeout: 3 }, 7, { to: b.y }] } } }, b: { operations: { y: } } }',
    )
    expect(chain.calls.map((call) => call.callee?.id)).toEqual(['b.y', 'b.y'])
  })

  test('names at most 200 problems', () => {
    const text = `sandglass: 1\nservices:\n${Array.from({ length: 1000 }, (_, i) => `  s${i}: { kid: x }\n`).join('')}`
    expect(readChainText(text).problems).toHaveLength(200)
  })

  test('fills in what is absent with defaults that say so and where', () => {
    const call = readChainText('sandglass: 1\nservices: { a: { operations: { x: { calls: [{ to: a.y }] }, y: { does: read } } } }').chain
      .calls[0]
    expect(call).toMatchObject({
      attempts: { value: 1, origin: { kind: 'default' } },
      share: { value: 1 },
      optional: { value: false },
      cancel: { value: 'stops-here' },
      reserveMs: { value: 0 },
    })
    expect(call && placeOf(call.attempts.origin.spot)).toMatchObject({ line: 2, column: 45 })
  })

  test('notes what it had to guess', () => {
    expect(readChainText('sandglass: 1\nservices: { a: { operations: { x: } } }').notes.map(({ message }) => message)).toEqual([
      'a.x does not say what it does; taken for a write, the careful guess',
    ])
    expect(readChainText('sandglass: 1\nservices: { a: { kind: client, operations: { x: } } }').notes).toEqual([])
  })
})

describe('several files', () => {
  const shared = 'sandglass: 1\ndefaults: { network: 10ms }\njourneys: { j: { starts: a.x } }\n'
  const mine = 'sandglass: 1\nservices: { a: { operations: { x: { calls: [{ to: b.y }] } } } }\n'
  const theirs = 'sandglass: 1\nservices: { b: { operations: { y: { does: read } } } }\n'

  test('make one chain, in any order', () => {
    const sources = [shared, mine, theirs].map((text, i) => ({ file: `${i}.yaml`, text }))
    for (const order of [sources, [...sources].reverse()]) {
      const { chain, problems: found } = readChain(order)
      expect(found).toEqual([])
      expect(chain.journeys[0]?.start?.id).toBe('a.x')
      expect(chain.calls[0]?.callee?.id).toBe('b.y')
      expect(chain.calls[0]?.networkMs.value).toBe(10)
    }
  })

  test('must not define a thing twice', () => {
    const found = readChain([
      { file: 'one.yaml', text: mine },
      { file: 'two.yaml', text: mine },
      { file: 'three.yaml', text: theirs },
    ]).problems
    expect(found.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'two.yaml: service "a" is defined twice; the first is at one.yaml:2',
    ])
    const defaults = readChain([
      { file: 'one.yaml', text: shared },
      { file: 'two.yaml', text: 'sandglass: 1\ndefaults: { network: 5ms }\n' },
      { file: 'a', text: mine },
      { file: 'b', text: theirs },
    ]).problems
    expect(defaults.map(({ message }) => message)).toEqual(['defaults.network is set in two files; one place was expected'])
  })

  test('a pool has to exist in the service that draws on it', () => {
    const text = 'sandglass: 1\nservices: { a: { pools: { out: 5 }, operations: { x: { calls: [{ to: a.y, pool: in }] }, y: } } }'
    expect(problems(text)).toEqual(['2:81 service "a" has no pool "in"; it has out'])
  })

  test('cancellation reaches the callee where the budget is handed over', () => {
    const cancel = (a: string, b: string, call = ''): string | undefined =>
      readChainText(
        `sandglass: 1\nservices: { a: { deadline: ${a}, operations: { x: { calls: [{ to: b.y${call} }] } } }, b: { deadline: ${b}, operations: { y: } } }`,
      ).chain.calls[0]?.cancel.value
    expect(cancel('propagate', 'propagate')).toBe('reaches')
    expect(cancel('propagate', 'ignore')).toBe('stops-here')
    expect(cancel('ignore', 'propagate')).toBe('stops-here')
    expect(cancel('propagate', 'propagate', ', cancel: stops-here')).toBe('stops-here')
    expect(cancel('propagate', 'propagate', ', deadline: ignore')).toBe('stops-here')
  })

  test('histograms are read through the caller', () => {
    const text = 'sandglass: 1\nservices: { a: { operations: { x: { latency: { histogram: h.json } } } } }'
    const read = readChain([{ file: 'dir/f.yaml', text }], (file, from) =>
      file === 'h.json' && from === 'dir/f.yaml' ? '{ "boundsMs": [1, 2, 5], "counts": [10, 40, 3] }' : null,
    )
    expect(read.problems).toEqual([])
    expect(read.chain.operations.get('a.x')?.latency?.value).toMatchObject({ kind: 'histogram', boundsMs: [1, 2, 5], counts: [10, 40, 3] })
    for (const bad of [
      'x',
      '{}',
      '{ "boundsMs": [2, 1], "counts": [1, 1] }',
      '{ "boundsMs": [1], "counts": [0] }',
      '{ "boundsMs": [1], "counts": [1, 2] }',
      '{ "boundsMs": [-1], "counts": [1] }',
    ]) {
      expect(readChain([{ file: 'f.yaml', text }], () => bad).problems).toHaveLength(1)
    }
  })
})

describe('hostile and broken input', () => {
  test('a mutated chain file never throws, and what can be read can be viewed', () => {
    const cut = fc.record({
      at: fc.nat({ max: worked.length }),
      length: fc.nat({ max: 30 }),
      put: fc.constantFrom(
        '',
        ' ',
        '\n',
        ':',
        '{',
        '}',
        '[',
        ']',
        '- ',
        '*x',
        '&x ',
        '"',
        "'",
        '#',
        'none',
        'unknown',
        '9999999999s',
        '-1',
        '0',
        '%',
        '|',
        '\t',
        '\u0000',
        '\ud800',
        '𝕊',
      ),
    })
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) => {
        const text = cuts.reduce((now, { at, length, put }) => now.slice(0, at) + put + now.slice(at + length), worked)
        const { chain, problems: found } = readChainText(text)
        for (const { spot } of found) if (spot) expect(placeOf(spot).line).toBeGreaterThan(0)
        const view = viewOf(chain)
        for (const { worstMs, typicalMs } of view.journeys) {
          if (worstMs !== null) expect(worstMs).toBeGreaterThanOrEqual(0)
          if (typicalMs !== null) expect(typicalMs).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 800 },
    )
  })

  test('10,000 calls in a row, and 10,000 services with 5 calls each, are read and viewed in seconds', () => {
    const row = Array.from(
      { length: 10_000 },
      (_, i) => `  s${i}: { operations: { o: { does: read, calls: [{ to: s${i + 1}.o, timeout: 3s }] } } }\n`,
    )
    const wide = Array.from({ length: 10_000 }, (_, i) => {
      const calls = [1, 7, 31, 101, 503]
        .filter((step) => i + step < 10_000)
        .map((step) => `{ to: s${i + step}.o, timeout: ${1000 + (i % 900)}ms }`)
      return `  s${i}: { deadline: propagate, operations: { o: { does: read, calls: [${calls.join(', ')}] } } }\n`
    })
    for (const services of [row, wide]) {
      const usedBefore = process.cpuUsage()
      const { chain, problems: found } = readChainText(
        `sandglass: 1\njourneys: { j: { promise: 3s, starts: s0.o } }\nservices:\n${services.join('')}`,
      )
      expect(found).toEqual([])
      const view = viewOf(chain)
      expect(view.perCall).toHaveLength(chain.calls.length)
      expect(process.cpuUsage(usedBefore).user / 1000).toBeLessThan(15_000)
    }
  }, 60_000)
})
