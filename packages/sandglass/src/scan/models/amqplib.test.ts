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
})
