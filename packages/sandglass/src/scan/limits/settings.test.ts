import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a spread with a condition that may switch a limit off leaves it unknown, one that may raise it raises it', () => {
  const scanned = scanTexts(`import axios from 'axios'
axios.get('a', { timeout: 1040, ...(process.env.X ? { timeout: 0 } : {}) })
axios.get('b', { ...{ timeout: 1040 }, ...(process.env.X ? { timeout: 0 } : {}) })
axios.get('c', { timeout: 1040, ...(process.env.X ? { timeout: 2040 } : {}) })
axios.get('d', { timeout: 1040, ...(process.env.X && { timeout: 0 }) })
axios.get('e', { timeout: 1040, ...(process.env.X ? { headers: {} } : {}) })
axios.get('f', { ...(process.env.X ? { timeout: 0 } : {}), timeout: 1040 })`)
  expect(callLines(scanned)).toEqual([
    '2 axios unknown',
    '3 axios unknown',
    '4 axios bounded 2040 silence',
    '5 axios unknown',
    '6 axios bounded 1040 silence',
    '7 axios bounded 1040 silence',
  ])
})

test.each([
  ["Number((process.env.T || '').toString().trim()) || 500", 500],
  ['Math.min(300, Number(process.env.T) || 500)', 300],
  ['Math.max(Number(process.env.T ?? 500), 700)', 700],
  ['Math.min(300, Number(process.env.T?.trim()) || 200)', 200],
])('the default of a look-up holds, whatever is done to its text: %s', (written, ms) => {
  const scanned = scanTexts(`import axios from 'axios'\naxios.get('a', { timeout: ${written} })`)
  expect(callLines(scanned)).toEqual([`2 axios bounded ${ms} silence`])
})

test('a number that is worked out of something else than the surroundings stays unknown', () => {
  const scanned = scanTexts(`import axios from 'axios'
axios.get('a', { timeout: Math.min(asked(), 500) || 500 })
axios.get('b', { timeout: Number(asked().trim()) || 500 })`)
  expect(callLines(scanned)).toEqual(['2 axios unknown', '3 axios unknown'])
})

test('a setting further in is found among objects that a condition brings, one after the other', () => {
  const lines = (assigned: string) =>
    callLines(
      scanTexts({
        files: {
          'code.ts': `import { createClient } from 'redis'
const options = { url: 'redis://a' }
if (isSafe()) { ${assigned} }
export const read = () => createClient(options).get('a')`,
        },
        versions: { redis: '6.2.1' },
      }),
    )
  expect(lines('options.socket = { tls: true }')).toEqual(['4 redis unbounded'])
  expect(lines("options['socket'] = { tls: true }")).toEqual(['4 redis unbounded'])
  expect(lines('options.socket = given()')).toEqual(['4 redis unknown'])
  expect(lines('options.socket = { tls: true, ...given() }')).toEqual(['4 redis unknown'])
})

test('what packages give to be spread and that has no limit brings none', () => {
  const lines = (library: string, code: string) =>
    callLines(scanTexts({ files: { 'code.ts': `import client from '${library}'\n${code}` }, versions: { pg: '8.11.0' } }))
  const axios = (more: string) => lines('axios', `export const load = () => client.create({ ...client.defaults${more} }).get('http://a')`)
  expect(axios('')).toEqual(['2 axios unbounded'])
  expect(axios(', timeout: 700')).toEqual(['2 axios bounded 700 silence'])
  expect(axios(', ...given()')).toEqual(['2 axios unknown'])
  const knex = `import { knexSnakeCaseMappers } from 'objection'
const options = { client: 'pg', connection: { host: 'a' }, ...(isTest() ? knexSnakeCaseMappers() : {}) }
export const load = () => client(options).raw('SELECT 1')`
  expect(lines('knex', knex)).toEqual(lines('knex', knex.replace(/, \.\.\.\(.*\) \}/, ' }')))
  expect(lines('knex', knex)[0]).toContain('unbounded')
})
