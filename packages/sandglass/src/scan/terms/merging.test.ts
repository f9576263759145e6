import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test.each([
  ["import { defaults } from 'lodash'", 'defaults(own, { timeout: 700 })', '500'],
  ["import { assign } from 'lodash-es'", 'assign({}, own, { timeout: 700 })', '700'],
  ["import defaults from 'lodash.defaults'", 'defaults({}, { baseURL: "http://a" }, { timeout: 700 })', '700'],
  ["import { defaults } from 'es-toolkit/compat'", 'defaults({ timeout: undefined }, own)', '500'],
])('%s merges as %s', (imported, options, ms) => {
  const scanned = scanTexts(`${imported}
import axios from 'axios'
const own = { timeout: 500 }
await axios.create(${options}).get('/a')`)
  expect(callLines(scanned)).toEqual([`4 axios bounded ${ms} silence`])
})

test.each([
  ["import { cloneDeep } from 'lodash'", 'cloneDeep(shared)'],
  ["import cloneDeep from 'lodash.clonedeep'", 'cloneDeep(shared)'],
  ["import _ from 'lodash'", '_.clone(shared)'],
  ["import clone from 'clone'", 'clone(shared)'],
  ['', 'structuredClone(shared)'],
  ['', 'JSON.parse(JSON.stringify(shared))'],
])('%s copies as %s, and what is put on the copy is there', (imported, copy) => {
  const scan = (shared: string, later: string) =>
    scanTexts(`${imported}
import Docker from 'dockerode'
const shared = ${shared}
const options = ${copy}
${later}
await new Docker(options).version()`)
  expect(callLines(scan("flag ? { socketPath: '/a' } : { host: 'b' }", "options.version = 'v1'"))).toEqual(['6 dockerode unbounded'])
  expect(callLines(scan("flag ? { socketPath: '/a' } : { host: 'b' }", 'options.timeout = 700'))).toEqual([
    '6 dockerode bounded 700 headers',
  ])
  expect(callLines(scan('{ timeout: 500 }', ''))).toEqual(['6 dockerode bounded 500 headers'])
  expect(callLines(scan('given()', ''))).toEqual(['6 dockerode unknown'])
})

test('a text that is parsed is not known', () => {
  const scanned = scanTexts(`import Docker from 'dockerode'
await new Docker(JSON.parse(text)).version()
await new Docker(JSON.parse(pack({}))).version()`)
  expect(callLines(scanned)).toEqual(['2 dockerode unknown', '3 dockerode unknown'])
})
