import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (transport: string, use: string) =>
  scanTexts(`import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
const transport = createConnectTransport({ baseUrl: 'http://users:80', httpVersion: '2', ${transport} })
const users = createClient(UserService, transport)
const orders = createClient(OrderService, transport)
${use}`)

describe('connect-es', () => {
  test('a transport without defaultTimeoutMs is one finding for all its clients', () => {
    const scanned = scan('', `await users.getUser({ id: 1 })\nawait orders.list({})\nawait users.getUser({ id: 1 }, { timeoutMs: 300 })`)
    expect(callLines(scanned)).toEqual(['6 connect-es unbounded', '7 connect-es unbounded', '8 connect-es bounded 300 total'])
    expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call'])
    expect(scanned.calls[0]?.target).toBe('http://users:80')
  })

  test('its own timeoutMs goes before that of the transport, 0 switches it off, a signal ends it too', () => {
    const scanned = scan(
      'defaultTimeoutMs: 900',
      `users.a({})\nusers.a({}, { timeoutMs: 0 })\nusers.a({}, { signal: AbortSignal.timeout(200) })\nusers.a({}, options)`,
    )
    expect(callLines(scanned)).toEqual([
      '6 connect-es bounded 900 total',
      '7 connect-es unbounded',
      '8 connect-es bounded 200 total',
      '9 connect-es unknown',
    ])
    expect(findingLines(scanned)).toEqual(['code.ts:7 unbounded-call'])
  })

  test('streams and transports from elsewhere are nobody’s fault', () => {
    expect(callLines(scan('', 'for await (const user of users.watch({})) console.log(user)'))).toEqual([])
    expect(callLines(scan('', 'const all = users.watch({}); for await (const user of all) console.log(user)'))).toEqual([])
    const web = scanTexts(`import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
await createClient(UserService, createConnectTransport({ baseUrl: '/' })).get({})`)
    expect(callLines(web)).toEqual(['3 connect-es unknown'])
    const scanned = scanTexts(`import { createClient, type Transport } from '@connectrpc/connect'
export const make = (transport: Transport) => { const users = createClient(UserService, transport); return users.get({}) }`)
    expect(callLines(scanned)).toEqual(['2 connect-es unknown'])
  })

  test('a transport that is only made where its address is given is that transport', () => {
    const scan = (transport: string) =>
      callLines(
        scanTexts(`import { createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
const made = process.env.ORIGIN ? createGrpcTransport({ baseUrl: process.env.ORIGIN }) : undefined
export const client = (transport = ${transport}) => {
  if (!transport) return { instance: { get: async () => new Answer() } }
  return { instance: createClient(Users, transport) }
}
export const load = async () => client().instance.get({})`),
      )
    expect(scan('made')).toEqual(['8 connect-es unbounded'])
    expect(scan('isOld ? made : other()')).toEqual(['8 connect-es unknown'])
  })
})
