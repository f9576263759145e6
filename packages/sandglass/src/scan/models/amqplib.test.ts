import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

describe('amqplib', () => {
  test('a connection has a limit only by the timeout of its socket options', () => {
    const scanned = scanTexts(`import amqp from 'amqplib'
const a = await amqp.connect(process.env.RABBIT_URL)
const b = await amqp.connect('amqp://rabbit', { timeout: 2000 })
const c = await amqp.connect('amqp://rabbit', { clientProperties: {} })
const d = await amqp.connect('amqp://rabbit', options)
const channel = await b.createChannel()
channel.sendToQueue('q', content)`)
    expect(callLines(scanned)).toEqual([
      '2 amqplib unbounded',
      '3 amqplib bounded 2000 connect',
      '4 amqplib unbounded',
      '5 amqplib unknown',
    ])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call', 'code.ts:4 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe('amqplib waits without a limit for the connection')
  })

  test('what a channel asks for ends when two beats are missed, which only the address tells', () => {
    const lines = (url: string) =>
      callLines(
        scanTexts(`const amqp = require('amqplib/callback_api')
amqp.connect(${url}, { timeout: 2000 }, function (err, connection) {
  connection.createChannel(function (err, channel) { channel.assertQueue('q', {}, done) }) })`),
      ).slice(1)
    expect(lines(`'amqp://rabbit?heartbeat=10'`)).toEqual(['3 amqplib bounded 20000 silence'])
    expect(lines(`{ hostname: 'rabbit', heartbeat: 0 }`)).toEqual(['3 amqplib unbounded'])
    expect(lines('process.env.RABBIT_URL')).toEqual(['3 amqplib unknown'])
  })

  test('without a function to call with the answer the callback API waits for none', () => {
    const scanned = scanTexts(`import amqp from 'amqplib/callback_api'
amqp.connect('amqp://rabbit?heartbeat=10', { timeout: 2000 }, (err, connection) => {
  connection.createChannel(async (err, channel) => {
    await channel.assertExchange('e', 'topic', { durable: true })
    await channel.bindQueue('q', 'e', 'key')
    channel.assertQueue('q', {}, done)
    channel.consume('q', (message) => load(message))
    channel.assertQueue(...given)
  })
})`)
    expect(callLines(scanned).slice(1)).toEqual(['6 amqplib bounded 20000 silence', '8 amqplib bounded 20000 silence'])
  })

  test('the heartbeat is the clock of one connection, not of each attempt over it', () => {
    const lines = (before: string, within: string) =>
      findingLines(
        scanTexts(`import amqp from 'amqplib'
const open = async () => {
  ${before}
  for (let n = 0; n < 3; n++) { try { ${within} await channel.assertQueue('q'); break } catch {} }
}`),
      )
    const connect = `const connection = await amqp.connect('amqp://rabbit?heartbeat=10', { timeout: 2000 }); const channel = await connection.createChannel();`
    expect(lines(connect, '')).toEqual([])
    expect(lines('', connect)).toEqual(['code.ts:4 retry-fresh-clock'])
  })
})
