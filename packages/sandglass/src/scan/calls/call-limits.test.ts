import { describe, expect, it } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { scanTexts } from '../scan.fixture.js'

/** The fields of the only call, as `timeout 1500`, with the line each comes from. */
function limits(text: string, versions: Readonly<Record<string, string>> = {}) {
  const { calls } = scanTexts({ files: { 'code.ts': text }, versions })
  expect(calls).toHaveLength(1)
  const { fields, statementMs, remarks } = calls[0]?.limits ?? { fields: {}, remarks: [] }
  const { queue, backoff, ...plain } = fields
  const queued = { queue: queue?.totalMs, 'queue per attempt': queue?.perAttemptMs, statement: statementMs }
  const all = { ...plain, ...queued, backoff: backoff?.kind === 'list' ? backoff.largestMs : undefined }
  const lines = Object.entries(all).flatMap(([key, value]) => {
    if (!value || typeof value !== 'object' || !('origin' in value)) return []
    const { origin } = value
    const where = origin.kind === 'default' ? `default of ${origin.product}` : `line ${placeOf(origin.spot).line}`
    const shown = typeof value.value === 'string' ? value.value : JSON.stringify(value.value).replace(/[[\]]/g, '')
    return [`${key.replace(/Ms$/, '')} ${shown} (${where})`]
  })
  return [...lines, ...remarks]
}

describe('the limits of a call as a chain file has them', () => {
  it('a signal over all of it is a total', () => {
    expect(limits("fetch('http://x', { signal: AbortSignal.timeout(1500) })")).toEqual(['timeout 1500 (line 1)'])
  })

  it('phases are phases, with the product whose defaults they are', () => {
    expect(limits("fetch('http://x')", { node: '22.1.0' })).toEqual([
      'connect 10000 (default of node fetch)',
      'silence 300000 (default of node fetch)',
    ])
  })

  it('a pool whose wait has no limit is no call that ends', () => {
    const pool = "import { Pool } from 'pg'\nconst pool = new Pool({ query_timeout: 900, statement_timeout: 800 })\npool.query('select 1')"
    expect(limits(pool)).toEqual(['attempt 900 (line 2)', 'queue none (line 2)'])
  })

  it('a limit of all that is waited for is a total, also where a loop around it makes it one of each attempt', () => {
    const client = "import { Client } from 'pg'\nconst c = new Client({ query_timeout: 900 })\n"
    expect(limits(`${client}c.query('select 1')`)).toEqual(['timeout 900 (line 2)'])
    expect(limits(`${client}import pRetry from 'p-retry'\npRetry(() => c.query(''), { retries: 1, minTimeout: 0 })`)).toEqual([
      'attempt 900 (line 2)',
      'attempts 2 (line 4)',
    ])
  })

  it('what is switched off is none, what is not written is nothing', () => {
    const off = "import axios from 'axios'\naxios.get('http://x',\n  { timeout: 0 })"
    expect(limits(off, { axios: '1.7.2' })).toEqual(['timeout none (line 3)', 'nothing limits the answer'])
    expect(limits("import axios from 'axios'\naxios.get('http://x')", { axios: '1.7.2' })).toEqual(['nothing limits the answer'])
  })

  it('a statement that only the server ends says so', () => {
    const client = "import { Pool } from 'pg'\nnew Pool({ connectionTimeoutMillis: 500, statement_timeout: 800 })\n  .query('select 1')"
    expect(limits(client)).toEqual([
      'attempt 800 (line 2)',
      'queue 500 (line 2)',
      'statement 800 (line 2)',
      'only the server ends the statement: one that hangs ends nothing',
    ])
  })

  it('a loop around a call makes its total one attempt, with the waits between', () => {
    const loop = `import pRetry from 'p-retry'
pRetry(() => fetch('http://x', { signal: AbortSignal.timeout(700) }), { retries: 2, minTimeout: 100, factor: 1, randomize: false })`
    expect(limits(loop)).toEqual(['attempt 700 (line 2)', 'attempts 3 (line 2)', 'backoff 100,100 (line 2)'])
  })

  it('a race around a call without a limit is its total, and nothing is said to be without limit any more', () => {
    const race = `import axios from 'axios'
import pTimeout from 'p-timeout'
pTimeout(axios.get('http://x'), { milliseconds: 400 })`
    expect(limits(race, { axios: '1.7.2' })).toEqual(['timeout 400 (line 3)'])
  })

  it('what is only known at run time is unknown', () => {
    expect(limits("import axios from 'axios'\naxios.get('http://x', { timeout: load() })")).toEqual(['timeout unknown (line 2)'])
  })
})
