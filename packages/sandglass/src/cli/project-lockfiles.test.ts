import { describe, expect, it } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { projectLockfiles, versionsFrom } from './project-lockfiles.js'

const npm = (axios: string) => JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/axios': { version: axios } } })

describe('projectLockfiles', () => {
  it('finds the lockfiles below a folder and the nearest above it', () => {
    const { folders } = memorySystem({
      'shop/pnpm-lock.yaml': "lockfileVersion: '9.0'\nimporters: { .: { dependencies: { axios: { version: 1.7.9 } } } }\n",
      'shop/services/cart/package-lock.json': npm('0.21.4'),
      'shop/services/cart/node_modules/x/package-lock.json': npm('9.9.9'),
      'shop/services/broken/yarn.lock': 'oops',
      'package-lock.json': npm('8.8.8'),
    })
    const { lockfiles, notRead } = projectLockfiles('shop/services', folders)
    expect(lockfiles.map(({ source }) => source.file)).toEqual(['shop/pnpm-lock.yaml', 'shop/services/cart/package-lock.json'])
    expect(notRead).toMatchObject([{ file: 'shop/services/broken/yarn.lock', why: expect.stringContaining('is no lockfile') as string }])
    const versionOf = versionsFrom(lockfiles, folders)
    expect(versionOf('axios', 'shop/services/cart/src/a.ts')).toBe('0.21.4')
    expect(versionOf('axios', 'shop/services/cart/src/b.ts')).toBe('0.21.4')
    expect(versionOf('axios', 'shop/services/stock/a.ts')).toBe('1.7.9')
    expect(versionOf('got', 'shop/services/stock/a.ts')).toBeNull()
  })

  it('reads the manifests that Yarn 1 needs', () => {
    const { folders } = memorySystem({
      'yarn.lock': '# yarn lockfile v1\n\naxios@^0.21.0:\n  version "0.21.4"\n\naxios@^1.0.0:\n  version "1.7.9"\n',
      'package.json': '{ "dependencies": { "axios": "^0.21.0" } }',
      'packages/web/package.json': '{ "dependencies": { "axios": "^1.0.0" } }',
    })
    const { lockfiles } = projectLockfiles('.', folders)
    expect(lockfiles).toHaveLength(1)
    const versionOf = versionsFrom(lockfiles, folders)
    expect(versionOf('axios', 'src/a.ts')).toBe('0.21.4')
    expect(versionOf('axios', 'packages/web/src/a.ts')).toBe('1.7.9')
  })
})
