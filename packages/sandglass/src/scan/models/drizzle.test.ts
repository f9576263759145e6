import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const use = `export const load = (id) => db.select().from(users).where(eq(users.id, id))
export const all = () => db.query.users.findMany({ limit: 5 })
export const move = () => db.transaction(async (tx) => { await tx.insert(users).values({}) })
const sub = db.select().from(users).as('sub')
export const some = () => db.select().from(users).where(inArray(users.id, db.select().from(ids)))`

describe('drizzle', () => {
  test('a query has the limits of the pool it is given, and what that lacks is one finding there', () => {
    const scanned = (options: string) =>
      scanTexts(`import { drizzle } from 'drizzle-orm/node-postgres'; import { Pool } from 'pg'
const pool = new Pool({ ${options} })
export const db = drizzle(pool, { schema })
${use}`)
    const open = scanned('connectionString: process.env.DATABASE_URL')
    expect(callLines(open)).toEqual(['4 drizzle unbounded', '5 drizzle unbounded', '6 drizzle unbounded', '8 drizzle unbounded'])
    expect(findingLines(open)).toEqual(['code.ts:2 unbounded-call'])
    const limited = scanned('connectionTimeoutMillis: 500, query_timeout: 900, statement_timeout: 800')
    expect(callLines(limited)[0]).toBe('4 drizzle bounded 900 total')
    expect(limited.diagnostics).toEqual([])
  })

  test('an address makes its own pool; the other drivers are those of their own models', () => {
    const lines = (driver: string, made: string) =>
      scanTexts(
        `import { drizzle } from 'drizzle-orm/${driver}'; import postgres from 'postgres'\nexport const db = ${made}\nawait db.select().from(users)`,
      )
    expect(findingLines(lines('node-postgres', 'drizzle(process.env.DATABASE_URL!)'))).toEqual(['code.ts:2 unbounded-call'])
    expect(callLines(lines('postgres-js', 'drizzle({ client: postgres(url, { connection: { statement_timeout: 300 } }) })'))).toEqual([
      '3 drizzle bounded 300 statement',
    ])
    expect(callLines(lines('mysql2', 'drizzle({ connection: { uri: process.env.DATABASE_URL } })'))).toEqual(['3 drizzle unbounded'])
    expect(callLines(lines('mysql2', 'drizzle(connection)'))).toEqual(['3 drizzle unknown'])
  })
})
