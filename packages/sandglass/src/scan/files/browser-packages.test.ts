import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const CALL = `export const load = (u: string) => fetch(u)`
const needs = (...names: string[]) => JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) })

function judged(files: Record<string, string>): string[] {
  return scanTexts({ files }).calls.map(({ spot }) => spot.source.file)
}

test('a package that needs a framework of pages and nothing of servers runs on pages', () => {
  const files = {
    'chat/package.json': needs('solid-js'),
    'chat/src/load.ts': CALL,
    'api/package.json': needs('zod'),
    'api/src/load.ts': CALL,
  }
  expect(judged(files)).toEqual(['api/src/load.ts'])
})

test.each([
  ['a framework that calls it', { 'a/package.json': needs('react-dom', 'next') }],
  ['a framework of servers', { 'a/package.json': needs('react-dom'), 'a/src/main.ts': `import express from 'express'\nexpress()` }],
  [
    'a module of Node',
    { 'a/package.json': needs('react-dom'), 'a/src/read.ts': `import { readFile } from 'node:fs/promises'\nreadFile('a')` },
  ],
  ['a command', { 'a/package.json': JSON.stringify({ bin: 'a.js', devDependencies: { vue: '3' } }) }],
  [
    'a user that is a server',
    { 'a/package.json': needs('react-dom'), 'b/main.ts': `import { load } from '../a/src/load'\nload('http://a')` },
  ],
  ['a broken manifest', { 'a/package.json': '{' }],
])('but for one with %s', (_, files) => {
  expect(judged({ 'a/src/load.ts': CALL, ...files })).toEqual(['a/src/load.ts'])
})

test('a server beside the sources says nothing of them', () => {
  const server = `import express from 'express'\nexpress().listen(80)`
  expect(judged({ 'a/package.json': needs('vue', 'express'), 'a/proxy.js': server, 'a/src/load.ts': CALL })).toEqual([])
})

test('the name of a server in a text is no import of it', () => {
  expect(judged({ 'a/package.json': needs('vue'), 'a/src/load.ts': `export const kinds = ['openai', "redis"]\n${CALL}` })).toEqual([])
})

test('types of Node say nothing', () => {
  const types = `import type { ParsedUrlQuery } from 'node:querystring'\nexport const a: ParsedUrlQuery = {}`
  expect(judged({ 'a/package.json': needs('react-dom'), 'a/src/types.ts': types, 'a/src/load.ts': CALL })).toEqual([])
})

test('what builds it is no part of it', () => {
  const build = `import { join } from 'node:path'\nexport default join('a', 'b')`
  expect(judged({ 'package.json': needs('vue'), 'vite.config.ts': build, 'src/load.ts': CALL })).toEqual([])
})

test('pages whose framework has a server are none of it where it is switched off', () => {
  const manifest = needs('react-dom', '@react-router/node')
  const files = { 'a/package.json': manifest, 'a/src/load.ts': CALL }
  expect(judged(files)).toEqual(['a/src/load.ts'])
  expect(judged({ ...files, 'a/react-router.config.ts': 'export default { ssr: false }' })).toEqual([])
})

test.each([
  ['no server', `export default { ssr: false }`, 0],
  ['only files', `module.exports = { target: 'static' }`, 0],
  ['a server', `export default { ssr: true }`, 1],
  ['a server of its own', `export default { ssr: false, serverMiddleware: ['~/api'] }`, 1],
])('what Nuxt makes of a package that has %s', (_, config, calls) => {
  const files = { 'a/package.json': needs('nuxt'), 'a/nuxt.config.js': config, 'a/plugins/load.ts': CALL }
  expect(judged(files)).toHaveLength(calls)
  expect(judged({ ...files, 'a/server/api/load.ts': CALL })).toHaveLength(2)
})

test('pages without a server may bring a module of Node along, but no framework of servers', () => {
  const files = { 'a/package.json': needs('nuxt'), 'a/nuxt.config.js': `export default { ssr: false }`, 'a/plugins/load.ts': CALL }
  expect(judged({ ...files, 'a/mixins/name.ts': `import path from 'path'\nexport const name = path.basename` })).toEqual([])
  expect(judged({ ...files, 'a/api/main.ts': `import express from 'express'\nexpress().listen(80)` })).toHaveLength(1)
})

test('a package most of whose files use a page runs on one, unless they ask whether there is one', () => {
  const pages = (text: string) => Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`kit/${name}.ts`, text]))
  const files = { 'kit/package.json': needs(), 'kit/load.ts': CALL }
  expect(judged({ ...files, ...pages('document.title = "a"') })).toEqual([])
  expect(judged({ ...files, ...pages('export const a = typeof window === "object" ? window.name : ""') })).toEqual(['kit/load.ts'])
})
