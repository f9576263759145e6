import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('fetch in code that runs in a browser is not judged by what Node does', () => {
  const scanned = scanTexts({
    files: {
      'page.tsx': `import { useState } from 'react'; import { load } from './load'; export function Page() { const [a] = useState(0); fetch('/x'); load(); return <p>{a}</p> }`,
      'load.ts': `export const load = () => fetch('/api')`,
      'widget.ts': `document.title = 'x'; fetch('/y')`,
      'Form.vue': '',
    },
  })
  expect(scanned.calls).toEqual([])
})

test('a module that a server imports too is judged, and so is one that imports what only Node has', () => {
  const scanned = scanTexts({
    files: {
      'page.tsx': `import { load } from './load'; load()`,
      'server.ts': `import { load } from './load'; load()`,
      'load.ts': `export const load = () => fetch('http://a')`,
      'route.tsx': `import { readFile } from 'node:fs/promises'; await fetch('http://b')`,
    },
  })
  expect(callLines(scanned)).toEqual(['1 fetch bounded 300000 silence', '1 fetch bounded 300000 silence'])
})

test('the name .tsx alone makes no page, and neither does markup that a server uses', () => {
  const scanned = scanTexts({
    files: {
      'route.tsx': `import { user } from './github'; export const GET = () => user('http://a')`,
      'github.tsx': `export const user = (url: string) => fetch(url)`,
      'server.ts': `import express from 'express'; import { mail } from './mail'; express().get('/', mail)`,
      'mail.tsx': `export const mail = async () => { await fetch('http://b'); render(<p />) }`,
      'main.tsx': `import { createRoot } from 'react-dom/client'; import { routes } from './routes'; createRoot(routes)`,
      'routes.ts': `import { Home } from './home'; export const routes = [Home]`,
      'home.tsx': `import { load } from './load'; export const Home = () => <a onClick={load} />`,
      'load.tsx': `export const load = () => fetch('http://c')`,
    },
  })
  expect(scanned.calls.map(({ spot }) => spot.source.file)).toEqual(['github.tsx', 'mail.tsx'])
})

test('what is started by hand is worth a note', () => {
  const { diagnostics } = scanTexts({ files: { 'scripts/fill.ts': `await fetch('http://a')`, 'src/a.ts': `await fetch('http://a')` } })
  expect(diagnostics.map(({ severity }) => severity)).toEqual(['info', 'warning'])
})

test('an address without a host, AMD and a service worker tell a browser', () => {
  const scanned = scanTexts({
    files: {
      'api.ts':
        "export const load = (id: string) => fetch('/api/things/' + id)\nexport const list = () => fetch('/api/things')\nexport const save = (host: string) => fetch(host)",
      'pick.js': `define(['jquery'], function ($) { return () => fetch('http://a') })`,
      'service-worker.js': `self.addEventListener('fetch', (e) => e.respondWith(fetch(e.request)))`,
      'use-runner/index.ts': `export const useRunner = (u: string) => fetch(u)`,
      'own.ts': `export const own = (fetch: (u: string) => unknown) => fetch('/a')\nawait globalThis.fetch('http://b')`,
    },
  })
  expect(scanned.calls.map(({ spot }) => spot.source.file)).toEqual(['own.ts'])
})

test('what pages ask by a library is one note for all pages of their package', () => {
  const page = (name: string) => `import axios from 'axios'\nexport const ${name} = () => <a onClick={() => axios.get('/${name}')} />`
  const { diagnostics } = scanTexts({
    files: {
      'Cart.tsx': page('Cart'),
      'Page.tsx': page('Page'),
      'shop/package.json': '{"name":"shop"}',
      'shop/Page.tsx': page('Shop'),
      'load.ts': `import axios from 'axios'\nawait axios.get('http://a')`,
    },
  })
  const waits = 'axios waits without a limit for the answer'
  expect(diagnostics.map(({ severity, spot, message }) => [spot.source.file, severity, message])).toEqual([
    ['Cart.tsx', 'info', `${waits}; it runs in a browser, as do at least 1 more such calls of this package`],
    ['shop/Page.tsx', 'info', `${waits}; it runs in a browser`],
    ['load.ts', 'error', waits],
  ])
})

test('what only a server can load is no page, though its folder is called so', () => {
  const { diagnostics } = scanTexts({
    files: {
      'src/frontend/gateways/ads.ts': `import { credentials, Client } from '@grpc/grpc-js'
import { makeGenericClientConstructor } from '@grpc/grpc-js'
export const ads = new Client('ads:1', credentials.createInsecure())`,
      'src/frontend/load.ts': `export const load = () => fetch('http://a')`,
    },
  })
  expect(diagnostics.map(({ spot }) => spot.source.file)).toEqual(['src/frontend/load.ts'])
})

test.each([
  'db/seed.ts',
  'server/migration-scripts/fill.ts',
  'vite.config.ts',
  'shop-demo/server.ts',
  'migrate.mjs',
  'src/agent.eval.ts',
  'src/evals/run.ts',
])('%s is started by hand', (file) => {
  const { diagnostics } = scanTexts({ files: { [file]: `await fetch('http://a')` } })
  expect(diagnostics.map(({ severity }) => severity)).toEqual(['info'])
})

test.each([
  'libs/testing/src/queue.ts',
  'integration-tests/database.ts',
  'lib/utils/tests.ts',
  'web/playwright/login.ts',
  'test-utils/start.ts',
])('%s is left out as a test', (file) => {
  expect(scanTexts({ files: { [file]: `await fetch('http://a')` } }).calls).toEqual([])
})

test.each(['src/latest/a.ts', 'src/contests/a.ts', 'src/testimonials.ts', 'src/attest.ts'])('%s is no test', (file) => {
  expect(scanTexts({ files: { [file]: `await fetch('http://a')` } }).calls).toHaveLength(1)
})

test('a document of the program’s own, and one in a comment, tell no browser', () => {
  const files = {
    'stamp.ts': `/** Stamps each page of a document. */\nexport const font = () => fetch('http://a/font')`,
    'sign.ts': `export const sign = (document: { id: string }) => fetch('http://a/' + document.id)`,
    'page.ts': `export const title = () => fetch('http://a/' + document.title)`,
  }
  expect(scanTexts({ files }).calls.map(({ spot }) => spot.source.file)).toEqual(['stamp.ts', 'sign.ts'])
})

test('an action of a server is judged though only a browser imports it', () => {
  const files = {
    'Page.tsx': `'use client'\nimport { save } from './actions'\nexport const Page = () => <a onClick={save} />`,
    'actions.ts': `'use server'\nexport const save = () => fetch('http://a')`,
  }
  expect(scanTexts({ files }).calls.map(({ spot }) => spot.source.file)).toEqual(['actions.ts'])
})

test('a script that hands `window` to itself runs in a browser; one that asks whether there is one need not', () => {
  const scanned = scanTexts({
    files: {
      'tracker.js': `(w => { const { location } = w; fetch(location.origin) })(window)`,
      'recorder.js': `const { location } = window; fetch(location.origin)`,
      'both.js': `const isPage = typeof window !== 'undefined'; fetch('http://a')`,
    },
  })
  expect(callLines(scanned)).toEqual(['1 fetch bounded 300000 silence'])
})

test('tools beside the sources are started by hand, those of an agent among them are not', () => {
  const files = {
    'tools/fill.ts': '',
    'packages/api/tools/fill.ts': '',
    'src/agent/tools/search.ts': '',
    'packages/nodes/src/tools/search.ts': '',
  }
  const texts = Object.fromEntries(Object.keys(files).map((file) => [file, `await fetch('http://a')`]))
  const { diagnostics } = scanTexts({ files: texts })
  expect(diagnostics.map(({ severity, spot }) => `${severity} ${spot.source.file}`).toSorted()).toEqual([
    'info packages/api/tools/fill.ts',
    'info tools/fill.ts',
    'warning packages/nodes/src/tools/search.ts',
    'warning src/agent/tools/search.ts',
  ])
})

test('what a barrel passes on runs where those run that take it from there', () => {
  const files = {
    'utils/index.ts': `export * from './functions'\nimport { log } from './log'\nexport { log }`,
    'utils/functions/index.ts': `export * from './fetcher'\nexport { ping as check } from './ping'\nexport * as all from './all'`,
    'utils/functions/fetcher.ts': `export const fetcher = (url: string) => fetch(url)`,
    'utils/functions/ping.ts': `export const ping = (url: string) => fetch(url)`,
    'utils/functions/all.ts': `export const all = (url: string) => fetch(url)`,
    'utils/log.ts': `export const log = (url: string) => fetch(url)`,
    'utils/unused.ts': `export const unused = (url: string) => fetch(url)`,
    'use-links.ts': `import useSWR from 'swr'\nimport { fetcher, log } from './utils'\nexport const useLinks = () => useSWR('/a', fetcher)`,
    'Page.tsx': `'use client'\nimport { fetcher, type ping } from './utils'\nfetcher('http://a')`,
    'server.ts': `import type { fetcher } from './utils'\nimport { check } from './utils'\ncheck('http://a')`,
    'worker.ts': `import * as utils from './utils'\nutils.log('http://a')`,
  }
  const judged = (without: string) =>
    scanTexts({ files: Object.fromEntries(Object.entries(files).filter(([file]) => file !== without)) })
      .calls.map(({ spot }) => spot.source.file)
      .toSorted()
  expect(judged('worker.ts')).toEqual(['utils/functions/all.ts', 'utils/functions/ping.ts', 'utils/unused.ts'])
  expect(judged('none')).toHaveLength(5)
})

test('a folder’s name tells a browser only where nothing in the folder is a server’s', () => {
  const call = `await fetch('http://a')`
  const files = {
    'apps/webapp/app/db.server.ts': `import Redis from 'ioredis'\nexport const redis = new Redis()`,
    'apps/webapp/app/load.ts': call,
    'web/frontend/lib/load.ts': call,
    'api/frontend/routes.ts': `import Redis from 'ioredis'\nexport const redis = new Redis()\n${call}`,
  }
  const { calls, diagnostics } = scanTexts({ files })
  expect(calls.filter(({ library }) => library === 'fetch').map(({ spot }) => spot.source.file)).toEqual([
    'apps/webapp/app/load.ts',
    'api/frontend/routes.ts',
  ])
  expect(diagnostics.filter(({ severity }) => severity === 'info')).toEqual([])
})

test('`redirect` of Next.js tells no browser, its hooks do', () => {
  const files = {
    'session.ts': `import { redirect } from 'next/navigation'\nexport const session = async () => (await fetch('http://a')).ok || redirect('/')`,
    'go.ts': `import { useRouter } from 'next/navigation'\nexport const go = () => fetch('http://a')`,
  }
  expect(scanTexts({ files }).calls.map(({ spot }) => spot.source.file)).toEqual(['session.ts'])
})

test('modules of a page that import each other in a circle, or that a leftover imports too, run in a browser', () => {
  const scanned = scanTexts({
    files: {
      'Page.tsx': `import { load } from './load'\nexport const Page = () => <a onClick={load} />`,
      'load.ts': `import { token } from './token'\nexport const load = () => fetch('http://a', { headers: token() })`,
      'token.ts': `import { load } from './load'\nexport const token = () => ({ a: String(load) })`,
      'unused.ts': `import { load } from './load'\nexport const again = () => load()`,
    },
  })
  expect(scanned.calls).toEqual([])
})

test('a circle of modules that no page leads to, and what a handler imports too, is judged', () => {
  const scanned = scanTexts({
    files: {
      'a.ts': `import { b } from './b'\nexport const a = () => fetch(b())`,
      'b.ts': `import { a } from './a'\nexport const b = () => String(a)`,
      'Page.tsx': `import { load } from './load'\nexport const Page = () => <a onClick={load} />`,
      'load.ts': `export const load = () => fetch('http://a')`,
      'hook.ts': `import { load } from './load'\nexport const handler = () => load()`,
    },
  })
  expect(scanned.calls.map(({ spot }) => spot.source.file)).toEqual(['a.ts', 'load.ts'])
})

test('what is imported for its types alone makes no server', () => {
  const files = {
    'Page.tsx': `'use client'\nimport { load } from './load'\nimport { pay } from './pay'\nload()\npay()`,
    'load.ts': `import Stripe from 'stripe'\nimport { Pool } from 'pg'\nexport const load = (by?: Stripe, rows?: Stripe.Charge[], of?: typeof Pool) => fetch('http://a')`,
    'pay.ts': `import Stripe from 'stripe'\nexport const pay = (by: Stripe = new Stripe('k')) => fetch('http://b')`,
  }
  expect(scanTexts({ files }).calls.map(({ spot }) => spot.source.file)).toEqual(['pay.ts'])
})

test('extensions and workers of a page run in a browser', () => {
  const files = {
    'ext/background.ts': `export default defineBackground(() => { fetch('http://a') })`,
    'ext/popup.ts': `chrome.runtime.sendMessage('x'); fetch('http://a')`,
    'tracker/webworker/sender.ts': `fetch('http://a')`,
    'upload.ts': `const request = new XMLHttpRequest(); request.send(); fetch('http://a')`,
    'own.ts': `import { XMLHttpRequest } from './xhr'; new XMLHttpRequest(); fetch('http://c')`,
    'worker/send.ts': `fetch('http://a')`,
    'server.ts': `import { readFile } from 'node:fs/promises'; readFile('x'); window.fetch('http://a'); fetch('http://b')`,
  }
  expect(scanTexts({ files }).calls.map(({ spot, target }) => `${spot.source.file} ${target}`)).toEqual([
    'own.ts http://c',
    'worker/send.ts http://a',
    'server.ts http://b',
  ])
})

test('what sends cookies along runs in a browser, unless a server uses it', () => {
  const files = {
    'load.ts': `export const load = (u: string, credentials?: string) => fetch(u, { ...(credentials ? { credentials } : {}) })`,
  }
  expect(scanTexts({ files }).calls).toEqual([])
  const server = `import express from 'express'\nimport { load } from './load'\nexpress().get('/', () => load('http://a'))`
  expect(scanTexts({ files: { ...files, 'main.ts': server } }).calls).toHaveLength(1)
})

test('a script that a server hands out runs in a browser, unless something of the server uses it', () => {
  const call = `fetch('http://a')`
  const files = {
    'public/track.js': `import { send } from './send.mjs'\nsend()`,
    'public/send.mjs': `export const send = () => ${call}`,
    'web/static/js/old.js': call,
    'assets/hook.js': `exports.handler = () => ${call}`,
    'assets/read.js': `const { readFile } = require('node:fs')\n${call}`,
    'public/lib/pdf.mjs': `import http from 'http'\nhttp.get(document.baseURI)\n${call}`,
    'public/electron.js': `const { app } = require('electron')\nrequire('path')\nwindow.x()\n${call}`,
    'static/shared.js': `export const shared = () => ${call}`,
    'server.ts': `import { shared } from './static/shared.js'\nshared()`,
    'public/api.ts': call,
  }
  expect(scanTexts({ files }).calls.map(({ spot }) => spot.source.file)).toEqual([
    'assets/hook.js',
    'assets/read.js',
    'public/electron.js',
    'static/shared.js',
    'public/api.ts',
  ])
})

test('where a page stands tells a browser, a `location` of the program’s own does not', () => {
  const of = (text: string) => scanTexts({ files: { 'user.js': text } }).calls.length
  expect(of(`export const login = async () => location.assign(await fetch('http://a'))`)).toBe(0)
  expect(of(`export const login = async (location) => location.assign(await fetch('http://a'))`)).toBe(1)
})
