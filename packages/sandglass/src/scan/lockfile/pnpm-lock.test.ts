import { describe, expect, it } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { readLocked } from './read-locked.fixture.js'

const V9 = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

catalogs:
  default:
    ky:
      specifier: ^1.14.0
      version: 1.14.3

overrides:
  form-data: 4.0.5

importers:

  .:
    devDependencies:
      vitest:
        specifier: ^3.0.0
        version: 3.2.4(@types/node@22.19.0)(yaml@2.8.1)

  packages/web:
    dependencies:
      '@elastic/elasticsearch':
        specifier: ^8.19.0
        version: 8.19.1(patch_hash=0a1b2c)
      '@shop/stock':
        specifier: workspace:*
        version: link:../stock
      axios:
        specifier: ^1.7.0
        version: 1.7.9
      forked:
        specifier: github:shop/forked
        version: https://codeload.github.com/shop/forked/tar.gz/0123abc
      ky:
        specifier: 'catalog:'
        version: 1.14.3
      old-axios:
        specifier: npm:axios@^0.27.0
        version: axios@0.27.2

  packages/stock:
    dependencies:
      axios:
        specifier: ^0.30.0
        version: 0.30.1(debug@4.4.0)

packages:

  '@elastic/elasticsearch@8.19.1':
    resolution: {integrity: sha512-Aa==}
    engines: {node: '>=18'}

  '@elastic/transport@8.9.6':
    resolution: {integrity: sha512-Bb==}

  axios@0.27.2:
    resolution: {integrity: sha512-Cc==}

  axios@0.30.1:
    resolution: {integrity: sha512-Dd==}
    peerDependencies:
      debug: '*'

  axios@1.7.9:
    resolution: {integrity: sha512-Ee==}

  forked@https://codeload.github.com/shop/forked/tar.gz/0123abc:
    resolution: {tarball: https://codeload.github.com/shop/forked/tar.gz/0123abc}
    version: 3.1.0

  ky@1.14.3:
    resolution: {integrity: sha512-Ff==}

snapshots:

  '@elastic/elasticsearch@8.19.1(patch_hash=0a1b2c)':
    dependencies:
      '@elastic/transport': 8.9.6

  axios@1.7.9:
    dependencies:
      follow-redirects: 1.15.9
`

const V6 = `lockfileVersion: '6.0'

dependencies:
  '@grpc/grpc-js':
    specifier: ^1.9.0
    version: 1.9.15
  axios:
    specifier: ^1.4.0
    version: 1.4.0(debug@4.3.4)
  mine:
    specifier: npm:@scope/axios@1.2.3
    version: /@scope/axios@1.2.3
  forked:
    specifier: github:shop/forked
    version: github.com/shop/forked/0123abc

packages:

  /@grpc/grpc-js@1.9.15:
    resolution: {integrity: sha512-Aa==}
    dev: false

  /@scope/axios@1.2.3:
    resolution: {integrity: sha512-Bb==}

  /axios@1.4.0(debug@4.3.4):
    resolution: {integrity: sha512-Cc==}

  github.com/shop/forked/0123abc:
    resolution: {tarball: https://codeload.github.com/shop/forked/tar.gz/0123abc}
    name: forked
    version: 3.1.0
`

const V5 = `lockfileVersion: 5.4

importers:

  .:
    specifiers:
      typeorm: ^0.3.0
    dependencies:
      typeorm: 0.3.11_pg@8.8.0+redis@4.5.1

  services/cart:
    specifiers:
      axios: ^0.27.0
      '@shop/stock': workspace:*
      mine: npm:axios@0.21.4
    dependencies:
      axios: 0.27.2_debug@4.3.4
      '@shop/stock': link:../stock
      mine: /axios/0.21.4

packages:

  /axios/0.21.4:
    resolution: {integrity: sha512-Aa==}
  /axios/0.27.2_debug@4.3.4:
    resolution: {integrity: sha512-Bb==}
  /lodash.merge/4.6.2:
    resolution: {integrity: sha512-Cc==}
  /@types/pg_x/8.6.5_a_b:
    resolution: {integrity: sha512-Dd==}
  registry.example.com/got/11.8.6:
    resolution: {integrity: sha512-Ee==}
`

describe('pnpm lockfiles', () => {
  it('of version 9 name versions by importer, with peers, patches, catalogs, aliases and links', () => {
    const lock = readLocked('pnpm-lock.yaml', V9)
    expect(lock.manager).toBe('pnpm')
    expect(lock.versionOf('axios', 'packages/web/src')).toBe('1.7.9')
    expect(lock.versionOf('axios', 'packages/stock/src/a')).toBe('0.30.1')
    expect(lock.versionOf('ky', 'packages/web')).toBe('1.14.3')
    expect(lock.versionOf('@elastic/elasticsearch', 'packages/web')).toBe('8.19.1')
    expect(lock.find('old-axios', 'packages/web')).toMatchObject({ name: 'axios', version: '0.27.2' })
    expect(lock.find('@shop/stock', 'packages/web')).toMatchObject({ name: '@shop/stock', version: null })
    expect(lock.versionOf('forked', 'packages/web')).toBe('3.1.0')
    expect(lock.versionOf('vitest', 'packages/web')).toBe('3.2.4')
  })

  it('do not decide between versions that the importer does not name', () => {
    const lock = readLocked('pnpm-lock.yaml', V9)
    expect(lock.find('axios', 'scripts')).toBeNull()
    expect(lock.versionOf('@elastic/transport', 'packages/web')).toBe('8.9.6')
    expect(lock.find('got', 'packages/web')).toBeNull()
  })

  it('say on which line a version stands', () => {
    const spot = readLocked('pnpm-lock.yaml', V9).find('axios', 'packages/stock')?.spot
    expect(spot && placeOf(spot)).toMatchObject({ file: 'pnpm-lock.yaml', line: 49, column: 18 })
  })

  it('may begin with the document that pnpm writes for itself', () => {
    const own = `---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    packageManagerDependencies:\n      pnpm: {specifier: 12.3.4, version: 12.3.4}\nsnapshots:\n  pnpm@12.3.4: {}\n---\n`
    const lock = readLocked('pnpm-lock.yaml', own + V9)
    expect(lock.versionOf('axios', 'packages/web')).toBe('1.7.9')
    const spot = lock.find('axios', 'packages/stock')?.spot
    expect(spot && placeOf(spot)).toMatchObject({ line: 58, column: 18 })
  })

  it('of version 6 have no importers where there is one package', () => {
    const lock = readLocked('pnpm-lock.yaml', V6)
    expect(lock.versionOf('axios', 'src')).toBe('1.4.0')
    expect(lock.versionOf('@grpc/grpc-js', 'src')).toBe('1.9.15')
    expect(lock.find('mine', 'src')).toMatchObject({ name: '@scope/axios', version: '1.2.3' })
    expect(lock.find('forked', 'src')).toMatchObject({ name: 'forked', version: '3.1.0' })
    expect([...lock.importers.keys()]).toEqual([''])
  })

  it('of version 5 write peers behind an underscore and packages as paths', () => {
    const lock = readLocked('pnpm-lock.yaml', V5)
    expect(lock.versionOf('typeorm', 'services/cart')).toBe('0.3.11')
    expect(lock.versionOf('axios', 'services/cart/src')).toBe('0.27.2')
    expect(lock.find('mine', 'services/cart')).toMatchObject({ name: 'axios', version: '0.21.4' })
    expect(lock.versionOf('lodash.merge', 'services/cart')).toBe('4.6.2')
    expect(lock.versionOf('@types/pg_x', '')).toBe('8.6.5')
    expect(lock.versionOf('got', '')).toBe('11.8.6')
    const single = 'lockfileVersion: 5.3\nspecifiers:\n  ky: ^0.33.0\ndependencies:\n  ky: 0.33.3\n'
    expect(readLocked('pnpm-lock.yaml', single).versionOf('ky', 'src')).toBe('0.33.3')
  })
})
