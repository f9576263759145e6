import { describe, expect, it } from 'vitest'
import { changedVersions, type VersionChange } from './changed-versions.js'
import { readLocked } from './read-locked.fixture.js'

const npm = (places: Readonly<Record<string, object>>) =>
  readLocked('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: places }))
const told = (changes: readonly VersionChange[]) =>
  changes.map(({ importer, packageName, before, after }) => [importer, packageName, before?.version ?? null, after?.version ?? null])

const before = npm({
  '': { dependencies: { ky: '^1.0.0', axios: '^1.0.0', gone: '*' } },
  'node_modules/ky': { version: '1.14.3' },
  'node_modules/axios': { version: '1.7.9' },
  'node_modules/gone': { version: '1.0.0' },
  'node_modules/@elastic/transport': { version: '8.9.6' },
  'node_modules/left': { version: '1.0.0' },
  'packages/web': { dependencies: { axios: '^0.30.0' } },
  'packages/web/node_modules/axios': { version: '0.30.1' },
})
const after = npm({
  '': { dependencies: { ky: '^2.0.0', axios: '^1.0.0', come: 'npm:other@1.0.0' } },
  'node_modules/ky': { version: '2.1.0' },
  'node_modules/axios': { version: '1.7.9' },
  'node_modules/come': { name: 'other', version: '1.0.0' },
  'node_modules/@elastic/transport': { version: '9.4.0' },
  'node_modules/left': { version: '1.0.0' },
  'packages/web': { dependencies: { axios: '^1.0.0' } },
})

describe('changedVersions', () => {
  it('finds what changed for each importer, then what only other packages need', () => {
    expect(told(changedVersions(before, after))).toEqual([
      ['', 'come', null, '1.0.0'],
      ['', 'gone', '1.0.0', null],
      ['', 'ky', '1.14.3', '2.1.0'],
      ['packages/web', 'axios', '0.30.1', '1.7.9'],
      [null, '@elastic/transport', '8.9.6', '9.4.0'],
    ])
  })

  it('finds nothing between a lockfile and itself', () => {
    expect(changedVersions(before, before)).toEqual([])
    expect(changedVersions(after, after)).toEqual([])
  })

  it('compares lockfiles of different package managers and folders', () => {
    const pnpm = readLocked(
      'old/pnpm-lock.yaml',
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      ky: {specifier: ^1.0.0, version: 1.14.3}\n",
    )
    const one = npm({ '': { dependencies: { ky: '^2.0.0' } }, 'node_modules/ky': { version: '2.1.0' } })
    expect(told(changedVersions(pnpm, one))).toEqual([['', 'ky', '1.14.3', '2.1.0']])
  })
})
