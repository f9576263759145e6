import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const asked = (made: string, listened: string, more = '') =>
  scanTexts(`import net from 'node:net'
import { connect } from 'tls'
export function ask(host: string, question: string) {
  return new Promise((resolve, reject) => {
    const socket = ${made}
    ${listened}
    socket.on('error', reject)
    ${more}
    socket.write(question)
  })
}`)

test('a promise that waits for what comes over a socket has no limit', () => {
  const onData = "socket.on('data', (chunk) => resolve(String(chunk)))"
  expect(callLines(asked('net.connect(80, host)', onData))).toEqual(['5 node:net unbounded'])
  expect(callLines(asked('net.createConnection({ host, port: 80 })', "let all = ''\nsocket.once('end', () => resolve(all))"))).toEqual([
    '5 node:net unbounded',
  ])
  expect(callLines(asked('connect({ host, port: 443 })', "socket.on('close', resolve)"))).toEqual(['5 node:net unbounded'])
  expect(callLines(asked('new net.Socket()', onData, 'socket.connect(80, host)'))).toEqual(['8 node:net unbounded'])
  expect(findingLines(asked('net.connect(80, host)', onData))).toEqual(['code.ts:5 unbounded-call'])
})

test('a socket that only opens, that a timer ends, or that nobody waits for, is left alone', () => {
  const onData = "socket.on('data', resolve)"
  expect(callLines(asked('net.connect(80, host)', "socket.on('connect', () => resolve(socket))"))).toEqual([])
  expect(callLines(asked('net.connect(80, host)', onData, 'socket.setTimeout(500, () => socket.destroy())'))).toEqual([])
  expect(callLines(asked('net.connect(80, host)', onData, 'setTimeout(() => socket.destroy(), 500)'))).toEqual([])
  expect(callLines(asked('net.connect({ host, signal })', onData))).toEqual([])
  expect(callLines(scanTexts("import net from 'net'\nnet.connect(80, 'a').on('data', (chunk) => show(chunk))"))).toEqual([])
})
