import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf } from '../model/sourced.js'
import { imported } from './import-run.fixture.js'

const conf = (text: string, more: Readonly<Record<string, string>> = {}) => imported({ 'db/postgresql.conf': text, ...more })
const limitsOf = (text: string) => conf(text).operation('postgres.query')?.limits

describe('postgresql', () => {
  it('reads a bare number in the unit of its parameter, and units with and without a space', () => {
    expect(limitsOf('statement_timeout = 5000\nlock_timeout = 2s\n')).toMatchObject({
      statementMs: { value: 5000 },
      lockMs: { value: 2000 },
    })
    expect(limitsOf("statement_timeout = '30 s'\nidle_session_timeout 10min\n")).toMatchObject({
      statementMs: { value: 30_000 },
      idleMs: { value: 600_000 },
    })
    expect(limitsOf('STATEMENT_TIMEOUT=1min # a minute\n')?.statementMs?.value).toBe(60_000)
  })

  it('takes 0 for no limit, and the last of several lines', () => {
    expect(limitsOf('statement_timeout = 5s\nstatement_timeout = 0\n')?.statementMs?.value).toBe('none')
  })

  it('gives applications what is left of max_connections, and says how', () => {
    const declared = conf('max_connections = 200\n').service('postgres')?.concurrency
    expect(declared).toMatchObject({
      value: 197,
      origin: { kind: 'declared' },
      worked: 'max_connections 200 - superuser_reserved_connections 3',
    })
    const more = conf('max_connections = 50\nsuperuser_reserved_connections = 5\nreserved_connections = 10\n').service(
      'postgres',
    )?.concurrency
    expect(more?.value).toBe(35)
    expect(conf('work_mem = 4MB\n').service('postgres')?.concurrency).toMatchObject({
      value: 97,
      origin: { kind: 'default', product: 'postgresql' },
    })
  })

  it('points into the value, quoted or not', () => {
    const { operation } = conf("# head\nstatement_timeout = '30s'\n")
    const spot = operation('postgres.query')?.limits?.statementMs?.origin.spot
    expect(spot && [spot.source.text.slice(spot.start, spot.end), placeOf(spot).line]).toEqual(['30s', 2])
  })

  it('refuses a unit that PostgreSQL has not, and keeps what holds then', () => {
    const { dead, operation } = conf('statement_timeout = 5sec\nmax_connections = 100\n')
    expect(dead).toEqual([{ setting: 'statement_timeout', written: '5sec', effective: 'no limit, the default of postgresql', line: 1 }])
    expect(operation('postgres.query')?.limits).toBeUndefined()
  })

  it('refuses a fraction with a unit unless it is quoted, as the server does', () => {
    expect(limitsOf("statement_timeout = '1.5s'\n")?.statementMs?.value).toBe(1500)
    const { dead, operation } = conf('statement_timeout = 1.5s\nwork_mem = 4MB\n')
    expect(dead).toEqual([{ setting: 'statement_timeout', written: '1.5s', effective: 'the default', line: 1 }])
    expect(operation('postgres.query')?.limits).toBeUndefined()
  })

  it('follows include and include_dir where they stand, and names what is missing', () => {
    const { operation, notes } = conf("statement_timeout = 1s\ninclude_dir 'conf.d'\nlock_timeout = 7s\ninclude 'gone.conf'\n", {
      'db/conf.d/10-a.conf': 'statement_timeout = 2s\nlock_timeout = 3s\n',
      'db/conf.d/20-b.conf': 'statement_timeout = 4s\n',
    })
    expect(operation('postgres.query')?.limits).toMatchObject({ statementMs: { value: 4000 }, lockMs: { value: 7000 } })
    expect(notes).toContain('unknown: include gone.conf: no such file among those that are read; what it sets is unknown')
  })

  it('lets postgresql.auto.conf and ALTER SYSTEM hold over the file', () => {
    expect(
      conf('statement_timeout = 1s\n', { 'db/postgresql.auto.conf': "statement_timeout = '9s'\n" }).operation('postgres.query')?.limits
        ?.statementMs?.value,
    ).toBe(9000)
    expect(
      conf('statement_timeout = 1s\n', { 'db/init.sql': "ALTER SYSTEM SET statement_timeout = '8s';\n" }).operation('postgres.query')
        ?.limits?.statementMs?.value,
    ).toBe(8000)
  })

  it('takes nothing from comments, from the head of a dump, or from timers of other things', () => {
    const dump =
      '--\n-- PostgreSQL database dump\n--\nSET statement_timeout = 0;\nSET lock_timeout = 0;\nSET idle_in_transaction_session_timeout = 0;\n-- ALTER ROLE app SET statement_timeout = 1;\n'
    const { operation, notes, formats } = conf(
      '#statement_timeout = 1s\nmax_connections = 100\ncheckpoint_timeout = 5min\nwal_sender_timeout = 60s\nlog_rotation_age = 1d\n',
      { 'db/dump.sql': dump },
    )
    expect(operation('postgres.query')?.limits).toBeUndefined()
    expect(notes).toEqual([])
    expect(formats['db/dump.sql']).toBeUndefined()
  })

  it('says of timers near a limit that they are none', () => {
    expect(conf('deadlock_timeout = 1s\nidle_in_transaction_session_timeout = 60s\n').notes).toEqual([
      'ignored: deadlock_timeout says when a deadlock is looked for, not how long a lock is waited for',
      'ignored: idle_in_transaction_session_timeout ends a session that does nothing inside a transaction, no statement',
    ])
  })

  it('gives roles and databases their own limits, to callers that name them', () => {
    const sql =
      "ALTER ROLE app SET statement_timeout = '5s';\nALTER DATABASE shop SET lock_timeout TO '2s';\nalter role report in database shop set statement_timeout = 600000;\nALTER ROLE app RESET lock_timeout;\n"
    const compose = `services:
  db: { image: "postgres:16", volumes: ["./init.sql:/docker-entrypoint-initdb.d/init.sql"] }
  web: { image: web, environment: { DATABASE_URL: "postgres://app:secret@db/shop" } }
  job: { image: job, environment: { DATABASE_URL: "postgres://report@db:5432/shop" } }
  ops: { image: ops, environment: { DATABASE_URL: "postgres://ops@db:5432/other" } }
  old: { image: old, environment: { DATABASE_URL: "postgres://report@db:5432/other" } }
`
    const { edges, operation } = imported({ 'compose.yaml': compose, 'init.sql': sql })
    expect(edges).toEqual([
      'web.request -> db.query-shop-as-app',
      'job.request -> db.query-shop-as-report',
      'ops.request -> db.query',
      'old.request -> db.query',
    ])
    expect(operation('db.query-shop-as-app')?.limits).toMatchObject({ statementMs: { value: 5000 }, lockMs: { value: 2000 } })
    expect(operation('db.query-shop-as-report')?.limits).toMatchObject({ statementMs: { value: 600_000 }, lockMs: { value: 2000 } })
    expect(operation('db.query')?.limits).toBeUndefined()
  })

  it('knows transaction_timeout from version 17 on', () => {
    const at = (image: string) =>
      imported({
        'compose.yaml': `services:\n  db: { image: "${image}", volumes: ["./pg.conf:/etc/pg.conf"] }\n`,
        'pg.conf': 'statement_timeout = 9s\ntransaction_timeout = 4s\n',
      })
    expect(at('postgres:17').operation('db.query')?.limits?.statementMs?.value).toBe(4000)
    expect(at('postgres:16').operation('db.query')?.limits?.statementMs?.value).toBe(9000)
    expect(at('postgres:16').dead).toMatchObject([{ setting: 'transaction_timeout', effective: 'no limit' }])
  })

  it('ends statements of sessions whose address asks for it', () => {
    const web = (url: string) =>
      imported({
        'compose.yaml': `services:\n  db:\n    image: postgres:16\n  web:\n    image: web\n    environment:\n      DATABASE_URL: ${url}\n`,
      }).call('web.request -> db.query')?.attemptMs?.value
    expect(web('postgres://a@db/x?options=-c%20statement_timeout%3D5s')).toBe(5000)
    expect(web('postgresql://a@db/x?sslmode=require&options=-c+lock_timeout%3D1s+-c+statement_timeout%3D2500')).toBe(2500)
    expect(web('postgres://a@db/x?application_name=statement_timeout')).toBeUndefined()
    const shop = imported({
      'application.yml':
        'spring:\n  application.name: shop\n  datasource.url: "jdbc:postgresql://db/x?options=-c%20statement_timeout=3000"\n',
    })
    expect(shop.call('shop.request -> db.query')?.attemptMs?.value).toBe(3000)
  })

  it('is the server behind a port of which no file says where it runs', () => {
    const { edges } = conf('max_connections = 100\n', {
      'app/application.yml': 'spring:\n  application.name: shop\n  datasource.url: jdbc:postgresql://db.internal:5432/shop\n',
    })
    expect(edges).toEqual(['shop.request -> postgres.query'])
  })

  it('reads any text without an error', () => {
    const words = [
      "'",
      "''",
      '=',
      ' ',
      '\n',
      '#',
      'statement_timeout',
      'include',
      'include_dir',
      '5s',
      '\\',
      '--',
      '/*',
      'ALTER ROLE a',
      ' SET ',
      'x',
      ';',
      '"',
    ]
    fc.assert(
      fc.property(fc.constantFrom('postgresql.conf', 'init.sql'), fc.array(fc.constantFrom(...words), { maxLength: 40 }), (file, parts) => {
        const text = `${file.endsWith('sql') ? 'ALTER ROLE a SET lock_timeout = 1;' : ''}${parts.join('')}`
        expect(imported({ [file]: text }).chain).toBeDefined()
      }),
    )
  })
})
