import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

describe('amqplib', () => {
  test('a connection has a limit only by the timeout of its socket options', () => {
    const scanned = scanTexts(`import amqp from 'amqplib'
const a = await amqp.connect(process.env.RABBIT_URL)
const b = await amqp.connect('amqp://rabbit', { timeout: 2000 })
const c = await amqp.connect('amqp://rabbit', { heartbeat: 10, clientProperties: {} })
const d = await amqp.connect('amqp://rabbit', options)
const channel = await b.createChannel()
channel.sendToQueue('q', content)`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call', 'code.ts:4 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe('amqplib waits without a limit for the connection')
    expect(scanned.calls).toEqual([])
  })

  test('so has the form with a callback', () => {
    const scanned = scanTexts(`const amqp = require('amqplib/callback_api')
amqp.connect('amqp://rabbit', function (err, connection) {})`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
  })
})
