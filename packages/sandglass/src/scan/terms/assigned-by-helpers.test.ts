import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const said = (text: string) => callLines(scanTexts(text)).map((line) => line.replace(/^\d+ \w+ /, ''))

test('what a function assigns to the options that it is given counts, for certain or perhaps', () => {
  const load = (inside: string) => `import axios from 'axios'
export const load = async (options = {}) => { ${inside}; return axios(options) }
export const run = () => load({ url: 'http://a' })`
  expect(said(load('options.timeout = 500'))).toEqual(['bounded 500 silence'])
  expect(said(load('if (!options.timeout) options.timeout = 500'))).toEqual(['bounded 500 silence'])
  expect(said(load('if (options.isShort) { options.timeout = 500 }'))).toEqual(['unbounded'])
  expect(said(load('if (isShort()) options.timeout = 500'))).toEqual(['unknown'])
  expect(said(load('options.timeout ??= 500'))).toEqual(['unknown'])
  expect(said(load("options.method = 'GET'"))).toEqual(['unbounded'])
})

test('what helpers assign to the options that they are handed counts', () => {
  const load = (helper: string, before = '') => `import axios from 'axios'
const setUrl = (o) => { o.url = 'http://a' }
const setAll = async (o, ms) => { setUrl(o); ${helper} }
export const load = async () => { const options = {}; ${before}await setAll(options, 500); return axios(options) }`
  expect(said(load('o.timeout = 500'))).toEqual(['bounded 500 silence'])
  expect(said(load('o.timeout = ms'))).toEqual(['bounded 500 silence'])
  expect(said(load('if (ms) o.timeout = ms'))).toEqual(['unknown'])
  expect(said(load('o.timeout = 500', 'if (process.env.FAST) '))).toEqual(['unknown'])
  expect(said(load('ms = o.timeout'))).toEqual(['unbounded'])
  expect(said(load('o = { timeout: 500 }'))).toEqual(['unbounded'])
})

test('each caller decides what a helper does with what it gives', () => {
  const load = (given: string) => `const prepare = (o) => { if (o.ms) { o.signal = AbortSignal.timeout(o.ms) } }
export const load = async (options) => { prepare(options); return fetch('http://a', options) }
export const run = () => load({ ${given} })`
  expect(said(load("method: 'GET'"))).toEqual(['bounded 300000 silence'])
  expect(said(load('ms: 500'))).not.toEqual(['bounded 300000 silence'])
  expect(said(load('ms: process.env.MS'))).toEqual(['unknown'])
})

test('a dispatcher that a helper switches off is none', () => {
  const text = `import { Agent } from 'undici'
const prepare = (options) => { options.dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 }) }
export const load = async (options) => { prepare(options); return fetch('http://a', options) }
export const run = () => load({ method: 'GET' })`
  expect(said(text)).toEqual(['unbounded'])
})
