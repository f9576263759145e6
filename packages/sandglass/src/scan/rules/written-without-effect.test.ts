import { expect, test } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { scanTexts } from '../scan.fixture.js'

const said = (text: string, versions: Record<string, string> = {}) =>
  scanTexts({ files: { 'code.ts': text }, versions }).diagnostics.map(
    ({ spot, label, suggestion }) => `${placeOf(spot).line} ${label}: ${suggestion?.text}`,
  )

test('a number that ends nothing is what the label is about', () => {
  const http = "signal: AbortSignal.timeout(…), or timeout: … (ms) with request.on('timeout', () => request.destroy())"
  expect(
    said(`import https from 'node:https'
https.request({
  host: 'a',
  timeout: 3000,
})
https.request({ host: 'b' })
const req = https.request({ host: 'c' })
req.setTimeout(2000)`),
  ).toEqual([
    `4 timeout only emits an event; nothing ends the request: set a limit: ${http}`,
    `6 no limit is set: set a limit: ${http}`,
    `8 timeout only emits an event; nothing ends the request: set a limit: ${http}`,
  ])
  const [aws] = said(
    `import { SQSClient } from '@aws-sdk/client-sqs'
const sqs = new SQSClient({
  requestHandler: { requestTimeout: 1000 } })
await sqs.send({})`,
    { '@aws-sdk/client-sqs': '3.1175.0' },
  )
  expect(aws).toMatch(/^3 requestTimeout only warns; nothing ends the request: /)
})

test('the fix of a pool of Postgres names what is not there yet', () => {
  expect(
    said(`import { Pool } from 'pg'
const a = new Pool({ statement_timeout: 3000 })
const b = new Pool({ connectionTimeoutMillis: 100 })
const c = new Pool({})`).map((line) => line.replace('no limit is set: set a limit: ', '')),
  ).toEqual([
    '2 connectionTimeoutMillis: … (ms)',
    '3 query_timeout: …, and statement_timeout: … below that (ms)',
    '4 connectionTimeoutMillis: …, query_timeout: …, and statement_timeout: … below that (ms)',
  ])
})

test('where several written limits are more than the budget together, they are what to lower', () => {
  const text = `import { Pool } from 'pg'
const pool = new Pool({ connectionTimeoutMillis: 2000, statement_timeout: 3000 })
await pool.query('select 1')`
  const { diagnostics } = scanTexts(text, { budgetMs: 1000 })
  expect(diagnostics.map(({ suggestion }) => suggestion?.text)).toEqual([
    'at most 1 s together: connectionTimeoutMillis and statement_timeout',
  ])
})
