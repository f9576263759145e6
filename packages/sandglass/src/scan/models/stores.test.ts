import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('mariadb: silence of the socket or a limit at the server ends a query, 10 s the wait for a connection', () => {
  const scanned = scanTexts(`import mariadb from 'mariadb'
const loose = mariadb.createPool({ host: process.env.DB_HOST, connectionLimit: 5 })
await loose.query('select 1')
await loose.query({ sql: 'select 1', timeout: 900 })
const quiet = mariadb.createPool({ host: 'db', socketTimeout: 700 })
await quiet.execute('select 1', [])
const held = await quiet.getConnection()
await held.batch('insert', [])
await mariadb.createPool('mariadb://db/shop?queryTimeout=800').query('select 1')`)
  expect(callLines(scanned)).toEqual([
    '3 mariadb (node) unbounded',
    '4 mariadb (node) bounded 900 statement',
    '6 mariadb (node) bounded 700 silence',
    '8 mariadb (node) bounded 700 silence',
    '9 mariadb (node) bounded 800 statement',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
})

test('mssql: 15 s for a request, also where its pool is shared by a promise', () => {
  const scanned = scanTexts(`import sql from 'mssql'
const pool = await sql.connect({ server: process.env.DB_HOST, options: { encrypt: true } })
await pool.request().input('id', 1).query('select 1')
const own = new sql.ConnectionPool({ server: 'db', requestTimeout: 900 })
await own.connect()
await own.request().execute('sums')
const off = new sql.ConnectionPool({ server: 'db', options: { requestTimeout: 0 } })
await off.query('select 1')
const text = new sql.ConnectionPool('Server=db;Request Timeout=30')
await text.query('select 1')`)
  expect(callLines(scanned)).toEqual(['3 mssql bounded 15000 total', '6 mssql bounded 900 total', '8 mssql unbounded', '10 mssql unknown'])
  expect(findingLines(scanned)).toEqual(['code.ts:2 default-bound', 'code.ts:7 unbounded-call'])
})

test('ldapts and ldapjs: nothing ends the connection or an operation but what is written', () => {
  const scanned = scanTexts(`import { Client } from 'ldapts'
import ldap from 'ldapjs'
import { settings } from './settings'
const people = new Client({ url: settings.url })
await people.bind('cn=a', 'b')
await people.search('ou=c', { scope: 'sub' })
const quick = ldap.createClient({ url: 'ldap://d', connectTimeout: 300, timeout: 900 })
quick.search('ou=c', {}, () => {})
const half = ldap.createClient({ url: 'ldap://d', timeout: 900 })
half.bind('cn=a', 'b', () => {})
await new Client(settings.ldap).bind('cn=a', 'b')`)
  expect(callLines(scanned)).toEqual([
    '5 ldapts unbounded',
    '6 ldapts unbounded',
    '8 ldapjs bounded 900 total',
    '10 ldapjs unbounded',
    '11 ldapts unknown',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call', 'code.ts:9 unbounded-call'])
})

test('basic-ftp: half a minute of silence, or what the client is made with', () => {
  const scanned = scanTexts(`import { Client } from 'basic-ftp'
const slow = new Client(), quick = new Client(900), off = new Client(0)
await slow.access({ host: 'ftp' })
await quick.uploadFrom('a', 'b')
await off.list()`)
  expect(callLines(scanned)).toEqual(['3 basic-ftp bounded 30000 silence', '4 basic-ftp bounded 900 silence', '5 basic-ftp unbounded'])
})

test('minio: nothing ends a request, but an agent may', () => {
  const scanned = scanTexts(`import * as Minio from 'minio'
const files = new Minio.Client({ endPoint: process.env.S3_HOST, accessKey: 'a', secretKey: 'b' })
await files.putObject('a', 'b', 'c')
await files.presignedGetObject('a', 'b')
const others = new Minio.Client({ endPoint: 's3', transportAgent: agent })
await others.bucketExists('a')`)
  expect(callLines(scanned)).toEqual(['3 minio unbounded', '6 minio unknown'])
})

test('amqp-connection-manager: a message waits for a broker that is gone, unless it is given a time', () => {
  const scanned = scanTexts(`import amqp from 'amqp-connection-manager'
const connection = amqp.connect(['amqp://a'])
const loose = connection.createChannel({ json: true, setup })
await loose.sendToQueue('a', { b: 1 })
await loose.publish('a', 'b', { c: 1 }, { timeout: 900 })
const timed = connection.createChannel({ publishTimeout: 800 })
await timed.sendToQueue('a', { b: 1 }, { persistent: true })`)
  expect(callLines(scanned)).toEqual([
    '4 amqp-connection-manager unbounded',
    '5 amqp-connection-manager bounded 900 total',
    '7 amqp-connection-manager bounded 800 total',
  ])
})
