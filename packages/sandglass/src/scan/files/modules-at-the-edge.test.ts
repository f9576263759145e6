import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const manifest = (...names: string[]) => JSON.stringify({ devDependencies: Object.fromEntries(names.map((name) => [name, '1'])) })
const named = (name: string) => JSON.stringify({ name, devDependencies: { '@cloudflare/workers-types': '4' } })

test.each([
  ['Cloudflare', { 'package.json': manifest('wrangler'), 'src/a.ts': `await fetch('http://a')` }, 0],
  ['Cloudflare and Node', { 'package.json': manifest('wrangler', 'express'), 'src/a.ts': `await fetch('http://a')` }, 1],
  ['a default with a fetch', { 'a.ts': `export default { async fetch(r: Request) { return fetch(r) } } satisfies Handler` }, 0],
  ['a named default', { 'a.ts': `const app = { fetch: () => fetch('http://a') }\nexport default app` }, 0],
  ['the fetch of an app', { 'a.ts': `await fetch('http://a')\nexport default { port: 80, fetch: app.fetch }` }, 1],
  ['Deno', { 'a.ts': `Deno.serve(() => fetch('http://a'))` }, 0],
  ['a Deno of its own', { 'a.ts': `const Deno = { serve() {} }\nDeno.serve(() => fetch('http://a'))` }, 1],
  ['an import by address', { 'a.ts': `import { x } from 'https://a.example/x.ts'\nfetch(x)` }, 0],
  [
    'Next.js',
    { 'middleware.ts': `import { NextResponse } from 'next/server'\nexport async function middleware() { await fetch('http://a') }` },
    0,
  ],
  [
    'Next.js that says otherwise',
    {
      'middleware.ts': `import { NextResponse } from 'next/server'\nexport const config = { runtime: 'nodejs' }\nexport async function middleware() { await fetch('http://a') }`,
    },
    1,
  ],
  [
    'a page whose config says so',
    { 'pages/api/og.ts': `export const config = { runtime: 'edge' as const }\nexport default async () => { await fetch('http://a') }` },
    0,
  ],
  [
    'a page whose config says something else',
    { 'pages/api/og.ts': `export const config = { maxDuration: 5 }\nexport default async () => { await fetch('http://a') }` },
    1,
  ],
  ['a package called after it', { 'package.json': named('@acme/log-cloudflare'), 'src/a.ts': `await fetch('http://a')` }, 0],
  ['a package that has its types', { 'package.json': named('@acme/log'), 'src/a.ts': `await fetch('http://a')` }, 1],
  ['a type of it', { 'a.ts': `export const send = (c: ExecutionContext) => c.waitUntil(fetch('http://a'))` }, 0],
  [
    'a type of the same name',
    {
      'a.ts': `import { ExecutionContext } from '@nestjs/common'\nexport const can = async (c: ExecutionContext) => { await fetch('http://a') }`,
    },
    1,
  ],
  ['a pair of sockets', { 'a.ts': `const pair = new WebSocketPair()\nexport const load = () => fetch('http://a')` }, 0],
  ['a pair of its own', { 'a.ts': `class WebSocketPair {}\nconst pair = new WebSocketPair()\nawait fetch('http://a')` }, 1],
  [
    'one that asks whether there are pairs',
    { 'a.ts': `if (typeof WebSocketPair === 'function') new WebSocketPair()\nawait fetch('http://a')` },
    1,
  ],
  ['a socket that fetch gives', { 'a.ts': `const answer = await fetch('http://a')\nanswer.webSocket.accept()` }, 0],
  ['a socket of another', { 'a.ts': `const answer = await fetch('http://a')\nconst client = open()\nclient.webSocket.send(answer)` }, 1],
  ['a cache of its own', { 'a.ts': `const caches = make()\ncaches.default.put(await fetch('http://a'))` }, 1],
  ['the cache of Cloudflare', { 'a.ts': `caches.default.put('a', await fetch('http://a'))` }, 0],
  ['what answers all that is fetched', { 'a.js': `addEventListener('fetch', (event) => event.respondWith(fetch(event.request)))` }, 0],
  [
    'a type of its own',
    { 'a.ts': `interface ExecutionContext { a: 1 }\nexport const can = async (c: ExecutionContext) => { await fetch('http://a') }` },
    1,
  ],
])('what Node does is not said of %s', (_, files, calls) => {
  expect(scanTexts({ files }).calls).toHaveLength(calls)
})

test('what only the edge uses is there, too, and so is a client over its fetch', () => {
  const edge = `import { load } from './load'\nexport default { fetch: () => load() }`
  expect(scanTexts({ files: { 'a.ts': edge, 'load.ts': `export const load = () => fetch('http://a')` } }).calls).toEqual([])
  const ky = `import ky from 'ky'\nexport default { fetch: () => ky.get('http://a', { timeout: false }) }`
  expect(scanTexts({ files: { 'a.ts': ky } }).diagnostics).toEqual([])
})

test('what only pages at the edge use is there, through what passes it on, too', () => {
  const page = `import { load } from '../lib'\nexport const config = { runtime: 'experimental-edge' }\nexport default () => load()`
  const files = {
    'pages/a.ts': page,
    'pages/b.ts': page,
    'lib/index.ts': `export { load } from './load'`,
    'lib/load.ts': `import { NextRequest } from 'next/server'\nexport const load = (r?: NextRequest) => fetch('http://a')`,
  }
  expect(scanTexts({ files }).calls).toEqual([])
  const onNode = `import { load } from '../lib'\nexport default () => load()`
  expect(scanTexts({ files: { ...files, 'pages/c.ts': onNode } }).calls).toHaveLength(1)
})

test('a package that only a program of Bun uses runs there, too, though it imports what Node has', () => {
  const files = {
    'api/package.json': JSON.stringify({ scripts: { start: 'bun run src/main.ts' } }),
    'api/src/main.ts': `import { load } from '../../net/load'\nload()`,
    'net/load.ts': `import { createHash } from 'node:crypto'\nexport const load = () => fetch('http://a/' + createHash('sha1'))`,
  }
  expect(scanTexts({ files }).calls).toEqual([])
  const withNode = { ...files, 'web/server.ts': `import express from 'express'\nimport { load } from '../net/load'\nload()` }
  expect(scanTexts({ files: withNode }).calls).toHaveLength(1)
})
