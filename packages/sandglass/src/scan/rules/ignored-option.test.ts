import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts, type TestProject } from '../scan.fixture.js'

const found = (project: TestProject | string) => scanTexts(project).diagnostics.filter(({ rule }) => rule === 'ignored-option')

describe('ignored-option', () => {
  test('no time at all is no limit that is missed', () => {
    const scanned = scanTexts('export const load = (u: string) => fetch(u, { timeout: 0 })')
    expect(findingLines(scanned)).toEqual(['code.ts:1 default-bound'])
  })

  test('no fetch knows a timeout: one finding, with what is left', () => {
    const scanned = scanTexts('export const load = (u: string) => fetch(u, { timeout: 500 })')
    expect(findingLines(scanned)).toEqual(['code.ts:1 ignored-option'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'timeout 500 is no option of fetch and has no effect; only its default of 300 s ends the call',
    )
    expect(scanned.diagnostics[0]?.suggestion?.text).toBe('write signal: AbortSignal.timeout(500)')
  })

  test('node-fetch took a timeout before version 3', () => {
    const files = { 'code.ts': "import fetch from 'node-fetch'\nexport const load = (u: string) => fetch(u, { timeout: 500 })" }
    expect(found({ files, versions: { 'node-fetch': '3.3.2' } })).toHaveLength(1)
    expect(found({ files, versions: { 'node-fetch': '2.7.0' } })).toEqual([])
    expect(found({ files })).toEqual([])
  })

  test.each([
    [
      'axios: the config where the body is',
      "import axios from 'axios'\nexport const f = (u) => axios.post(u, { timeout: 500, headers: {} })",
      'timeout 500 is sent as the body: the config is the third argument; nothing ends the call',
    ],
    [
      'axios: another word',
      "import axios from 'axios'\nconst api = axios.create({ timeOut: 500 })\nexport const f = (u) => api.get(u)",
      'timeOut 500 is no option of axios and has no effect',
    ],
    [
      'undici: timeout',
      "import { request } from 'undici'\nexport const f = (u) => request(u, { timeout: 500 })",
      'timeout 500 is no option of undici and has no effect; only its default of 300 s ends the call',
    ],
    [
      'pg: words of other drivers',
      "import { Pool } from 'pg'\nconst pool = new Pool({ acquireTimeoutMillis: 500, query_timeout: 900, statement_timeout: 800 })\nexport const f = () => pool.query('select 1')",
      'acquireTimeoutMillis 500 is no option of pg and has no effect',
    ],
    [
      'ioredis: timeout',
      "import Redis from 'ioredis'\nconst redis = new Redis({ timeout: 500 })\nexport const f = () => redis.get('k')",
      'timeout 500 is no option of ioredis and has no effect',
    ],
    [
      'AWS: options of version 2',
      "import { S3Client } from '@aws-sdk/client-s3'\nconst s3 = new S3Client({ httpOptions: { timeout: 500 } })\nexport const f = (c) => s3.send(c)",
      'httpOptions.timeout 500 is no option of @aws-sdk/client-s3 and has no effect',
    ],
    [
      'typeorm: what only logs',
      "import { DataSource } from 'typeorm'\nexport const db = new DataSource({ type: 'postgres', maxQueryExecutionTime: 500 })",
      'maxQueryExecutionTime 500 only logs slow queries, when they are over',
    ],
    [
      'a server: timeout',
      "import { createServer } from 'node:http'\nexport const server = createServer({ timeout: 500 }, () => {})",
      'timeout 500 is no option of http and has no effect',
    ],
  ])('%s', (_, text, message) => {
    expect(found(text).map((each) => each.message)).toEqual([message])
  })

  test.each([
    [
      'a body that has a timeout of its own',
      "import axios from 'axios'\nexport const f = (u) => axios.post(u, { timeout: 500, name: 'x' }, { timeout: 900 })",
    ],
    ['a body with nothing but seconds', "import axios from 'axios'\nexport const f = (u) => axios.post(u, { timeout: 30 })"],
    ['the config in its place', "import axios from 'axios'\nexport const f = (u) => axios.post(u, {}, { timeout: 500 })"],
    ['an own function called fetch', 'const fetch = (u, o) => o\nexport const f = (u) => fetch(u, { timeout: 500 })'],
    ['a value that is no number here', 'export const f = (u, timeout) => fetch(u, { timeout, signal: AbortSignal.timeout(500) })'],
  ])('%s is not reported', (_, text) => {
    expect(found(text)).toEqual([])
  })
})
