import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

const cnf = (text: string, more: Readonly<Record<string, string>> = {}) => imported({ 'mysql/my.cnf': text, ...more })
const owned = (image: string, text: string) =>
  imported({ 'compose.yaml': `services:\n  db:\n    image: ${image}\n    volumes: ["./my.cnf:/etc/my.cnf"]\n`, 'my.cnf': text })

describe('mysql', () => {
  it('reads the groups of the server alone, with - and _ as one', () => {
    const { operation, service } = cnf(
      '[client]\nconnect_timeout = 3\nwait_timeout = 1\n[mysqld]\nmax-connections = 300\nwait_timeout = 600 # ten minutes\ninnodb_lock_wait_timeout=5\n[mysqldump]\nmax_connections = 9\n',
    )
    expect(service('mysql')).toMatchObject({ concurrency: { value: 300 }, keepAlive: { idleMs: { value: 600_000 } } })
    expect(operation('mysql.query')?.limits?.lockMs?.value).toBe(5000)
  })

  it('has the waits nobody wrote: 50 s for a row lock, 8 hours for an idle connection', () => {
    const { operation, service } = cnf('[mysqld]\nskip-networking\nmax_allowed_packet = 64M\n')
    expect(operation('mysql.query')?.limits?.lockMs).toMatchObject({ value: 50_000, origin: { kind: 'default', product: 'mysql' } })
    expect(service('mysql')).toMatchObject({ concurrency: { value: 151 }, keepAlive: { idleMs: { value: 28_800_000 } } })
  })

  it('counts milliseconds of MySQL’s limit and seconds of MariaDB’s', () => {
    const mysql = owned('mysql:8.0', '[mysqld]\nmax_execution_time = 3000\n')
    expect(mysql.operation('db.query')?.limits?.statementMs?.value).toBe(3000)
    expect(mysql.notes).toContain('ignored: max_execution_time ends SELECT statements alone; what writes goes on')
    const mariadb = owned('mariadb:10.11', '[mariadb]\nmax_statement_time = 2.5\n')
    expect(mariadb.operation('db.query')?.limits?.statementMs?.value).toBe(2500)
  })

  it('says so where one of the two is given the other’s', () => {
    expect(owned('mysql:8.0', '[mysqld]\nmax_statement_time = 3\n').dead).toEqual([
      { setting: 'max_statement_time', written: '3', effective: 'no limit of a statement', line: 2 },
    ])
    expect(owned('mariadb:11', '[mysqld]\nmax_execution_time = 3000\n').dead).toMatchObject([{ setting: 'max_execution_time', line: 2 }])
  })

  it('refuses a unit, as the server does', () => {
    expect(cnf('[mysqld]\nwait_timeout = 600s\n').dead).toEqual([
      { setting: 'wait_timeout', written: '600s', effective: '8h, the default of mysql', line: 2 },
    ])
  })

  it('lets the files of conf.d hold over my.cnf', () => {
    const { service } = cnf('[mysqld]\nmax_connections = 100\n!includedir /etc/mysql/conf.d/\n', {
      'mysql/conf.d/tuning.cnf': '[mysqld]\nmax_connections = 250\n',
    })
    expect(service('mysql')?.concurrency?.value).toBe(250)
  })

  it('takes nothing from comments, and says of other timers what they are', () => {
    const { notes, operation } = cnf('[mysqld]\n#max_execution_time = 1\n; wait_timeout = 1\nnet_read_timeout = 30\nexpire_logs_days = 7\n')
    expect(operation('mysql.query')?.limits?.statementMs).toBeUndefined()
    expect(notes).toEqual(['ignored: net_read_timeout limits the gap between two parts of what a client sends'])
  })

  it('takes flags of the command of an image', () => {
    const { service, operation } = imported({
      'compose.yaml':
        'services:\n  db:\n    image: mysql:8.0\n    command: mysqld --max-connections=500 --wait_timeout 120 --innodb-lock-wait-timeout=3\n',
    })
    expect(service('db')).toMatchObject({ concurrency: { value: 500 }, keepAlive: { idleMs: { value: 120_000 } } })
    expect(operation('db.query')?.limits?.lockMs?.value).toBe(3000)
  })

  it('reads any text without an error', () => {
    const words = [
      '[mysqld]',
      '[client]',
      '\n',
      '=',
      ' ',
      '"',
      "'",
      '#',
      ';',
      '!include',
      'wait_timeout',
      'max_connections',
      '5',
      '$X',
      '[',
      ']',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        expect(cnf(`[mysqld]\n${parts.join('')}`).chain).toBeDefined()
      }),
    )
  })
})
