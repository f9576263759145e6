import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

describe('grpc-js', () => {
  test('C011: none, stale, not linked to the incoming call, and clean; the client is only known by the shape of its calls', () => {
    const scanned = scanTexts(`const stale = { deadline: Date.now() + 2000 };
export function handler(call: any, cb: any) {
  client.getA(req, cb);
  client.getB(req, stale, cb);
  client.getC(req, { deadline: Date.now() + 2000 }, cb);
  client.getD(req, { deadline: Date.now() + 2000, parent: call }, cb);
}`)
    expect(callLines(scanned)).toEqual([
      '3 grpc-js unbounded',
      '4 grpc-js bounded 2000 total',
      '5 grpc-js bounded 2000 total',
      '6 grpc-js bounded 2000 total',
    ])
    expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call', 'code.ts:4 stale-deadline', 'code.ts:5 deadline-not-inherited'])
    expect(scanned.diagnostics.map(({ severity }) => severity).sort()).toEqual(['error', 'error', 'warning'])
  })

  test.each([
    [
      'a loaded definition',
      `const proto = grpc.loadPackageDefinition(def) as any\nconst client = new proto.users.v1.UserService('users:50051', creds)`,
    ],
    [
      'a constructor',
      `const UserClient = grpc.makeGenericClientConstructor(def, 'users')\nconst client = new UserClient('users:50051', creds)`,
    ],
    [
      'a generated file that is not there',
      `import { UserServiceClient } from './gen/user_grpc_pb'\nconst client = new UserServiceClient('users:50051', creds)`,
    ],
  ])('a client made by %s is known', (_, made) => {
    const scanned = scanTexts(`import * as grpc from '@grpc/grpc-js'\n${made}
client.getUser(req, (err, user) => done(err, user))
client.getUser(req, new grpc.Metadata(), { deadline: new Date(Date.now() + 300) }, (err, user) => done(err, user))
const stream = client.listUsers(req, { deadline: Date.now() + 10 })
client.close()`)
    expect(callLines(scanned)).toEqual(['4 grpc-js unbounded', '5 grpc-js bounded 300 total'])
    expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call'])
    expect(scanned.calls[0]?.target).toBe('users:50051')
  })

  test('metadata before a callback, or a callback that is told a ServiceError, shows a call though nothing shows the client', () => {
    const scanned = scanTexts(`import * as grpc from '@grpc/grpc-js'
import type { ServiceError } from '@grpc/grpc-js'
import type { IUsers } from './not-there'
class Own { save(a: number, done: (error: ServiceError | null) => void) { done(null) } }
export class Users {
  constructor(private users: IUsers, private server: grpc.Server, private store: IUsers) {}
  get = () => this.users.get({}, (error: grpc.ServiceError | null, user: object) => done(error, user))
  all = () => this.users.all({}, (error: ServiceError | null, all: object) => done(error, all))
  named() { const metadata = new grpc.Metadata(); this.users.named({}, metadata, (error, user) => done(error, user)) }
  timed() { this.users.timed({}, new grpc.Metadata(), { deadline: Date.now() + 500 }, (error, user) => done(error, user)) }
  own() { new Own().save(1, (error: ServiceError | null) => done(error)) }
  start() { this.server.bindAsync('a', creds, (error: Error | null, port: number) => done(error, port)) }
  other() { this.store.other({}, (error: Error | null) => done(error)) }
}`)
    expect(callLines(scanned)).toEqual([
      '7 grpc-js unbounded',
      '8 grpc-js unbounded',
      '9 grpc-js unbounded',
      '10 grpc-js bounded 500 total',
    ])
  })

  test('a client that was generated in the project, wrapped in promises', () => {
    const scanned = scanTexts({
      files: {
        'gen/users.ts': `import { makeGenericClientConstructor } from '@grpc/grpc-js'
export const UsersClient = makeGenericClientConstructor(UsersService, 'users') as unknown as { new (a: string): UsersClient }`,
        'users.ts': `import { UsersClient } from './gen/users'
export class Users { private client = new UsersClient('users:1', creds)
  get(id: string) { return new Promise((resolve, reject) => this.client.get({ id }, (e, r) => (e ? reject(e) : resolve(r)))) }
  timed(id: string) { return new Promise((resolve, reject) => this.client.get({ id }, { deadline: deadline(500) }, (e, r) => resolve(r))) } }
const deadline = (ms: number) => new Date(Date.now() + ms)`,
      },
    })
    expect(callLines(scanned)).toEqual(['3 grpc-js unbounded', '4 grpc-js bounded 500 total'])
    expect(findingLines(scanned)).toEqual(['users.ts:3 unbounded-call'])
  })

  test('a deadline made once per object is stale too, one made of the incoming deadline is linked', () => {
    const scanned = scanTexts(`import * as grpc from '@grpc/grpc-js'
const client = new (grpc.makeGenericClientConstructor(def, 'x'))('a:1', creds)
export class Calls { private options
  constructor() { this.options = { deadline: Date.now() + 900 } }
  get(req, done) { client.get(req, this.options, done) } }
const getUser = (call: grpc.ServerUnaryCall<A, B>, callback: grpc.sendUnaryData<B>) => {
  client.get(call.request, { deadline: Math.min(call.getDeadline(), Date.now() + 700) }, (e, r) => callback(e, r))
  client.get(call.request, { parent: call }, (e, r) => callback(e, r))
  client.get(call.request, { deadline: Date.now() + 700 }, (e, r) => callback(e, r)) }`)
    expect(findingLines(scanned)).toEqual(['code.ts:4 stale-deadline', 'code.ts:9 deadline-not-inherited'])
    expect(callLines(scanned)).toEqual([
      '5 grpc-js bounded 900 total',
      '7 grpc-js bounded 700 total',
      '8 grpc-js unknown',
      '9 grpc-js bounded 700 total',
    ])
  })

  test('an interceptor, a service config, options of unknown origin and Infinity are told apart', () => {
    const lines = (options: string, call: string) =>
      callLines(
        scanTexts(`import * as grpc from '@grpc/grpc-js'
const client = new (grpc.makeGenericClientConstructor(def, 'x'))('a:1', creds${options})
client.get(req, ${call}(e, r) => done(r))`),
      )
    expect(lines('', '')).toEqual(['3 grpc-js unbounded'])
    expect(lines(', { interceptors: [withDeadline] }', '')).toEqual(['3 grpc-js unknown'])
    expect(lines(`, { 'grpc.service_config': json }`, '')).toEqual(['3 grpc-js unknown'])
    expect(lines(`, { 'grpc.keepalive_time_ms': 1000 }`, '')).toEqual(['3 grpc-js unbounded'])
    expect(lines('', 'options, ')).toEqual(['3 grpc-js unknown'])
    expect(lines('', '{ deadline: 5000 }, ')).toEqual(['3 grpc-js bounded 0 total'])
    expect(lines('', '{ deadline: Infinity }, ')).toEqual(['3 grpc-js unbounded'])
  })

  test('calls with a callback of anything else are nobody’s fault', () => {
    const scanned = scanTexts(`import fs from 'node:fs'
export function handler(call, cb) { db.get('x', cb); emitter.emit('x', { timeout: 3 }, cb); fs.readFile('a', cb); client.get({}, (e, r) => cb(e, r)) }`)
    expect(scanned.calls).toEqual([])
  })

  test('a method that is made a promise is asked in the same way', () => {
    const scanned = scanTexts(`import * as grpc from '@grpc/grpc-js'
import { promisify } from 'util'
const client = new (grpc.makeGenericClientConstructor(def, 'x'))('a:1', creds)
const getUser = promisify(client.getUser.bind(client))
const getOrder = promisify(client.getOrder).bind(client)
export const user = (id) => getUser({ id })
export const order = (id) => getOrder({ id }, { deadline: Date.now() + 400 })`)
    expect(callLines(scanned)).toEqual(['6 grpc-js unbounded', '7 grpc-js bounded 400 total'])
  })
})
