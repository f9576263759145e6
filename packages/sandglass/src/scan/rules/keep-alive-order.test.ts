import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const SERVERS = `import http from 'node:http'
import express from 'express'
import fastify from 'fastify'
const plain = http.createServer(() => {})
const app = express()
const served = app.listen(3000)
served.keepAliveTimeout = 30_000
const ready = http.createServer({ keepAliveTimeout: 65_000 }, () => {})
const quick = fastify({ keepAliveTimeout: 4000 })
const asIs = fastify()`

describe('keep-alive-order', () => {
  test('behind something that keeps idle connections for 60 s, a server that closes after 5 s by default, 30 s or 4 s closes first', () => {
    const scanned = scanTexts(SERVERS, { proxyIdleMs: 60_000 })
    expect(findingLines(scanned)).toEqual(['code.ts:4 keep-alive-order', 'code.ts:7 keep-alive-order', 'code.ts:9 keep-alive-order'])
    expect(scanned.diagnostics.map(({ severity, values }) => [severity, values.keepAliveMs])).toEqual([
      ['error', 5000],
      ['error', 30_000],
      ['error', 4000],
    ])
    expect(scanned.diagnostics[0]?.message).toBe(
      'the server of Node closes idle connections after 5 s by default, but what stands before it keeps and reuses them for 60 s',
    )
  })

  test('as long as nobody says what stands before it, nothing is said', () => {
    expect(scanTexts(SERVERS).diagnostics).toEqual([])
  })

  test('headersTimeout below keepAliveTimeout ends kept connections in a Node before 12.19, and only there', () => {
    const files = {
      'code.ts': `import http from 'node:http'
const server = http.createServer(() => {})
server.keepAliveTimeout = 65_000
server.headersTimeout = 60_000`,
    }
    expect(findingLines(scanTexts({ files, versions: { node: '12.18.4' } }))).toEqual(['code.ts:4 keep-alive-order'])
    expect(scanTexts({ files, versions: { node: '20.20.2' } }).diagnostics).toEqual([])
    expect(scanTexts({ files }).diagnostics).toEqual([])
  })
})
