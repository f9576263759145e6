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

const code = `import { Client } from '@elastic/elasticsearch'
import ky from 'ky'
import { MongoClient } from 'mongodb'

const client = new Client({ node: 'http://search.internal:9200' })
export const hits = (index) => client.search({ index })
export const price = (u) => ky(u, { timeout: 2000, retry: 2 }).json()

const mongo = new MongoClient('mongodb://db.internal', { timeoutMS: 2000 })
export const order = (id) => mongo.db('shop').collection('orders').findOne({ id })
`
const before = npm({ '@elastic/elasticsearch': '8.19.1', ky: '1.14.3', mongodb: '7.7.0' })
const after = npm({ '@elastic/elasticsearch': '9.4.3', ky: '2.1.0', mongodb: '7.8.0' })
const project = { 'src/shop.js': code, 'package.json': '{}', 'package-lock.json': after, 'old.json': before }

describe('sandglass diff --lockfile', () => {
  it('finds the calls that an update leaves without a limit, and those that it ends sooner (C057)', async () => {
    const { code: exit, stdout } = await diff(project, '--lockfile', 'old.json', 'package-lock.json', '--format', 'json')
    expect(exit).toBe(1)
    const { summary, changes } = JSON.parse(stdout) as { summary: unknown; changes: unknown[] }
    expect(summary).toEqual({ weaker: 2, tighter: 1, unclear: 0, calls: 3 })
    expect(changes).toMatchObject([
      {
        change: 'weaker',
        library: 'elasticsearch-js',
        at: { file: 'src/shop.js', line: 6 },
        before: { version: '8.19.1', outcome: 'bounded', ms: 30_000, kind: 'silence' },
        after: { version: '9.4.3', outcome: 'unbounded', worstMs: null },
        lockedAt: { file: 'package-lock.json' },
      },
      {
        change: 'weaker',
        library: 'mongodb',
        at: { line: 10 },
        before: { version: '7.7.0', outcome: 'bounded', ms: 2000, kind: 'total' },
        after: { version: '7.8.0', outcome: 'unbounded', factors: [{ name: 'serverSelectionTimeoutMS', value: 30_000 }] },
      },
      // ky 1 limits only the wait for the headers; ky 2 gives the body as much again.
      {
        change: 'tighter',
        library: 'ky',
        at: { line: 7 },
        before: { version: '1.14.3', ms: 2000, kind: 'headers' },
        after: { version: '2.1.0', ms: 2000, kind: 'total', worstMs: 4000 },
      },
    ])
    expect(await diff(project, '--lockfile', 'package-lock.json', 'old.json')).toMatchObject({ code: 1 })
    expect(await diff(project, '--lockfile', '.', '.')).toMatchObject({
      code: 0,
      stdout: 'No bound changed in 3 calls. No package changed version.\n',
    })
  })

  it('compares what each workspace gets', async () => {
    const lock = (nested: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: {
          'node_modules/@elastic/elasticsearch': { version: '8.19.1' },
          'packages/web': { dependencies: { '@elastic/elasticsearch': '*' } },
          'packages/web/node_modules/@elastic/elasticsearch': { version: nested },
        },
      })
    const texts = { 'packages/web/a.js': code, 'packages/api/a.js': code, 'package.json': '{}', 'package-lock.json': lock('9.4.3') }
    const { stdout } = await diff({ ...texts, 'git main:package-lock.json': lock('8.19.1') }, 'main:package-lock.json', 'package-lock.json')
    expect(stdout).toMatch(
      /goes from 2m10s of silence in all to none \(@elastic\/elasticsearch\s+8\.19\.1\s+-> 9\.4\.3\)\n {2}packages\/web\/a\.js:6:32/,
    )
    expect(stdout).not.toContain('packages/api')
  })

  it('finds nothing between a lockfile and itself', async () => {
    const { code, stdout } = await diff({ ...axios, 'package-lock.json': npm({ axios: '1.7.9' }) }, '--lockfile', '.', 'package-lock.json')
    expect([code, stdout]).toEqual([0, 'No bound changed in 1 call. No package changed version.\n'])
  })

  it('reads a lockfile of a revision, from the top of the repository or from here', async () => {
    const texts = { ...axios, 'package-lock.json': npm({ axios: '1.21.1' }), 'git main:package-lock.json': npm({ axios: '1.7.9' }) }
    const said = 'No bound changed in 1 call. 1 package changed version.\n'
    expect(await diff(texts, 'main:package-lock.json', 'package-lock.json')).toMatchObject({ code: 0, stdout: said })
    expect(await diff(texts, '--lockfile', 'main:', '.')).toMatchObject({ code: 0, stdout: said })
    expect(await diff(texts, '--lockfile', 'main:.', '.')).toMatchObject({ code: 0, stdout: said })
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
