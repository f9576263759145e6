import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const told = (files: Readonly<Record<string, string>>) =>
  scanTexts({ files: { 'package.json': '{ "private": true }', ...files } }).diagnostics.map((one) => `${one.severity} ${one.message}`)
const ASKS = `const axios = require('axios')\nconst model = require('./models/order')\naxios.get('http://a').then((a) => model.save(a))`
const MODEL = `exports.save = () => {}`

test('a file that asks for one that was moved is told as one that cannot be loaded', () => {
  const [open, broken] = [
    'error axios waits without a limit for the answer',
    'info axios waits without a limit for the answer; its file cannot be loaded',
  ]
  expect(told({ 'utils/q.js': ASKS, 'models/order.js': MODEL })).toEqual([broken])
  expect(told({ 'q.js': ASKS, 'models/order.js': MODEL })).toEqual([open])
  // Nobody can tell what is made later, or is no source.
  expect(told({ 'utils/q.js': ASKS })).toEqual([open])
  expect(told({ 'utils/q.js': ASKS, 'utils/models/user.js': MODEL, 'models/order.js': MODEL })).toEqual([open])
  expect(told({ 'utils/q.js': ASKS.replace('./models/order', './order'), 'models/order.js': MODEL })).toEqual([open])
  expect(told({ 'utils/q.js': ASKS, 'other/package.json': '{}', 'other/models/order.js': MODEL })).toEqual([open])
  expect(told({ 'utils/q.js': ASKS.replace(/const model = (.*)/, 'try { var model = $1 } catch {}'), 'models/order.js': MODEL })).toEqual([
    open,
  ])
  expect(
    told({ 'utils/q.js': ASKS, 'models/order.js': MODEL, 'main.js': `require('./utils/q')\nrequire('http').createServer().listen(1)` }),
  ).toEqual([open])
})

test('a file that asks for a package which is not there, where the one is that came after it, is told as one that cannot be loaded', () => {
  const text = `const request = require('request')\nconst axios = require('axios')\naxios.get('http://a')`
  const manifest = '{ "private": true, "dependencies": { "axios": "1.7.2" } }'
  const of = (files: Readonly<Record<string, string>>, versions: Readonly<Record<string, string>> = { axios: '1.7.2' }) =>
    scanTexts({ files: { 'package.json': manifest, 'q.js': text, ...files }, versions }).diagnostics.map(({ severity }) => severity)
  expect(of({})).toEqual(['info'])
  expect(of({ 'q.js': text.replace(/^.*/, (line) => `function ask() { ${line} }`) })).toEqual(['error'])
  // It may come with another package, stand in a folder further up, or nothing tells what is installed.
  expect(of({}, { axios: '1.7.2', request: '2.88.2' })).toEqual(['error'])
  expect(of({ 'package.json': manifest.replace('"axios"', '"request": "2", "axios"') })).toEqual(['error'])
  expect(of({ 'web/package.json': '{ "dependencies": { "request": "2" } }', 'web/a.js': '' })).toEqual(['error'])
  expect(of({}, {})).toEqual(['error'])
  // A setting may let it be one of the project's own.
  expect(of({ 'request/index.js': '' })).toEqual(['error'])
  expect(of({ 'q.js': text.replace("'request'", "'lodash'") })).toEqual(['error'])
  expect(of({ 'main.js': `require('./q')\nrequire('http').createServer().listen(1)` })).toEqual(['error'])
})
