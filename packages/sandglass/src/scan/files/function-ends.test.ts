import { expect, test } from 'vitest'
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

test('a call without any limit is told all the same', () => {
  const files = {
    'app/a/route.ts': `import axios from 'axios'\nexport const maxDuration = 60\nexport const GET = () => axios.get('http://a')`,
  }
  expect(found(files)).toEqual(['app/a/route.ts:3 unbounded-call'])
})
