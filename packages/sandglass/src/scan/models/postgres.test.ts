import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (code: string) => scanTexts(`import postgres from 'postgres'\n${code}`)
const lines = (code: string) => callLines(scan(code))

describe('postgres', () => {
  test('a query ends only by a statement_timeout that the server is given', () => {
    const use = 'await sql`select 1`'
    expect(lines(`const sql = postgres(process.env.DATABASE_URL)\n${use}`)).toEqual(['3 postgres unbounded'])
    expect(lines(`const sql = postgres(url, { connection: { statement_timeout: 800 } })\n${use}`)).toEqual([
      '3 postgres bounded 800 statement',
    ])
    expect(lines(`const sql = postgres({ host: 'db', connection: { statement_timeout: '2s' } })\n${use}`)).toEqual([
      '3 postgres bounded 2000 statement',
    ])
    expect(lines(`const sql = postgres('postgres://db/x?statement_timeout=700', { max: 3 })\n${use}`)).toEqual([
      '3 postgres bounded 700 statement',
    ])
    expect(lines(`const sql = postgres(url, options)\n${use}`)).toEqual(['3 postgres unknown'])
  })

  test('the connection has 30 s by default, written in seconds', () => {
    const worst = (options: string) =>
      scan(`const sql = postgres(url, { ${options} connection: { statement_timeout: 800 } })\nsql\`select 1\``).calls[0]?.worstMs
    expect(worst('')).toBe(30_800)
    expect(worst('connect_timeout: 2,')).toBe(2800)
  })

  test('parts of a query and helpers are no queries; one client is one finding', () => {
    const scanned = scan(`export const sql = postgres(process.env.DATABASE_URL!)
const users = (name?: string) => sql\`select * from \${sql('users')} where \${name ? sql\`name = \${name}\` : sql\`true\`}\`
await sql.unsafe('select 1')
await sql.begin(async (tx) => { await tx\`insert into a \${tx({ x: 1 })}\` })`)
    expect(callLines(scanned)).toEqual(['3 postgres unbounded', '4 postgres unbounded', '5 postgres unbounded'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe('postgres waits without a limit for the answer of a query; at least 3 calls use it')
  })
})
