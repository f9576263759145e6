import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (options: string, imported = "import _ from 'lodash'") =>
  callLines(
    scanTexts({
      files: {
        'code.ts': `${imported}
import { createClient } from 'redis'
const client = createClient(${options})
await client.get('a')`,
      },
      versions: { redis: '5.12.1' },
    }),
  )

test('objects that are merged at every depth keep what only one of them has', () => {
  const [first, second] = ["{ socket: { host: 'a', socketTimeout: 500 } }", '{ socket: { tls: true } }']
  expect(lines(`_.merge({}, ${first}, ${second})`)).toEqual(['4 redis bounded 500 silence'])
  expect(lines(`deepmerge(${first}, ${second})`, "import deepmerge from 'deepmerge'")).toEqual(['4 redis bounded 500 silence'])
  expect(lines(`_.merge({ socket: { socketTimeout: 900 } }, ${first})`)).toEqual(['4 redis bounded 500 silence'])
  expect(lines(`_.merge({ ...${second} }, { url: 'redis://a' })`)).toEqual(['4 redis unbounded'])
  expect(lines(`_.merge(${first}, given())`)).toEqual(['4 redis unknown'])
  expect(lines(`_.merge({ socket: given() }, ${second})`)).toEqual(['4 redis unbounded'])
})
