import { describe, expect, it } from 'vitest'
import { lockfileFor } from './lockfile-for.js'
import { readLocked } from './read-locked.fixture.js'

const npm = (file: string) => readLocked(file, '{ "lockfileVersion": 3, "packages": {} }')
const pnpm = (file: string) => readLocked(file, "lockfileVersion: '9.0'\nimporters: {}\n")

describe('lockfileFor', () => {
  it('finds the nearest lockfile above a source file', () => {
    const [root, cart] = [pnpm('pnpm-lock.yaml'), npm('services/cart/package-lock.json')]
    expect(lockfileFor('services/cart/src/a.ts', [root, cart])).toBe(cart)
    expect(lockfileFor('services/cartoons/a.ts', [root, cart])).toBe(root)
    expect(lockfileFor('services/stock/a.ts', [cart, root])).toBe(root)
    expect(lockfileFor('./services/cart/a.ts', [root, cart])).toBe(cart)
    expect(lockfileFor('/elsewhere/a.ts', [root, cart])).toBeNull()
  })

  it('takes a left-over of npm last, and a shrinkwrap before a package-lock', () => {
    const [left, used] = [npm('package-lock.json'), pnpm('pnpm-lock.yaml')]
    expect(lockfileFor('a.ts', [left, used])).toBe(used)
    expect(lockfileFor('a.ts', [used, left])).toBe(used)
    const wrapped = npm('npm-shrinkwrap.json')
    expect(lockfileFor('a.ts', [left, wrapped])).toBe(wrapped)
    expect(lockfileFor('a.ts', [wrapped, left])).toBe(wrapped)
  })
})
