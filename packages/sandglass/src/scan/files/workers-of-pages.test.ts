import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const WORKER = `export const draw = (u: string) => fetch(u)\nawait fetch('http://a')`

test.each([
  ['a page', `new Worker(new URL('./draw.ts', import.meta.url))`, []],
  ['a bundler', `import Draw from './draw?worker'\nnew Draw()`, []],
  ['Node', `import { Worker } from 'node:worker_threads'\nnew Worker(new URL('./draw.ts', import.meta.url))`, [1, 1]],
  ['nobody', `new Worker('./draw.ts')`, [1, 1]],
])('what %s starts as a worker', (_, main, calls) => {
  expect(scanTexts({ files: { 'main.ts': main, 'draw.ts': WORKER } }).calls.map(() => 1)).toEqual(calls)
})

test.each([
  ['self.onmessage', `self.onmessage = (e) => fetch(e.data)`, 0],
  ['importScripts', `importScripts('a.js')\nfetch('http://a')`, 0],
  ['a self under another name', `const here = self as any\nhere.onconnect = (e) => fetch(e.data)`, 0],
  ['a self of a kind', `declare const self: SharedWorkerGlobalScope\nself.onconnect = (e) => fetch(e.data)`, 0],
  ['a self of its own', `const self = {}\nself.onmessage = () => fetch('http://a')`, 1],
  ['a page of an editor', `const api = acquireVsCodeApi()\nfetch('http://a')`, 0],
  ['a page of Electron', `import { ipcRenderer } from 'electron'\nfetch('http://a')`, 0],
])('%s tells where a module runs', (_, text, calls) => {
  expect(scanTexts(text).calls).toHaveLength(calls)
})
