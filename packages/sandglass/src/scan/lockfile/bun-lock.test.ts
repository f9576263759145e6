import { describe, expect, it } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { readLocked } from './read-locked.fixture.js'

const BUN = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "name": "shop",
      "dependencies": { "axios": "^1.6.0", "old-axios": "npm:axios@^0.27.0", },
    },
    "packages/stock": {
      "name": "@shop/stock",
      "dependencies": { "axios": "^0.30.0", }, // pinned
    },
  },
  "packages": {
    "@shop/stock": ["@shop/stock@workspace:packages/stock"],

    "axios": ["axios@1.7.9", "", { "dependencies": { "form-data": "^4.0.0" } }, "sha512-Aa=="],

    "forked": ["forked@github:shop/forked#0123abc", {}, "shop-forked-0123abc"],

    "old-axios": ["axios@0.27.2", "", {}, "sha512-Bb=="],

    "@shop/stock/axios": ["axios@0.30.1", "", {}, "sha512-Cc=="],
  }
}
`

describe('bun.lock', () => {
  it('nests the copies of a workspace under its name', () => {
    const lock = readLocked('bun.lock', BUN)
    expect(lock.manager).toBe('bun')
    expect(lock.versionOf('axios', 'src')).toBe('1.7.9')
    expect(lock.versionOf('axios', 'packages/stock/src')).toBe('0.30.1')
    expect(lock.find('old-axios', 'packages/stock')).toMatchObject({ name: 'axios', version: '0.27.2' })
    expect(lock.find('forked', 'src')).toMatchObject({ name: 'forked', version: null })
    expect(lock.find('@shop/stock', 'src')).toMatchObject({ version: null })
    expect(lock.find('got', 'src')).toBeNull()
    expect(lock.importers.get('packages/stock')).toEqual(['axios'])
    expect([...(lock.versions().get('axios')?.keys() ?? [])]).toEqual(['1.7.9', '0.27.2', '0.30.1'])
  })

  it('says on which line a package stands', () => {
    const spot = readLocked('bun.lock', BUN).find('axios', 'packages/stock')?.spot
    expect(spot && placeOf(spot)).toMatchObject({ line: 22, column: 27, endColumn: 41 })
  })
})
