import { describe, expect, it } from 'vitest'
import { readChainText } from './read-chain.js'
import { lineText, placeOf } from './sourced.js'

function read(lines: readonly string[]): ReturnType<typeof readChainText> {
  return readChainText(`sandglass: 1\n${lines.join('\n')}\n`)
}

describe('services are read before the rest of the file', () => {
  it('and what is wrong in them is told in the order of the file all the same', () => {
    const { problems } = read([
      'defaults: { network: soon }',
      'services:',
      '  a: { concurrency: many }',
      '  a b: { concurrency: 1 }',
      '  c: { kind: thing }',
      'journeys: { j: {} }',
    ])
    expect(problems.map(({ spot }) => spot && placeOf(spot).line)).toEqual([2, 4, 5, 6, 7])
  })

  it('and nothing is told of them where the file is no YAML further down', () => {
    const { problems } = read(['services:', '  a: { concurrency: many }', '  a: {}'])
    expect(problems.map(({ message }) => message)).toEqual(['duplicate key "a" in the same mapping'])
  })

  it('and a service that is copied from an anchor reads like the one it names', () => {
    const { chain, problems } = read([
      'services:',
      '  a: &base { concurrency: 7, operations: { o: { calls: [{ to: b.o, timeout: 1s }] } } }',
      '  b: *base',
      '  <<: { c: { concurrency: 9 } }',
    ])
    expect(problems).toEqual([])
    expect([...chain.services.values()].map(({ name, concurrency }) => [name, concurrency?.value])).toEqual([
      ['a', 7],
      ['b', 7],
      ['c', 9],
    ])
    expect(chain.operations.get('b.o')?.calls.map(({ to }) => to.value)).toEqual(['b.o'])
  })

  it('and a section with an anchor is kept whole for its alias', () => {
    const { chain, problems } = read(['services: &all', '  a: { concurrency: 7 }', 'x-copy: *all'])
    expect(problems).toEqual([])
    expect(chain.services.get('a')?.concurrency?.value).toBe(7)
  })

  it('and a call still says where it stands, from its first letter to its last', () => {
    const { chain } = read(['services:', '  a:', '    operations:', '      o:', '        calls:', '          - { to: a.p, timeout: 1s }'])
    const spot = chain.calls[0]?.spot
    expect(spot?.source.text.slice(spot.start, spot.end)).toBe('{ to: a.p, timeout: 1s }')
    expect(spot && lineText(spot.source, placeOf(spot).line).trim()).toBe('- { to: a.p, timeout: 1s }')
  })
})
