import { describe, expect, it, test } from 'vitest'
import { findingLines, projectInput, scanTexts } from '../scan.fixture.js'
import { scanSources } from '../scan-sources.js'

const LOAD = `export const load = () => fetch('http://a')`
const ROUTE = `import { load } from '@/load'\nexport async function GET() { return load() }`
const found = (files: Readonly<Record<string, string>>) => findingLines(scanTexts({ files }))

test('nothing is said of a default that is longer than the platform lets all functions run that use it', () => {
  const route = (says: string) => ({ 'load.ts': LOAD, 'app/a/route.ts': ROUTE.replace('@/', '../../') + `\n${says}` })
  expect(found(route(''))).toEqual(['load.ts:1 default-bound'])
  expect(found(route('export const maxDuration = 60'))).toEqual([])
  expect(found(route('export const maxDuration = 800'))).toEqual(['load.ts:1 default-bound'])
  expect(found(route('export const maxDuration = given()'))).toEqual(['load.ts:1 default-bound'])
  const page = { 'pages/api/a.ts': `export const config = { maxDuration: 5 }\nexport default async () => { await fetch('http://a') }` }
  expect(found(page)).toEqual([])
  const other = { 'app/b/route.ts': ROUTE.replace('@/', '../../') }
  expect(found({ ...route('export const maxDuration = 60'), ...other })).toEqual(['load.ts:1 default-bound'])
  const longer = { 'app/b/route.ts': `${ROUTE.replace('@/', '../../')}\nexport const maxDuration = 301` }
  expect(found({ ...route('export const maxDuration = 60'), ...longer })).toEqual(['load.ts:1 default-bound'])
})

test('a name of the same kind elsewhere says nothing of a platform', () => {
  expect(found({ 'load.ts': `export const maxDuration = 60\n${LOAD}` })).toEqual(['load.ts:2 default-bound'])
})

test('what the configuration of the platform has for a file counts as well', () => {
  const files = { 'load.ts': LOAD, 'mid.ts': `import { load } from './load'\nexport const mid = () => load()` }
  const api = { 'api/a.ts': `import { mid } from '../mid'\nexport default () => mid()` }
  const of = (ms: number) =>
    findingLines(
      scanSources({ ...projectInput({ files: { ...files, ...api } }), functionEndMsOf: (file) => (file === 'api/a.ts' ? ms : null) }),
    )
  expect(of(25_000)).toEqual([])
  expect(of(600_000)).toEqual(['load.ts:1 default-bound'])
})

test('a function of a file that others use too ends with what calls it, where nothing else names it', () => {
  const other = `export const other = () => Promise.resolve(1)`
  const page = { 'page.ts': `import { other } from './asking'\nother()` }
  const route = { 'app/a/route.ts': `${ROUTE.replace('@/load', '../../asking')}\nexport const maxDuration = 60` }
  const files = (text: string) => ({ 'asking.ts': `${LOAD}\n${text}`, ...page, ...route })
  expect(found(files(other))).toEqual([])
  expect(found(files(other.replace('Promise.resolve(1)', 'load()')))).toEqual(['asking.ts:1 default-bound'])
  expect(found({ ...files(other), 'page.ts': `import { other, load } from './asking'\nother(load())` })).toEqual([
    'asking.ts:1 default-bound',
  ])
  expect(found({ ...files(other), 'b.ts': `const names = ['load']\nexport const all = names` })).toEqual(['asking.ts:1 default-bound'])
  expect(found({ ...files(other), 'app/a/route.ts': ROUTE.replace('@/load', '../../asking') })).toEqual(['asking.ts:1 default-bound'])
})

describe('a call without any limit', () => {
  const told = (files: Readonly<Record<string, string>>) => scanTexts({ files }).diagnostics.map((one) => `${one.severity} ${one.message}`)
  const asks = `import axios from 'axios'\nexport const load = () => axios.get('http://a')\n`

  it('is told all the same, with what the platform does, and as less severe', () => {
    expect(told({ 'app/a/route.ts': `${asks}export const maxDuration = 60\nexport const GET = () => load()` })).toEqual([
      'warning axios waits without a limit for the answer; the platform ends the function after at most 60 s',
    ])
  })

  it('ends with a function of Netlify, later in the background', () => {
    const ended = (s: number) => [`warning axios waits without a limit for the answer; the platform ends the function after at most ${s} s`]
    expect(told({ 'netlify/functions/load.ts': asks })).toEqual(ended(60))
    expect(told({ 'site/netlify/functions/load-background/index.ts': asks })).toEqual(ended(900))
    expect(told({ 'netlify/plugins/load.ts': asks })).toEqual(['error axios waits without a limit for the answer'])
    expect(told({ 'netlify/functions/load.ts': "export default () => fetch('http://a')" })).toEqual([])
  })

  it('ends with a function of AWS, and with all that only such use', () => {
    const handler = (from: string) =>
      `import type { Handler } from '${from}'\nimport { load } from './load'\nexport const handler: Handler = () => load()\n`
    const ended = ['warning axios waits without a limit for the answer; the platform ends the function after at most 900 s']
    const open = ['error axios waits without a limit for the answer']
    expect(told({ 'load.ts': asks, 'a.ts': handler('aws-lambda') })).toEqual(ended)
    expect(told({ 'load.ts': asks, 'a.ts': handler('./types') })).toEqual(open)
    const known = { functionEndMsOf: (file: string) => (file === 'b.ts' ? 30_000 : null), longestFunctionMsOf: () => 45_000 }
    const ends = (file: string) =>
      scanSources({ ...projectInput({ files: { 'load.ts': asks, [file]: handler('aws-lambda') } }), ...known }).diagnostics[0]?.message
    expect(['a.ts', 'b.ts'].map(ends)).toEqual(
      ['45', '30'].map((s) => `axios waits without a limit for the answer; the platform ends the function after at most ${s} s`),
    )
    const server = `import { createServer } from 'node:http'\nimport { load } from './load'\ncreateServer(() => load()).listen(1)\n`
    expect(told({ 'load.ts': asks, 'a.ts': handler('aws-lambda'), 'server.ts': server })).toEqual(open)
  })

  it('ends with a function of Azure', () => {
    const most = (files: Readonly<Record<string, string>>) =>
      scanSources({ ...projectInput({ files }), azureMostMsOf: () => 600_000 }).diagnostics.map((one) => `${one.severity} ${one.message}`)
    const ended = ['warning axios waits without a limit for the answer; the platform ends the function after at most 600 s']
    const open = ['error axios waits without a limit for the answer']
    const four = (says: string) => `import { app } from '@azure/functions'\nimport { load } from './load'\n${says}\n`
    expect(most({ 'load.ts': asks, 'a.ts': four("app.timer('a', { schedule: '0 * * * * *', handler: () => load() })") })).toEqual(ended)
    expect(most({ 'load.ts': asks, 'a.ts': four('app.hook.appStart(() => load())') })).toEqual(open)
    const three = `import { type AzureFunction } from '@azure/functions'\nimport { load } from './load'\nexport const run: AzureFunction = () => load()\n`
    expect(most({ 'load.ts': asks, 'a.ts': three })).toEqual(ended)
    expect(most({ 'load.ts': asks, 'a.ts': three.replace('@azure/functions', './types') })).toEqual(open)
    const required = `const { app } = require('@azure/functions')\nconst axios = require('axios')\napp.http('a', { handler: () => axios.get('http://a') })\n`
    expect(most({ 'a.js': required })).toEqual(ended)
  })

  it('ends with a function of Firebase, as its options say', () => {
    const ended = (s: number) => [`warning axios waits without a limit for the answer; the platform ends the function after at most ${s} s`]
    const one = (says: string, from = 'firebase-functions/v2/https') =>
      `import { onCall, onRequest } from '${from}'\nimport { load } from './load'\n${says}`
    const of = (text: string, others: Readonly<Record<string, string>> = {}) => told({ 'load.ts': asks, 'a.ts': text, ...others })
    expect(of(one('export const a = onRequest(() => load())'))).toEqual(ended(60))
    expect(of(one('export const a = onRequest({ timeoutSeconds: 300 }, () => load())'))).toEqual(ended(300))
    expect(of(one('const options = { timeoutSeconds: 120 }\nexport const a = onCall(options, () => load())'))).toEqual(ended(120))
    expect(of(one('export const a = onCall(given(), () => load())'))).toEqual(ended(3600))
    expect(of(one('export const a = onRequest(() => load())', './mine'))).toEqual(['error axios waits without a limit for the answer'])
    const all = { 'index.ts': `import { setGlobalOptions } from 'firebase-functions/v2'\nsetGlobalOptions({ timeoutSeconds: 90 })` }
    expect(of(one('export const a = onRequest(() => load())'), all)).toEqual(ended(90))
    const first = (made: string) =>
      `const functions = require('firebase-functions')\nconst axios = require('axios')\nexports.a = ${made}(() => axios.get('http://a'))`
    expect(told({ 'a.js': first('functions.https.onRequest') })).toEqual(ended(60))
    expect(told({ 'a.js': first("functions.runWith({ timeoutSeconds: 540 }).region('b').pubsub.schedule('every day').onRun") })).toEqual(
      ended(540),
    )
  })

  it('is told with what the platform does as well where only its attempts together take longer', () => {
    const text = (options: string, s: number) => `import OpenAI from 'openai'\nexport const maxDuration = ${s}
const client = new OpenAI(${options})\nexport const GET = () => client.models.list()`
    const versions = { openai: '4.104.0' }
    const found = (options: string, s: number) =>
      scanTexts({ files: { 'app/a/route.ts': text(options, s) }, versions }).diagnostics.map(
        ({ message }) => / after at most .*$/.exec(message)?.[0],
      )
    expect(found('', 700)).toEqual([' after at most 700 s'])
    expect(found('{ maxRetries: given() }', 700)).toEqual([' after at most 700 s'])
    expect(found('{ maxRetries: 0 }', 700)).toEqual([undefined])
    expect(found('', 2000)).toEqual([undefined])
  })
})
