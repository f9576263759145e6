import { describe, expect, it } from 'vitest'
import type { ServiceFact } from './facts.js'
import { withShortNames } from './short-names.js'

const spot = { source: { file: 'a', text: '' }, start: 0, end: 0 }
const service = (name: string, ...operations: readonly string[]): ServiceFact => ({
  name,
  spot,
  kind: 'service',
  hosts: [],
  ports: [],
  intercepts: [],
  operations: operations.map((each) => ({ name: each, spot, path: null, hops: [] })),
})

describe('names of imported services', () => {
  it('stay as they are where they fit', () => {
    const all = [service('a'.repeat(80), 'b'.repeat(100))]
    expect(withShortNames(all)[0]).toBe(all[0])
  })

  it('are cut where they are too long, and stay different', () => {
    const names = withShortNames([service('a'.repeat(80)), service('a'.repeat(81)), service('a'.repeat(500))]).map(({ name }) => name)
    expect(names).toEqual(['a'.repeat(80), `${'a'.repeat(80)}-2`, `${'a'.repeat(80)}-3`])
  })

  it('of operations are cut and numbered as well', () => {
    const [short] = withShortNames([service('a', 'b'.repeat(150), `${'b'.repeat(150)}c`, 'd')])
    expect(short?.operations.map(({ name }) => name)).toEqual(['b'.repeat(100), `${'b'.repeat(100)}-2`, 'd'])
  })

  it('of operations are told apart by a number that no other has', () => {
    const [told] = withShortNames([service('a', 'get', 'get-2', 'get', 'get')])
    expect(told?.operations.map(({ name }) => name)).toEqual(['get', 'get-2', 'get-3', 'get-4'])
  })

  it('have no blanks, and of services no dots', () => {
    const [named, unnamed] = withShortNames([service('a.b c', 'get it', 'get.it'), service('', '')])
    expect([named?.name, named?.operations.map(({ name }) => name)]).toEqual(['a-b-c', ['get-it', 'get.it']])
    expect([unnamed?.name, unnamed?.operations[0]?.name]).toEqual(['unnamed', 'unnamed'])
  })
})
