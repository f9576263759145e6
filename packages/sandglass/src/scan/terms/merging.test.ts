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
