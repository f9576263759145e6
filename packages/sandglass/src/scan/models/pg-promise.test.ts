import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

describe('pg-promise', () => {
  test('its database has the limits of the pool below', () => {
    const lines = (connection: string) =>
      scanTexts(`import pgPromise from 'pg-promise'
const pgp = pgPromise({ capSQL: true })
export const db = pgp(${connection})
export const load = (id: number) => db.oneOrNone('select $1', [id])
export const move = () => db.tx(async (t) => { await t.none('update x') })`)
    const open = lines('process.env.DATABASE_URL')
    expect(callLines(open)).toEqual(['4 pg-promise unbounded', '5 pg-promise unbounded'])
    expect(findingLines(open)).toEqual(['code.ts:3 unbounded-call'])
    expect(callLines(lines('{ connectionTimeoutMillis: 500, query_timeout: 900, statement_timeout: 800 }'))).toEqual([
      '4 pg-promise bounded 900 total',
      '5 pg-promise bounded 900 total',
    ])
  })
})
