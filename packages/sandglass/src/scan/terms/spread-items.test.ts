import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('arguments that are spread are those of a written list, or made of it', () => {
  const lines = (merged: string) =>
    callLines(
      scanTexts(`import _ from 'lodash'
import knex from 'knex'
const files = ${merged}
const db = knex(files[process.env.NODE_ENV || 'development'] || {})
await db('a').select()`),
    )
  const made = (limit: string) =>
    `_.merge({}, ...['development', 'production'].map((name) => ({ [name]: { client: 'mysql2', connection: 'mysql://a'${limit} } })))`
  expect(lines(made(''))).toEqual(['5 knex unbounded'])
  expect(lines('_.merge({}, ...given.map((name) => ({ [name]: { client: "mysql2" } })))')).toEqual(['5 knex unknown'])
})

test('a list that more is put into is not known', () => {
  const lines = (later: string) =>
    callLines(
      scanTexts(`const list = ['http://a', { signal: AbortSignal.timeout(500) }]
${later}
await fetch(...list)`),
    )
  expect(lines('')).toEqual(['3 fetch bounded 500 total'])
  expect(lines('list.push(1)')).toEqual(['3 fetch unknown'])
})
