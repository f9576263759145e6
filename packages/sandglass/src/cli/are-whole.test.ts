import { expect, test } from 'vitest'
import { areWhole } from './are-whole.js'
import type { Folders } from './folders.js'

const having = (...files: readonly string[]): Folders => ({
  look: (path) => (files.includes(path) ? { kind: 'file', size: 2, isPipe: false } : null),
  read: () => new TextEncoder().encode('{}'),
  list: () => [],
  write: () => {},
  identity: (path) => path,
})

test('a folder is whole unless a package is above it', () => {
  expect(areWhole([], having('package.json'))).toBe(true)
  expect(areWhole(['.'], having('apps/a/package.json'))).toBe(true)
  expect(areWhole([], having('../../package.json'))).toBe(false)
  expect(areWhole(['apps/a'], having('apps/a/package.json', 'package.json'))).toBe(false)
  expect(areWhole(['src/a.ts'], having('package.json'))).toBe(false)
  expect(areWhole(['/repo'], having('/repo/package.json'))).toBe(true)
  expect(areWhole(['/repo/src'], having('/repo/package.json'))).toBe(false)
})
