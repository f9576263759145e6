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
