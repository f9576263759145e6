import { describe, expect, it } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { readLocked } from './read-locked.fixture.js'

const V3 = `{
  "name": "shop",
  "version": "1.0.0",
  "lockfileVersion": 3,
  "requires": true,
  "packages": {
    "": {
      "name": "shop",
      "version": "1.0.0",
      "workspaces": ["packages/*"],
      "dependencies": { "axios": "^1.6.0", "old-axios": "npm:axios@^0.27.0" },
      "devDependencies": { "vitest": "^3.0.0" }
    },
    "node_modules/@elastic/elasticsearch": {
      "version": "8.19.1",
      "resolved": "https://registry.npmjs.org/@elastic/elasticsearch/-/elasticsearch-8.19.1.tgz",
      "dependencies": { "@elastic/transport": "^8.9.6" }
    },
    "node_modules/@shop/stock": { "resolved": "packages/stock", "link": true },
    "node_modules/axios": {
      "version": "1.7.9",
      "resolved": "https://registry.npmjs.org/axios/-/axios-1.7.9.tgz",
      "dependencies": { "proxy-from-env": "^1.1.0" }
    },
    "node_modules/old-axios": { "name": "axios", "version": "0.27.2" },
    "node_modules/legacy": { "version": "2.0.0" },
    "node_modules/legacy/node_modules/axios": { "version": "0.21.4" },
    "node_modules/forked": {
      "version": "3.1.0",
      "resolved": "git+ssh://git@github.com/shop/forked.git#0123456789abcdef"
    },
    "packages/stock": { "name": "@shop/stock", "version": "4.0.0", "dependencies": { "axios": "^0.30.0" } },
    "packages/stock/node_modules/axios": { "version": "0.30.1" },
    "packages/web": { "name": "@shop/web", "dependencies": { "@elastic/elasticsearch": "^8.0.0" } }
  }
}
`

const V1 = `{
  "name": "shop",
  "lockfileVersion": 1,
  "dependencies": {
    "axios": {
      "version": "0.21.4",
      "resolved": "https://registry.npmjs.org/axios/-/axios-0.21.4.tgz",
      "requires": { "follow-redirects": "^1.14.0" }
    },
    "legacy": {
      "version": "2.0.0",
      "requires": { "axios": "^0.18.0" },
      "dependencies": { "axios": { "version": "0.18.1" } }
    },
    "mine": { "version": "npm:@scope/axios@1.2.3" },
    "forked": { "version": "git+ssh://git@github.com/shop/forked.git#0123456789abcdef", "from": "forked@github:shop/forked" },
    "here": { "version": "file:packages/here", "dependencies": { "axios": { "version": "0.27.2" } } }
  }
}
`

describe('npm lockfiles', () => {
  it('resolve as Node does: nested copies, workspaces and aliases', () => {
    const lock = readLocked('package-lock.json', V3)
    expect(lock.manager).toBe('npm')
    expect(lock.versionOf('axios', 'src')).toBe('1.7.9')
    expect(lock.versionOf('axios', 'packages/web/src/deep')).toBe('1.7.9')
    expect(lock.versionOf('axios', 'packages/stock/src')).toBe('0.30.1')
    expect(lock.versionOf('axios', 'node_modules/legacy/lib')).toBe('0.21.4')
    expect(lock.versionOf('axios', 'node_modules/legacy/node_modules')).toBe('0.21.4')
    expect(lock.find('old-axios', 'src')).toMatchObject({ name: 'axios', version: '0.27.2' })
    expect(lock.versionOf('@elastic/elasticsearch', 'packages/web')).toBe('8.19.1')
    expect(lock.find('@shop/stock', 'packages/web')).toMatchObject({ name: '@shop/stock', version: '4.0.0' })
    expect(lock.versionOf('forked', '.')).toBe('3.1.0')
    expect(lock.find('got', 'src')).toBeNull()
  })

  it('are found from wherever the folders are counted', () => {
    expect(readLocked('/srv/shop/package-lock.json', V3).versionOf('axios', '/srv/shop/packages/stock')).toBe('0.30.1')
    expect(readLocked('./shop/package-lock.json', V3).versionOf('axios', './shop/packages/stock/')).toBe('0.30.1')
    expect(readLocked('shop\\package-lock.json', V3).versionOf('axios', 'shop\\packages\\stock\\src')).toBe('0.30.1')
    expect(readLocked('old/lock.json', V3, { folder: 'shop' }).versionOf('axios', 'shop/packages/stock')).toBe('0.30.1')
    expect(readLocked('../elsewhere/package-lock.json', V3).versionOf('axios', 'packages/stock')).toBe('1.7.9')
  })

  it('say on which line a version stands', () => {
    const lock = readLocked('package-lock.json', V3)
    const lineOf = (name: string, from: string) => {
      const spot = lock.find(name, from)?.spot
      return spot && [placeOf(spot).line, spot.source.text.slice(spot.start, spot.end)]
    }
    expect(lineOf('axios', 'src')).toEqual([21, '"1.7.9"'])
    expect(lineOf('axios', 'packages/stock')).toEqual([33, '"0.30.1"'])
    expect(lineOf('@shop/stock', 'src')).toEqual([32, '"4.0.0"'])
  })

  it('name what each workspace depends on, and all versions of a package', () => {
    const lock = readLocked('package-lock.json', V3)
    expect([...lock.importers]).toEqual([
      ['', ['axios', 'old-axios', 'vitest']],
      ['packages/stock', ['axios']],
      ['packages/web', ['@elastic/elasticsearch']],
    ])
    expect([...(lock.versions().get('axios') ?? [])].map(([version]) => version)).toEqual(['1.7.9', '0.27.2', '0.21.4', '0.30.1'])
  })

  it('of version 1 nest packages in each other', () => {
    const lock = readLocked('npm-shrinkwrap.json', V1)
    expect(lock.versionOf('axios', 'src')).toBe('0.21.4')
    expect(lock.versionOf('axios', 'node_modules/legacy')).toBe('0.18.1')
    expect(lock.find('mine', 'src')).toMatchObject({ name: '@scope/axios', version: '1.2.3' })
    expect(lock.find('forked', 'src')).toMatchObject({ name: 'forked', version: null })
    expect(lock.find('here', 'src')).toMatchObject({ version: null })
    expect(lock.versionOf('axios', 'packages/here/src')).toBe('0.27.2')
    const nested = lock.find('axios', 'node_modules/legacy')?.spot
    expect(nested && placeOf(nested)).toMatchObject({ line: 13, column: 47 })
  })

  it('of version 2 are read by their packages, not by the older list beside them', () => {
    const v2 = V3.replace('"lockfileVersion": 3', '"lockfileVersion": 2').replace(
      /\n\}\n$/,
      ',\n  "dependencies": { "axios": { "version": "9.9.9" } }\n}\n',
    )
    expect(readLocked('package-lock.json', v2).versionOf('axios', 'src')).toBe('1.7.9')
  })
})
