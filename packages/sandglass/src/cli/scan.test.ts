import { describe, expect, it, test } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { run } from './run.js'

async function scan(texts: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const system = memorySystem(texts)
  const code = await run(['scan', ...args], system)
  return { code, ...system.said, system }
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

describe('sandglass scan over several languages', () => {
  it('says of TypeScript, Go, Java and Python the same under the same names of rules', async () => {
    const { code, stdout, stderr } = await scan({
      'a.ts': "import { Pool } from 'pg'\nconst pool = new Pool()\nexport const all = () => pool.query('select 1')\n",
      'b.go': 'package main\nimport "net/http"\nfunc f() { http.Get("http://billing:8080/x") }\n',
      'c.py': 'import requests\ndef f():\n    return requests.get("http://billing:8080/x")\n',
    })
    expect(lines(stdout).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'a.ts:2:14: error unbounded-call',
      'b.go:3:12: error unbounded-call',
      'c.py:3:12: error unbounded-call',
    ])
    expect(stderr).toContain('3 errors in 3 files, 3 calls (3 have no limit at all)')
    expect(code).toBe(1)
  })

  it('says which stretch of a file the parser did not understand, and reads the rest', async () => {
    const java = 'import java.net.http.HttpClient;\nclass A { void f( { new java.net.URL("x").openStream(); } }\n'
    const { stdout, stderr, code } = await scan({ 'A.java': java, 'b.py': 'import requests\nrequests.get("http://x.internal")\n' })
    expect(stderr).toMatch(/^not read: A\.java:2:\d+: this is no Java that the parser understands; calls in it were not looked at$/m)
    expect(lines(stdout)).toHaveLength(1)
    expect(stdout).toMatch(/^b\.py:2:1: error unbounded-call /)
    expect(code).toBe(1)
  })

  it('takes what is started by hand for a note, whatever the language', async () => {
    const { stdout, code } = await scan({ 'scripts/load.py': 'import requests\nrequests.get("http://x.internal")\n' })
    expect(stdout).toMatch(/^scripts\/load\.py:2:1: info unbounded-call /)
    expect(code).toBe(0)
  })
})

describe('sandglass scan of manifests that cannot be read', () => {
  it('says which, where and what is not known for it', async () => {
    const { stderr } = await scan(
      { 'shop/a.ts': 'export {}\n', 'shop/package.json': '{ "name": "shop",, }', 'tsconfig.json': '{ "compilerOptions": { // none\n' },
      'shop',
    )
    expect(stderr).toContain(
      'note: shop/package.json:1:18: not valid JSON: unexpected ","; its name, scripts and dependencies are not known',
    )
    expect(stderr).toContain('note: tsconfig.json:2:1: not valid JSON: it ends too early; its paths are not followed')
  })

  it('says nothing of those that are read', async () => {
    const { stderr } = await scan({ 'a.ts': 'export {}\n', 'package.json': '{}', 'tsconfig.json': '{ "include": ["a.ts",], /* all */ }' })
    expect(stderr).not.toContain('not valid')
  })
})

describe('sandglass scan of Go', () => {
  it('takes databases for local where the module has only such drivers', async () => {
    const code = 'package db\nimport "database/sql"\nfunc f(db *sql.DB) { db.Exec("DELETE FROM x") }\n'
    const module = (driver: string) => `module shop\n\nrequire ${driver} v1.0.0\n`
    const { stdout } = await scan({
      'local/go.mod': module('github.com/mattn/go-sqlite3'),
      'local/db/clean.go': code,
      'remote/go.mod': module('github.com/lib/pq'),
      'remote/db/clean.go': code,
      'clean.go': code,
    })
    expect(
      lines(stdout)
        .map((line) => line.split(' ').slice(0, 3).join(' '))
        .sort(),
    ).toEqual(['clean.go:3:22: error unbounded-call', 'remote/db/clean.go:3:22: error unbounded-call'])
  })
})

describe('sandglass scan of what the scripts of a package run', () => {
  const call = "await fetch('http://x.internal')\n"

  it('takes it for a note, unless a script starts it as a service', async () => {
    const { stdout, stderr } = await scan({
      'bin/package.json': JSON.stringify({
        scripts: {
          release: 'node --import tsx ./release.ts && echo "done"',
          start: 'node main.js',
          'sync:all': 'node a/sync.mjs',
          watch: 'node poll.js',
          poll: 'nodemon poll.js',
        },
      }),
      'bin/release.ts': call,
      'bin/main.js': call,
      'bin/a/sync.mjs': call,
      'bin/poll.js': call,
      'other/package.json': '{ "scripts": [',
      'other/release.ts': call,
    })
    expect(lines(stdout).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'bin/main.js:1:7: warning',
      'bin/poll.js:1:7: warning',
      'other/release.ts:1:7: warning',
      'bin/a/sync.mjs:1:7: info',
      'bin/release.ts:1:7: info',
    ])
    expect(stderr).toContain('5 files')
  })

  it('knows a script whose ending is left out, and what changes a database once', async () => {
    const { stdout } = await scan({
      'package.json': JSON.stringify({
        scripts: {
          'migrator:up': 'node db/migrator up',
          'migration:run': 'node db/run.js',
          'start:seed': 'node db/seeding.js',
          start: 'node db/main',
        },
      }),
      'db/migrator.js': call,
      'db/run.js': call,
      'db/seeding.js': call,
      'db/main.js': call,
    })
    expect(lines(stdout).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'db/main.js:1:7: warning',
      'db/seeding.js:1:7: warning',
      'db/migrator.js:1:7: info',
      'db/run.js:1:7: info',
    ])
  })
})

describe('sandglass scan where something cannot be read', () => {
  const refusing = (paths: readonly string[], code: string) => {
    const system = memorySystem({ 'a.ts': "fetch('http://x.internal')\n", 'locked.ts': '', 'below/b.ts': '' })
    const guard = (path: string) => {
      if (paths.includes(path)) throw Object.assign(new Error(code), { code })
    }
    const { folders } = system
    return {
      ...system,
      folders: {
        ...folders,
        look: (path: string) => (code === 'ELOOP' ? (guard(path), folders.look(path)) : folders.look(path)),
        read: (path: string, most: number) => (guard(path), folders.read(path, most)),
        list: (path: string) => (guard(path), folders.list(path)),
      },
    }
  }

  it('says so in a line each, and scans the rest', async () => {
    const system = refusing(['locked.ts', 'below'], 'EACCES')
    expect(await run(['scan'], system)).toBe(0)
    expect(lines(system.said.stdout)).toHaveLength(1)
    expect(lines(system.said.stderr).filter((line) => line.startsWith('not read'))).toEqual([
      'not read: below: cannot be read: permission denied',
      'not read: locked.ts: cannot be read: permission denied',
    ])
    expect(system.said.stderr).toContain('Not read: 2 files.')
  })

  it('does not fall over what cannot even be looked at', async () => {
    const system = refusing(['locked.ts'], 'ELOOP')
    expect(await run(['scan'], system)).toBe(0)
    expect(system.said.stderr).toContain('not read: locked.ts: cannot be read: its links go in a circle\n')
  })

  it('ends where a named file cannot be read', async () => {
    const system = refusing(['locked.ts'], 'EACCES')
    expect(await run(['scan', 'locked.ts'], system)).toBe(2)
    expect(system.said.stderr).toBe('locked.ts: cannot be read: permission denied\n')
  })
})

describe('sandglass scan that would write over source code and chains', () => {
  const code = "import axios from 'axios'\naxios.get('http://x')\n"

  it.each([
    [['--format', 'json=src/a.ts'], 'src/a.ts'],
    [['--format', 'html=package.json'], 'package.json'],
    [['--write-baseline', 'src/a.ts'], 'src/a.ts'],
    [['--format', 'sarif=b.py'], 'b.py'],
    [['--format', 'json=sandglass.yaml'], 'sandglass.yaml'],
    [['--write-baseline', 'sandglass.yaml'], 'sandglass.yaml'],
  ])('refuses %j', async (args, file) => {
    const texts = { 'src/a.ts': code, 'package.json': '{}', 'b.py': 'x = 1\n', 'sandglass.yaml': 'version: 1\n' }
    const { exit, stderr, system } = await scan(texts, 'src', ...args).then(({ code: exit, ...rest }) => ({ exit, ...rest }))
    expect(exit).toBe(2)
    expect(stderr).toContain(
      `${file}: is not written: there is a file of that name, which is no report; name another one, or remove it first\n`,
    )
    expect(Object.fromEntries(system.files)).toEqual(texts)
  })

  it('writes over a former report and an empty file', async () => {
    const { system } = await scan(
      { 'src/a.ts': code, 'out.json': '{}', 'new.js': '' },
      'src',
      '--format',
      'json=out.json',
      '--format',
      'json=new.js',
    )
    expect(system.files.get('out.json')).toContain('unbounded-call')
    expect(system.files.get('new.js')).toContain('unbounded-call')
  })
})

test('a baseline of before, which names files as they were spelt, still holds', async () => {
  const texts = { 'src/a.ts': "import axios from 'axios'\naxios.get('http://x')\n" }
  const { stdout } = await scan(texts, 'src', '--format', 'json')
  const [one] = (JSON.parse(stdout) as { diagnostics: { fingerprint: string; rule: string }[] }).diagnostics
  const known = JSON.stringify({ schemaVersion: 1, findings: [{ fingerprint: one?.fingerprint, rule: one?.rule, path: [] }] })
  const { code, stderr } = await scan({ ...texts, 'deep/known.json': known }, 'src', '--baseline', 'deep/known.json')
  expect(code).toBe(0)
  expect(stderr).not.toContain('no longer found')
})
