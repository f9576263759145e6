import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { memorySystem } from './memory-system.fixture.js'
import { importResolver } from './resolve-import.js'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sandglass-resolve-')))
afterAll(() => rmSync(home, { recursive: true }))

/** The same files on the disk, where the resolver looks, and in memory. */
async function resolverOf(texts: Readonly<Record<string, string>>) {
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text)
  }
  const system = memorySystem(texts)
  const sources = Object.entries(texts).map(([file, text]) => ({ file, text }))
  const { resolve } = await importResolver(sources, {
    ...system,
    folders: { ...system.folders, identity: (path) => (path === '.' ? home : path) },
  })
  return resolve
}

test('files are found by path and alias although the tsconfig extends one of a package that is not installed', async () => {
  const resolve = await resolverOf({
    'web/tsconfig.json': `{ "extends": "@repo/tsconfig/next.json", // not installed
  "compilerOptions": { "paths": { "@/*": ["./src/*"], "db": ["../common/db.ts"], } } }`,
    'web/src/main.ts': '',
    'web/src/lib/redis.ts': '',
    'common/db.ts': '',
    'api/tsconfig.json': '{ "extends": "@repo/tsconfig/node.json", "compilerOptions": { "baseUrl": "." } }',
    'api/src/main.ts': '',
    'api/src/pool.ts': '',
  })
  expect(resolve('./lib/redis', 'web/src/main.ts')).toEqual({ kind: 'file', file: 'web/src/lib/redis.ts' })
  expect(resolve('@/lib/redis', 'web/src/main.ts')).toEqual({ kind: 'file', file: 'web/src/lib/redis.ts' })
  expect(resolve('db', 'web/src/main.ts')).toEqual({ kind: 'file', file: 'common/db.ts' })
  expect(resolve('src/pool', 'api/src/main.ts')).toEqual({ kind: 'file', file: 'api/src/pool.ts' })
  expect(resolve('pg', 'web/src/main.ts')).toEqual({ kind: 'package', name: 'pg', subpath: '' })
  expect(resolve('./not-there', 'web/src/main.ts')).toEqual({ kind: 'nothing' })
})

test('a package of the repository that is not linked is found as its manifest says', async () => {
  const resolve = await resolverOf({
    'package.json': '{ "workspaces": ["svc", "shared", "plain"] }',
    'shared/package.json':
      '{ "name": "@a/shared", "exports": { ".": "./src/client.ts", "./http": "./src/net/http.ts", "./redis": "./dist/redis.js" } }',
    'shared/src/client.ts': '',
    'shared/src/net/http.ts': '',
    'shared/src/redis.ts': '',
    'plain/package.json': '{ "name": "plain", "main": "start.ts" }',
    'plain/start.ts': '',
    'svc/package.json': '{ "name": "svc" }',
    'svc/a.ts': '',
  })
  expect(['@a/shared', '@a/shared/http', '@a/shared/redis', 'plain'].map((request) => resolve(request, 'svc/a.ts'))).toEqual([
    { kind: 'file', file: 'shared/src/client.ts' },
    { kind: 'file', file: 'shared/src/net/http.ts' },
    { kind: 'file', file: 'shared/src/redis.ts' },
    { kind: 'file', file: 'plain/start.ts' },
  ])
})

test('files that are named from the root are found, too', async () => {
  const texts = {
    [join(home, 'shop/package.json')]: '{ "name": "@acme/shop" }',
    [join(home, 'shop/tsconfig.json')]: '{ "extends": "@acme/none.json", "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    [join(home, 'shop/src/main.ts')]: '',
    [join(home, 'shop/src/index.ts')]: '',
    [join(home, 'shop/src/paths.ts')]: '',
    [join(home, 'till/main.ts')]: '',
  }
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const system = memorySystem(texts)
  const sources = Object.entries(texts).map(([file, text]) => ({ file, text }))
  const elsewhere = join(home, 'elsewhere')
  const { resolve } = await importResolver(sources, {
    ...system,
    folders: { ...system.folders, identity: (path) => (path === '.' ? elsewhere : path) },
  })
  const [main, paths, index] = ['main', 'paths', 'index'].map((name) => join(home, `shop/src/${name}.ts`))
  expect(resolve('./paths', main ?? '')).toEqual({ kind: 'file', file: paths })
  expect(resolve('@/paths', main ?? '')).toEqual({ kind: 'file', file: paths })
  expect(resolve('@acme/shop', join(home, 'till/main.ts'))).toEqual({ kind: 'file', file: index })
})

test('what is built from scanned sources leads to those, whether it is there, a shim or not built yet', async () => {
  const resolve = await resolverOf({
    'kept/package.json': `{ "name": "@a/kept", "main": "dist/index.js", "exports": {
      ".": { "types": "./dist/index.d.ts", "require": "./cjs/index.cjs", "default": "./dist/index.js" },
      "./mail": "./dist/net/mail.js", "./made": "./lib/made.js", "./*": { "require": "./cjs/*.cjs", "import": "./dist/*.js" } } }`,
    'kept/index.ts': '',
    'kept/utils.ts': '',
    'kept/src/made.ts': '',
    'kept/src/net/mail.ts': '',
    'kept/cjs/index.cjs': "module.exports = require('../dist/index.js')",
    'kept/cjs/utils.cjs': "module.exports = require('../dist/utils.js')",
    'kept/cjs/own.cjs': '',
    'kept/lib/plain.js': '',
    'kept/dist/typed.ts': '',
    'kept/typed.ts': '',
    'kept/src/plain.ts': '',
    'user/package.json': '{ "name": "user" }',
    'user/a.ts': '',
  })
  const file = (name: string) => ({ kind: 'file', file: `kept/${name}` })
  expect(
    ['@a/kept', '@a/kept/utils', '@a/kept/mail', '@a/kept/own', '@a/kept/made'].map((request) => resolve(request, 'user/a.ts')),
  ).toEqual([file('index.ts'), file('utils.ts'), file('src/net/mail.ts'), file('cjs/own.cjs'), file('src/made.ts')])
  expect(
    ['../kept/dist/utils.js', '../kept/dist', '../kept/lib/plain.js', '../kept/dist/typed.js'].map((request) =>
      resolve(request, 'user/a.ts'),
    ),
  ).toEqual([file('utils.ts'), file('index.ts'), file('lib/plain.js'), file('dist/typed.ts')])
  expect(resolve('../kept/lib/made.js', 'user/a.ts')).toEqual({ kind: 'nothing' })
  expect(resolve('../kept/dist/none.js', 'user/a.ts')).toEqual({ kind: 'nothing' })
})
