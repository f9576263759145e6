import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const grpc = { library: 'grpc-js', packages: ['@grpc/grpc-js@1.14.7'] } as const
const unary = (args: string, before = '') => `
import * as grpc from '@grpc/grpc-js'
const bytes = { requestSerialize: (value) => Buffer.from(value), requestDeserialize: String, responseSerialize: Buffer.from, responseDeserialize: String }
const definition = { get: { path: '/a.Users/Get', requestStream: false, responseStream: false, ...bytes } }
const Users = grpc.makeGenericClientConstructor(definition, 'Users')
const client = new Users(\`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, grpc.credentials.createInsecure())
${before}export const run = () =>
  new Promise((resolve, reject) => {
    client.get('1', ${args}(error, answer) => (error ? reject(error) : resolve(answer))) // measured
  })
`

/** gRPC: a deadline or nothing. */
export const grpcCases: readonly ClientCase[] = [
  {
    ...grpc,
    name: 'grpc-js: nothing set',
    setting: 'nothing',
    code: unary(''),
    expected: { state: 'unbounded' },
    seen: { 'http2-hang': never, hang: never, refuse: ends([0, 100]), 'black-hole': never },
    note: 'a connection that is refused fails at once',
  },
  {
    ...grpc,
    name: 'grpc-js: deadline',
    setting: 'deadline: Date.now() + 300',
    code: unary('{ deadline: Date.now() + 300 }, '),
    expected: boundedBy(300, 'total'),
    cancelsWork: true,
    seen: { 'http2-hang': ends(300), hang: ends(300, { cancelsWork: null }), 'black-hole': ends(300) },
    note: 'the stream is reset; the connection stays',
  },
  {
    ...grpc,
    name: 'grpc-js: deadline as a date',
    setting: 'deadline: new Date(Date.now() + 300)',
    code: unary('{ deadline: new Date(Date.now() + 300) }, '),
    expected: boundedBy(300, 'total'),
    seen: { 'http2-hang': ends(300) },
  },
  {
    ...grpc,
    name: 'grpc-js: deadline made when the module was loaded',
    setting: 'deadline of the module',
    code: unary('options, ', 'const options = { deadline: Date.now() + 300 }\nawait new Promise((resolve) => setTimeout(resolve, 400))\n'),
    expected: boundedBy(300, 'total'),
    seen: { 'http2-hang': ends([0, 100], { attempts: 0 }) },
    note: 'over 300 ms after the start, then every call fails at once',
  },
  {
    ...grpc,
    name: 'grpc-js: a duration given for an instant',
    setting: 'deadline: 300',
    code: unary('{ deadline: 300 }, '),
    expected: boundedBy(0, 'total'),
    seen: { 'http2-hang': ends([0, 100], { attempts: 0 }) },
    note: 'an instant in 1970: every call fails at once',
  },
  {
    ...grpc,
    name: 'grpc-js: waits until it is ready',
    setting: 'metadata waitForReady',
    code: unary('metadata, ', 'const metadata = new grpc.Metadata({ waitForReady: true })\n'),
    expected: { state: 'unbounded' },
    seen: { 'http2-hang': never, refuse: never },
    note: 'waits for a connection that is refused as well',
  },
  {
    ...grpc,
    name: 'grpc-js: waits until it is ready, with a deadline',
    setting: 'metadata waitForReady, deadline: Date.now() + 300',
    code: unary('metadata, { deadline: Date.now() + 300 }, ', 'const metadata = new grpc.Metadata({ waitForReady: true })\n'),
    expected: boundedBy(300, 'total'),
    seen: { refuse: ends(300) },
  },
  {
    ...grpc,
    name: 'grpc-js: option timeout, which it does not have',
    setting: 'timeout: 300 (ignored)',
    code: unary('{ timeout: 300 }, '),
    expected: { state: 'unbounded' },
    seen: { 'http2-hang': never },
  },
]

const connect = {
  library: 'connect-es',
  packages: ['@connectrpc/connect@2.1.2', '@connectrpc/connect-node@2.1.2', '@bufbuild/protobuf@2.17.0'],
} as const
const connected = (options: string, args: string, version: '1.1' | '2' = '2', transport = 'createConnectTransport') => `
import { create, createFileRegistry } from '@bufbuild/protobuf'
import { EmptySchema, FileDescriptorSetSchema, file_google_protobuf_empty } from '@bufbuild/protobuf/wkt'
import { createClient } from '@connectrpc/connect'
import { ${transport} } from '@connectrpc/connect-node'
const empty = \`.\${EmptySchema.typeName}\`
const method = { name: 'Get', inputType: empty, outputType: empty }
const proto = { name: 'a.proto', package: 'a', syntax: 'proto3', dependency: ['google/protobuf/empty.proto'], service: [{ name: 'Users', method: [method] }] }
const UserService = createFileRegistry(create(FileDescriptorSetSchema, { file: [file_google_protobuf_empty.proto, proto] })).getService('a.Users')
const transport = ${transport}({ baseUrl: process.env.PEER_URL, httpVersion: '${version}', ${options} })
const users = createClient(UserService, transport)
export const run = () => users.get(${args}) // measured
`

/** Connect for ECMAScript over the transports of Node. */
export const connectCases: readonly ClientCase[] = [
  {
    ...connect,
    name: 'connect-es: nothing set',
    setting: 'nothing',
    code: connected('', '{}'),
    expected: { state: 'unbounded' },
    seen: { 'http2-hang': never, hang: never, 'black-hole': never },
  },
  {
    ...connect,
    name: 'connect-es: nothing set, HTTP/1.1',
    setting: "nothing; httpVersion: '1.1'",
    code: connected('', '{}', '1.1'),
    expected: { state: 'unbounded' },
    seen: { hang: never },
  },
  {
    ...connect,
    name: 'connect-es: timeoutMs',
    setting: 'timeoutMs: 300',
    code: connected('', '{}, { timeoutMs: 300 }'),
    expected: boundedBy(300, 'total'),
    seen: { 'http2-hang': ends(300), 'black-hole': ends(300) },
    note: 'the stream is reset; the connection stays',
  },
  {
    ...connect,
    name: 'connect-es: timeoutMs, HTTP/1.1',
    setting: "timeoutMs: 300; httpVersion: '1.1'",
    code: connected('', '{}, { timeoutMs: 300 }', '1.1'),
    expected: boundedBy(300, 'total'),
    seen: { hang: ends(300) },
  },
  {
    ...connect,
    name: 'connect-es: defaultTimeoutMs',
    setting: 'defaultTimeoutMs: 300',
    code: connected('defaultTimeoutMs: 300', '{}'),
    expected: boundedBy(300, 'total'),
    seen: { 'http2-hang': ends(300) },
  },
  {
    ...connect,
    name: 'connect-es: zero switches the default off',
    setting: 'defaultTimeoutMs: 300, timeoutMs: 0',
    code: connected('defaultTimeoutMs: 300', '{}, { timeoutMs: 0 }'),
    expected: { state: 'unbounded' },
    seen: { 'http2-hang': never },
  },
  {
    ...connect,
    name: 'connect-es: signal of a timeout over the gRPC transport',
    setting: 'createGrpcTransport, signal: AbortSignal.timeout(300)',
    code: connected('', '{}, { signal: AbortSignal.timeout(300) }', '2', 'createGrpcTransport'),
    expected: boundedBy(300, 'total'),
    seen: { 'http2-hang': ends(300) },
  },
]
