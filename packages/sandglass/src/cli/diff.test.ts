import { describe, expect, it } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

const npm = (versions: Readonly<Record<string, string>>) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: versions },
      ...Object.fromEntries(Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }])),
    },
  })

async function diff(texts: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const system = memorySystem(texts)
  const code = await run(['diff', ...args], system)
  return { code, ...system.said, system }
}

const axios = { 'a.ts': "import axios from 'axios'\nawait axios.get('http://x.internal')\n", 'package.json': '{}' }

describe('sandglass diff --lockfile', () => {
  it('finds nothing between a lockfile and itself', async () => {
    const { code, stdout } = await diff({ ...axios, 'package-lock.json': npm({ axios: '1.7.9' }) }, '--lockfile', '.', 'package-lock.json')
    expect([code, stdout]).toEqual([0, 'No bound changed in 1 call. No package changed version.\n'])
  })

  it('reads a lockfile of a revision, from the top of the repository or from here', async () => {
    const texts = { ...axios, 'package-lock.json': npm({ axios: '1.21.1' }), 'git main:package-lock.json': npm({ axios: '1.7.9' }) }
    const said = 'No bound changed in 1 call. 1 package changed version.\n'
    expect(await diff(texts, 'main:package-lock.json', 'package-lock.json')).toMatchObject({ code: 0, stdout: said })
    expect(await diff(texts, '--lockfile', 'main:', '.')).toMatchObject({ code: 0, stdout: said })
    expect(await diff(texts, '--lockfile', 'main:./package-lock.json', '.')).toMatchObject({ code: 0, stdout: said })
  })

  it('reads one from standard input', async () => {
    const texts = { ...axios, 'package-lock.json': npm({ axios: '1.21.1' }), '-': npm({ axios: '1.7.9' }) }
    expect(await diff(texts, '--lockfile', '-', '.')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 package') as string })
  })

  it('says in one line what cannot be used', async () => {
    const texts = { ...axios, 'package-lock.json': npm({}), 'broken.json': '{ "packages": {', 'src/a.ts': '' }
    const refusal = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await diff(texts, ...args)
      expect([code, stdout]).toEqual([2, ''])
      return stderr
    }
    expect(await refusal('--lockfile', 'main:package-lock.json', '.')).toBe(
      'main:package-lock.json: there is no such file, and git says: no such path\n',
    )
    expect(await refusal('--lockfile', 'package-lock.jsn', '.')).toBe(
      'package-lock.jsn: there is no such file (did you mean "package-lock.json"?)\n',
    )
    expect(await refusal('--lockfile', 'broken.json', '.')).toBe('broken.json:1:16: not valid JSON: it ends too early\n')
    expect(await refusal('--lockfile', 'src', '.')).toContain('src: a folder without a lockfile; expected one of pnpm-lock.yaml')
    expect(await refusal('--lockfile', 'package.json', '.')).toContain('package.json:1:1: is no lockfile')
    expect(await refusal('old.yaml', 'new.yaml')).toContain('only lockfiles are compared; --lockfile says that they are some')
    expect(await refusal('--lockfile', '-', '-')).toContain('standard input cannot be both lockfiles')
    expect(await refusal('--lockfile', '.')).toContain('missing required argument "new"')
    expect(await refusal('--lockfile', '.', '.', 'nowhere')).toBe('nowhere: there is no such file\n')
    expect(await refusal('--lockfile', '.', '.', 'package.json')).toContain('package.json: no TypeScript or JavaScript to scan')
    expect(await refusal('--lockfile', '.', '.', '--format', 'yaml')).toContain('there is no format "yaml"')
  })
})
