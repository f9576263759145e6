import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a WebSocket waits for its handshake for ever, which is a warning: nobody is stopped by it', () => {
  const scanned = scanTexts(`import WebSocket, { WebSocketServer } from 'ws'
export const open = (url: string) => new WebSocket(url)
export const quick = (url: string) => new WebSocket(url, ['a'], { handshakeTimeout: 500 })
export const given = (url: string, options: object) => new WebSocket(url, options)
export const server = new WebSocketServer({ port: 1 })
export const other = new WebSocket.Server({ port: 1 })`)
  expect(callLines(scanned)).toEqual(['2 ws unbounded', '3 ws bounded 500 total', '4 ws unknown'])
  expect(scanned.diagnostics.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(['unbounded-call warning'])
})

test('a timer that ends it may be the limit', () => {
  const scanned = scanTexts(`import WebSocket from 'ws'
export function open(url: string) {
  const socket = new WebSocket(url)
  const timer = setTimeout(() => socket.terminate(), 5000)
  socket.on('open', () => clearTimeout(timer))
}`)
  expect(callLines(scanned)).toEqual(['3 ws unknown'])
})
