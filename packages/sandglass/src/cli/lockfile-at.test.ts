import { describe, expect, it } from 'vitest'
import { lockfileAt, versionsFrom } from './lockfile-at.js'
import { memorySystem } from './memory-system.fixture.js'
import { readText } from './read-text.js'

const npm = (axios: string) => JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/axios': { version: axios } } })

function versionsIn(texts: Readonly<Record<string, string>>, ...files: readonly string[]) {
  const { folders } = memorySystem(texts)
  const lockfiles = files.flatMap((file) => {
    const read = lockfileAt(readText(file, folders), file.split('/').slice(0, -1).join('/'), folders)
    return 'message' in read ? [] : [read]
  })
  return versionsFrom(lockfiles, folders)
}

describe('versionsFrom', () => {
  it('asks the nearest lockfile above a file', () => {
    const versionOf = versionsIn(
      { 'shop/package-lock.json': npm('1.7.9'), 'shop/services/cart/package-lock.json': npm('0.21.4'), 'shop/broken/yarn.lock': 'oops' },
      'shop/package-lock.json',
      'shop/services/cart/package-lock.json',
      'shop/broken/yarn.lock',
    )
    expect(versionOf('axios', 'shop/services/cart/src/a.ts')).toBe('0.21.4')
    expect(versionOf('axios', 'shop/services/cart/src/b.ts')).toBe('0.21.4')
    expect(versionOf('axios', 'shop/services/stock/a.ts')).toBe('1.7.9')
    expect(versionOf('axios', 'shop/broken/a.ts')).toBe('1.7.9')
    expect(versionOf('got', 'shop/services/stock/a.ts')).toBeNull()
    expect(versionOf('axios', 'elsewhere/a.ts')).toBeNull()
  })

  it('reads the manifests that Yarn 1 needs', () => {
    const versionOf = versionsIn(
      {
        'yarn.lock': '# yarn lockfile v1\n\naxios@^0.21.0:\n  version "0.21.4"\n\naxios@^1.0.0:\n  version "1.7.9"\n',
        'package.json': '{ "dependencies": { "axios": "^0.21.0" } }',
        'packages/web/package.json': '{ "dependencies": { "axios": "^1.0.0" } }',
      },
      'yarn.lock',
    )
    expect(versionOf('axios', 'src/a.ts')).toBe('0.21.4')
    expect(versionOf('axios', 'packages/web/src/a.ts')).toBe('1.7.9')
  })
})
