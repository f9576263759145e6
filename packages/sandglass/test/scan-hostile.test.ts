import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliUnderTest } from './cli-under-test.js'

const CALL = "fetch('http://x.internal')\n"
const FOUND = /: ((warning|info) default-bound|(error|info) unbounded-call) /

/** What a folder of source code may hold besides source code: each is one line, the rest is scanned, in bounded time and memory. */
describe('a folder to scan', () => {
  const root = mkdtempSync(join(tmpdir(), 'sandglass-scan-'))
  let run: Awaited<ReturnType<typeof cliUnderTest>>
  let count = 0
  beforeAll(async () => {
    run = await cliUnderTest()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const folder = (files: Readonly<Record<string, string | Uint8Array>>) => {
    const path = join(root, String(count++))
    mkdirSync(path, { recursive: true })
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(path, name, '..'), { recursive: true })
      writeFileSync(join(path, name), text)
    }
    return path
  }

  const scan = async (cwd: string, ...args: readonly string[]) => {
    const ran = await run(['scan', ...args], { cwd, heapMb: 512 })
    expect(ran.stderr).not.toMatch(/\n {4}at |Error:|SIG/)
    expect(ran.tookMs).toBeLessThan(30_000)
    const lines = (text: string) => text.split('\n').filter((line) => line !== '')
    return { exit: ran.exit, found: lines(ran.stdout), said: lines(ran.stderr) }
  }

  /** What is said of a folder with one file that is fine and one that is not. */
  const besides = async (name: string, content: string | Uint8Array) => {
    const { exit, found, said } = await scan(folder({ 'fine.ts': CALL, [name]: content }))
    expect(exit).toBe(found.some((line) => line.includes(' error ')) ? 1 : 0)
    expect(found.filter((line) => line.startsWith('fine.ts'))).toEqual([expect.stringMatching(FOUND)])
    return { left: said.filter((line) => line.startsWith('not read: ')), found: found.filter((line) => line.startsWith(name)) }
  }

  it.each([
    ['broken.ts', 'const a = {{\nfetch(', /^not read: broken\.ts:\d+:\d+: /],
    ['broken.vue', '<template>{{ a }}</template>\n<script lang="ts">\nconst = 1\n</script>', /^not read: broken\.vue:3:\d+: /],
    ['flow.js', `// @flow\nopaque type A: {| b: string |} = {| b: string |}\n${CALL}`, /^not read: flow\.js:1:1: Flow is not supported$/],
    ['video.ts', Uint8Array.of(0x47, 0x40, 0, 0x10, 0, 0, 0xb0), /^not read: video\.ts: byte 2 is zero: this is binary/],
    ['latin.js', Uint8Array.of(0x2f, 0x2f, 0xe9, 0x0a), /^not read: latin\.js:1:3: not valid UTF-8/],
    ['wide.ts', Uint8Array.of(0xff, 0xfe, 0x61, 0), /^not read: wide\.ts: this is UTF-16/],
    ['large.ts', `${'fetch("http://x");\n'.repeat(70_000)}`, /^not read: large\.ts: larger than 1 MB: generated, by its size$/],
    ['deep.ts', '('.repeat(20_000) + ')'.repeat(20_000), /^not read: deep\.ts:1:1: nested too deep to be a program that somebody wrote$/],
    ['else.js', `${'if (a) b(); else\n'.repeat(20_000)} c()`, /^not read: else\.js:1:1: nested too deep/],
    ['loops.ts', `${'for (;;) '.repeat(20_000)};`, /^not read: loops\.ts:1:1: nested too deep/],
  ] as const)('says of %s in one line why it was not read', async (name, content, line) => {
    const { left, found } = await besides(name, content)
    expect(left).toEqual([expect.stringMatching(line)])
    expect(found).toEqual([])
  })

  it.each([
    ['empty.ts', ''],
    ['blank.js', ' \n\n'],
    ['mark.ts', '\ufeff'],
    ['only-template.vue', '<template><a :href="b" /></template>'],
    ['types.ts', 'export type A = { fetch(url: string): void }'],
  ])('has nothing to say of %s', async (name, content) => {
    expect(await besides(name, content)).toEqual({ left: [], found: [] })
  })

  it.each([
    ['mark.ts', `\ufeff${CALL}`, '1:1'],
    ['windows.ts', "const a = 1\r\n\r\nfetch('http://x.internal')\r\n", '3:1'],
    ['module.mts', `const a: number = 1\n${CALL}`, '2:1'],
    ['common.cts', `import fs = require('fs')\n${CALL}`, '2:1'],
    ['markup.js', `const a = () => <b c={d}>e</b>\n${CALL}`, '2:1'],
    [
      'decorated.ts',
      `@Injectable()\nexport class A { constructor(@Inject(B) private b: B) {}\n @Get() a() { return fetch('http://x.internal') } }`,
      '3:22',
    ],
    [
      'component.vue',
      `<template>\n  <a>{{ b }}</a>\n</template>\n<script setup lang="ts">\nimport axios from 'axios'\naxios.get('http://x')\n</script>`,
      '6:1',
    ],
    ['hash.js', `#!/usr/bin/env node\n${CALL}`, '2:1'],
    ['strict.cjs', `'use strict'\nreturn ${CALL}`, '2:8'],
    ['sum.ts', `const a = ${'b + '.repeat(5000)}1\n${CALL}`, '2:1'],
    ['chain.ts', `const a = b${'.c()'.repeat(3000)}\n${CALL}`, '2:1'],
  ])('is scanned in the form of %s', async (name, content, at) => {
    const { left, found } = await besides(name, content)
    expect(left).toEqual([])
    expect(found).toEqual([expect.stringMatching(new RegExp(`^${name.replace('.', '\\.')}:${at}${FOUND.source}`))])
  })

  it('may have pipes under the names of what is looked for beside the code', async () => {
    const path = folder({ 'fine.ts': CALL })
    for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', '.nvmrc']) execFileSync('mkfifo', [join(path, name)])
    const { found } = await scan(path)
    expect(found).toHaveLength(1)
  })

  it('may have a pipe, a socket and links that go in a circle in it', async () => {
    const path = folder({ 'fine.ts': CALL, 'inner/fine.ts': CALL })
    execFileSync('mkfifo', [join(path, 'pipe.ts')])
    symlinkSync('circle.ts', join(path, 'circle.ts'))
    symlinkSync('nowhere.ts', join(path, 'dangling.ts'))
    symlinkSync('..', join(path, 'inner', 'up'))
    symlinkSync('../fine.ts', join(path, 'inner', 'same.ts'))
    const server = createServer().listen(join(path, 'socket.ts'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const { exit, found, said } = await scan(path)
      expect(exit).toBe(0)
      expect(found).toHaveLength(2)
      expect(said.filter((line) => line.startsWith('not read: ')).toSorted()).toEqual([
        'not read: circle.ts: cannot be read: its links go in a circle',
        'not read: dangling.ts: there is no such file',
        'not read: pipe.ts: a pipe, no file',
        'not read: socket.ts: this is neither a file nor a folder',
      ])
    } finally {
      server.close()
    }
  })

  it.each(['Dockerfile', '.nvmrc', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'vercel.json', 'host.json'])(
    'is scanned where %s is a link in a circle',
    async (name) => {
      const path = folder({ 'fine.ts': CALL })
      symlinkSync(name, join(path, name))
      const { exit, found } = await scan(path)
      expect(exit).toBe(0)
      expect(found).toEqual([expect.stringMatching(FOUND)])
    },
  )

  it('is no link in a circle', async () => {
    const path = folder({ 'fine.ts': CALL })
    symlinkSync('circle', join(path, 'circle'))
    const { exit, said } = await scan(path, 'circle')
    expect(exit).toBe(2)
    expect(said).toEqual(['circle: cannot be read: its links go in a circle'])
  })

  it('keeps its sources where a link leads a report to them', async () => {
    const path = folder({ 'fine.ts': CALL })
    symlinkSync('fine.ts', join(path, 'report.json'))
    const { exit, said } = await scan(path, '--format', 'json=report.json')
    expect(exit).toBe(2)
    expect(said[0]).toMatch(/^report\.json: is not written/)
  })

  it('may have a configuration whose aliases make a hundred million values of it', async () => {
    let bomb = ''
    for (const [k, name] of 'abcdefghi'.split('').entries())
      bomb += `${name}: &${name} [${Array(9)
        .fill(k === 0 ? 'x' : `*${'abcdefghi'[k - 1]}`)
        .join(', ')}]\n`
    const text = `import axios from 'axios'\nimport config from 'config'\nexport const f = () => axios.get('http://a', { timeout: config.get('http.timeout') })`
    const { exit } = await scan(folder({ 'a.ts': text, 'package.json': '{"dependencies":{"config":"3"}}', 'config/default.yaml': bomb }))
    expect(exit).toBe(0)
  })

  it('is imported, too, though a config in it is a pipe or a link to itself', async () => {
    const path = folder({ 'nginx.conf': 'http { server { listen 80; location / { proxy_pass http://a:1; } } }' })
    for (const name of ['pipe.conf', 'pipe.sql', 'pipe.zip']) execFileSync('mkfifo', [join(path, name)])
    symlinkSync('circle.yaml', join(path, 'circle.yaml'))
    const ran = await run(['import', '.'], { cwd: path, heapMb: 512 })
    expect(ran.stderr).toContain('not read: 3 files')
    expect(ran.exit).toBe(0)
    expect(ran.tookMs).toBeLessThan(30_000)
  })

  it('may be empty, or have nothing in it that is scanned: exit 2, one line', async () => {
    for (const files of [{}, { 'README.md': '# x' }, { 'a.test.ts': CALL, 'dist/b.js': CALL, 'node_modules/c/c.js': CALL }]) {
      const { exit, found, said } = await scan(folder(files))
      expect({ exit, found }).toEqual({ exit: 2, found: [] })
      expect(said).toEqual([expect.stringMatching(/^\.: no source files to scan \(TypeScript, JavaScript, Vue, Go, Java, Python; /)])
    }
    expect(await scan(folder({}), 'nowhere')).toMatchObject({ exit: 2, said: [expect.stringMatching(/^nowhere: /)] })
  })

  it('may be the named file itself, whatever it is', async () => {
    const path = folder({ 'a.test.ts': CALL, 'video.ts': Uint8Array.of(0, 0, 0), 'notes.txt': 'x' })
    expect((await scan(path, 'a.test.ts')).found).toEqual([expect.stringMatching(FOUND)])
    expect(await scan(path, 'video.ts')).toMatchObject({
      exit: 2,
      said: [expect.stringMatching(/^video\.ts: byte 0 is zero: this is binary/)],
    })
    expect(existsSync(join(path, 'notes.txt'))).toBe(true)
  })

  it('may be a named file of which nothing can be read: exit 2, one line', async () => {
    const path = folder({ 'fine.ts': CALL, 'broken.ts': 'const a = {{', 'deep.ts': '('.repeat(20_000), 'notes.txt': 'x' })
    for (const [name, line] of [
      ['broken.ts', /^broken\.ts:1:\d+: /],
      ['deep.ts', /^deep\.ts:1:1: nested too deep/],
      ['notes.txt', /^notes\.txt: not a source file \(expected \.ts, /],
    ] as const)
      expect(await scan(path, name)).toEqual({ exit: 2, found: [], said: [expect.stringMatching(line)] })
    const { exit, found, said } = await scan(path, 'broken.ts', 'notes.txt', 'fine.ts')
    expect({ exit, found: found.length }).toEqual({ exit: 0, found: 1 })
    expect(said.filter((line) => line.startsWith('not read: '))).toHaveLength(2)
  })

  it('may be, or be told, a named pipe: exit 2, one line, nothing is waited for', async () => {
    const path = folder({ 'fine.ts': CALL })
    for (const name of ['pipe.ts', 'pipe.json', 'pipe.yaml']) execFileSync('mkfifo', [join(path, name)])
    for (const args of [
      ['pipe.ts'],
      ['fine.ts', '--lockfile', 'pipe.json'],
      ['fine.ts', '--baseline', 'pipe.json'],
      ['fine.ts', '--chain', 'pipe.yaml'],
    ])
      expect(await scan(path, ...args)).toMatchObject({ exit: 2, said: [`${args.at(-1)}: this is a pipe; a file was expected`] })
  })

  it('may have names that no terminal should be given', async () => {
    const path = folder({ 'a\nb.ts': CALL, '\u001b[31mred.ts': 'const a = {{' })
    writeFileSync(Buffer.concat([Buffer.from(`${path}/bad`), Buffer.of(0xff), Buffer.from('.ts')]), CALL)
    const { said } = await scan(path)
    expect(said.filter((line) => line.startsWith('not read: ')).map((line) => line.replace(/:\d+:\d+: .*/, ''))).toEqual([
      'not read: bad\ufffd.ts: its name is not UTF-8',
      'not read: \ufffd[31mred.ts',
    ])
    expect((await scan(path, 'a\nc.ts')).said).toEqual(['a c.ts: there is no such file (did you mean "a b.ts"?)'])
  })

  it('may be named in several ways, and from several folders: its baseline holds', async () => {
    const path = folder({ 'src/a.ts': "import axios from 'axios'\naxios.get('http://x')\n" })
    expect((await scan(path, 'src', '--write-baseline', 'known.json')).exit).toBe(0)
    for (const [cwd, ...args] of [
      [path, './src/a.ts', '--baseline', 'known.json'],
      [path, join(path, 'src'), '--baseline', 'known.json'],
      [join(path, 'src'), '--baseline', '../known.json'],
    ] as const)
      expect(await scan(cwd, ...args)).toMatchObject({ exit: 0, found: [] })
  })

  it('may have modules that import each other in circles, and itself', async () => {
    const files = {
      'a.ts': "export * from './b.js'\nimport { x } from './a.js'\nexport { x } from './c.js'\nx.get('http://x')\n",
      'b.ts': "export * from './a.js'\nexport { y as x } from './c.js'\n",
      'c.ts': "import { x } from './a.js'\nexport const y = x\nexport { x } from './b.js'\nfetch('http://x.internal')\n",
    }
    const { found, exit } = await scan(folder(files))
    expect(found).toEqual([expect.stringMatching(/^c\.ts:4:1: /)])
    expect(exit).toBe(0)
  })

  it('may be large: 3,000 files and a minified bundle of almost a megabyte', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, k) => [`f${k % 50}/m${k}.ts`, `import { a } from '../f0/m0.js'\nexport const a${k} = a\n`]),
    )
    const minified = `!function(){${Array.from({ length: 12_000 }, (_, k) => `var a${k}=function(b,c){return a${Math.max(0, k - 1)}(b,c||{t:${k}})}`).join(';')};fetch("http://x")}();`
    const { found, exit, said } = await scan(folder({ ...many, 'f0/m0.ts': `export const a = 1\n${CALL}`, 'bundle.js': minified }))
    expect(exit).toBe(0)
    expect(found.map((line) => line.split(':')[0])).toEqual(['f0/m0.ts'])
    expect(said).toContain('not read: bundle.js: a bundle, by the length of its lines; name it to read it')
  })
})
