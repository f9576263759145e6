import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (made: string, use: string) =>
  scanTexts(`import { DataTypes, Model, Sequelize } from 'sequelize'\nexport const db = new Sequelize(${made})\n${use}`)

describe('sequelize', () => {
  test('a query ends by what the driver is given; the wait for a connection has 60 s by default', () => {
    const use = `const User = db.define('User', {})
export const load = (id) => User.findByPk(id)
class Order extends Model {}
Order.init({}, { sequelize: db })
export const orders = () => Order.findAll()
export const add = async () => { const order = new Order(); await order.save() }
db.query('select 1')`
    const scanned = scan(`process.env.DATABASE_URL, { dialect: 'postgres' }`, use)
    expect(callLines(scanned)).toEqual(['4 sequelize unbounded', '7 sequelize unbounded', '8 sequelize unbounded', '9 sequelize unbounded'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    const limited = scan(`'shop', 'user', process.env.PASSWORD, { dialect: 'postgres', dialectOptions: { statement_timeout: 400 } }`, use)
    expect(callLines(limited)[0]).toBe('4 sequelize bounded 400 statement')
    expect(limited.calls[0]?.worstMs).toBe(60_400)
  })

  test('the dialect of the address counts, a file has no network, what is not known stays so', () => {
    const lines = (made: string) => callLines(scan(made, `db.query('select 1')`))
    expect(lines(`'postgres://db/x'`)).toEqual(['3 sequelize unbounded'])
    expect(lines(`'mysql://db/x', { pool: { acquire: 1000 } }`)).toEqual(['3 sequelize unbounded'])
    expect(lines(`{ dialect: 'sqlite', storage: 'x.db' }`)).toEqual(['3 sequelize unknown'])
    expect(lines(`process.env.DATABASE_URL`)).toEqual(['3 sequelize unknown'])
    expect(lines(`config`)).toEqual(['3 sequelize unknown'])
  })

  test('query_timeout alone does not cancel', () => {
    expect(findingLines(scan(`{ dialect: 'postgres', dialectOptions: { query_timeout: 400 } }`, ''))).toEqual([
      'code.ts:2 work-not-cancelled',
    ])
  })

  test('a dialect from the configuration is that of the only driver that asks a server', () => {
    const found = (dependencies: object, options: string, more = '') =>
      findingLines(
        scanTexts({
          files: {
            'package.json': JSON.stringify({ dependencies }),
            'db.js': `const { Sequelize } = require('sequelize')
module.exports = (app) => {
  const options = { dialect: app.config.type || 'sqlite', ${options} }
  if (options.dialect === 'sqlite') options.storage = 'a'
  else { options.host = app.config.host; if (app.config.ssl) { options.dialectOptions = { ssl: true } } }
  ${more}
  return new Sequelize(options)
}`,
          },
        }),
      )
    expect(found({ pg: '8', sqlite3: '5' }, '')).toEqual(['db.js:7 unbounded-call'])
    expect(found({ pg: '8', tedious: '18' }, '')).toEqual([])
    expect(found({ sqlite3: '5' }, '')).toEqual([])
    expect(found({ pg: '8' }, '', 'options.dialectOptions = { statement_timeout: 500 }')).toEqual([])
    expect(found({ pg: '8' }, '...app.config.db')).toEqual([])
  })
})
