import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

describe('mysql2', () => {
  test('a pool without limits is one finding, whatever form its queries have; those with a timeout are bounded', () => {
    const scanned = scanTexts(`import mysql from 'mysql2/promise'
const pool = mysql.createPool({ host: 'db', connectionLimit: 10 })
export async function load(id) {
  await pool.query('select 1')
  await pool.execute('select ?', [id])
  await pool.query({ sql: 'select 1', timeout: 500 })
  const connection = await pool.getConnection()
  await connection.query('select 2')
}`)
    expect(callLines(scanned)).toEqual(['4 mysql2 unbounded', '5 mysql2 unbounded', '6 mysql2 bounded 500 total', '8 mysql2 unbounded'])
    expect(scanned.calls[2]?.worstMs).toBe(10_500)
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'mysql2 waits without a limit for a free connection and the answer of a query; at least 3 calls use it',
    )
  })

  test('a pool whose queries all bring their limit is clean, one that goes elsewhere is not', () => {
    const scanned = scanTexts(`import { createPool } from 'mysql2'
const a = createPool({}).promise(); a.query({ sql: 'select 1', timeout: 300 })
const b = createPool({}); export const db = drizzle(b)`)
    expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call'])
  })

  test('options of the other driver have no effect', () => {
    const scanned = scanTexts({
      files: {
        'code.js': `const mysql = require('mysql2')\nconst pool = mysql.createPool({ acquireTimeout: 5000, waitForConnections: false })\npool.query('select 1', cb)`,
      },
      versions: { mysql2: '3.24.6' },
    })
    expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
      'mysql2 3.24.6 waits without a limit for the answer of a query',
      'mysql2 3.24.6 ignores acquireTimeout where a pool is made: 5000 has no effect',
    ])
  })

  test('a connection that a callback gets belongs to its pool', () => {
    const scanned = scanTexts(`const mysql = require('mysql')
const pool = mysql.createPool({ acquireTimeout: 5000 })
pool.getConnection(function (err, connection) { connection.query({ sql: 'select 1', timeout: 800 }, done) })`)
    expect(callLines(scanned)).toEqual(['3 mysql bounded 800 silence'])
    expect(scanned.diagnostics).toEqual([])
  })
})
