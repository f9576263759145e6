import type { ServerCase } from '../server-case.js'

const node = { requestTimeoutMs: 300_000, headersTimeoutMs: 60_000, keepAliveTimeoutMs: 5000, timeoutMs: 0 } as const
const base = { isQuick: true, hangEnds: null, idleEnds: 6000, listened: node } as const

const http = { ...base, library: 'node http.Server', packages: [] } as const
const plain = (options = '', more = '') => `
import http from 'node:http'
export const server = http.createServer(${options}(request, response) => { // measured
  if (request.url === '/') response.end('ok')
})
${more}server.listen(0, '127.0.0.1')
`

const express = { ...base, library: 'express', packages: ['express@5.3.0'] } as const
const expressed = (more = '') => `
import express from 'express'
const app = express()
app.get('/', (_request, response) => response.send('ok'))
app.get('/hang', () => {})
export const server = app.listen(0, '127.0.0.1') // measured
${more}`

const fastify = { ...base, library: 'fastify', packages: ['fastify@5.12.8'] } as const
const fastened = (options = '') => `
import fastify from 'fastify'
const app = fastify(${options}) // measured
app.get('/', async () => 'ok')
app.get('/hang', () => new Promise(() => {}))
await app.listen({ port: 0, host: '127.0.0.1' })
export const server = app.server
`

const koa = { ...base, library: 'koa', packages: ['koa@3.3.0'] } as const
const nest = {
  ...base,
  library: 'nest',
  packages: ['@nestjs/core@12.5.1', '@nestjs/common@12.5.1', '@nestjs/platform-express@12.5.1', 'reflect-metadata@0.2.2', 'rxjs@7.8.2'],
  isQuick: false,
} as const
const nested = (more = '', end = '') => `
import 'reflect-metadata'
import { Controller, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
class Root {
  root() { return 'ok' }
  hang() { return new Promise(() => {}) }
}
const get = (path, name) => Get(path)(Root.prototype, name, Object.getOwnPropertyDescriptor(Root.prototype, name))
get('/', 'root')
get('/hang', 'hang')
Controller()(Root)
class App {}
Module({ controllers: [Root] })(App)
const app = await NestFactory.create(App, { logger: false }) // measured
${more}await app.listen(0, '127.0.0.1')
export const server = app.getHttpServer()
${end}`

/** What servers have when they listen: no handler is limited unless somebody says so. */
export const serverCases: readonly ServerCase[] = [
  {
    ...http,
    name: 'node http.Server: nothing set',
    setting: 'nothing',
    code: plain(),
    note: 'a connection is kept a second longer than keepAliveTimeout says',
  },
  {
    ...http,
    name: 'node http.Server: keepAliveTimeout',
    setting: 'keepAliveTimeout: 1000',
    code: plain('{ keepAliveTimeout: 1000 }, '),
    listened: { ...node, keepAliveTimeoutMs: 1000 },
    idleEnds: 2000,
  },
  {
    ...http,
    name: 'node http.Server: timeout',
    setting: 'server.setTimeout(1000)',
    code: plain('', 'server.setTimeout(1000)\n'),
    listened: { ...node, timeoutMs: 1000 },
    hangEnds: 1000,
    note: 'silence of the socket: what trickles lives on',
  },
  { ...express, name: 'express: nothing set', setting: 'nothing', code: expressed() },
  {
    ...express,
    name: 'express: limits of the server',
    setting: 'server.keepAliveTimeout = 1000, server.setTimeout(2000)',
    code: expressed('server.keepAliveTimeout = 1000\nserver.setTimeout(2000)\n'),
    listened: { ...node, keepAliveTimeoutMs: 1000, timeoutMs: 2000 },
    idleEnds: 2000,
    hangEnds: 2000,
  },
  {
    ...koa,
    name: 'koa: nothing set',
    setting: 'nothing',
    code: `
import Koa from 'koa'
const app = new Koa()
app.use(async (context) => {
  if (context.path === '/hang') await new Promise(() => {})
  context.body = 'ok'
})
export const server = app.listen(0, '127.0.0.1') // measured
`,
  },
  {
    ...fastify,
    name: 'fastify: nothing set',
    setting: 'nothing',
    code: fastened(),
    listened: { ...node, requestTimeoutMs: 0, keepAliveTimeoutMs: 72_000 },
    idleEnds: 73_000,
    note: 'takes the 300 s from requestTimeout that Node has',
  },
  {
    ...fastify,
    name: 'fastify: connectionTimeout',
    setting: 'connectionTimeout: 1000',
    code: fastened('{ connectionTimeout: 1000 }'),
    listened: { ...node, requestTimeoutMs: 0, keepAliveTimeoutMs: 72_000, timeoutMs: 1000 },
    idleEnds: 73_000,
    hangEnds: 1000,
  },
  {
    ...fastify,
    name: 'fastify: handlerTimeout',
    setting: 'handlerTimeout: 1000',
    code: fastened('{ handlerTimeout: 1000 }'),
    listened: { ...node, requestTimeoutMs: 0, keepAliveTimeoutMs: 72_000 },
    idleEnds: 73_000,
    hangEnds: 1000,
    note: 'answers 503',
  },
  {
    ...fastify,
    name: 'fastify: requestTimeout and keepAliveTimeout',
    setting: 'requestTimeout: 10_000, keepAliveTimeout: 1000',
    code: fastened('{ requestTimeout: 10_000, keepAliveTimeout: 1000 }'),
    listened: { ...node, requestTimeoutMs: 10_000, keepAliveTimeoutMs: 1000 },
    idleEnds: 2000,
    note: 'requestTimeout is for the request to arrive; a handler that hangs is not ended by it',
  },
  { ...nest, name: 'nest: nothing set', setting: 'nothing', code: nested() },
  {
    ...nest,
    name: 'nest: limits of the server',
    setting: 'getHttpServer().keepAliveTimeout = 1000, setTimeout(2000)',
    code: nested('const inner = app.getHttpServer()\ninner.keepAliveTimeout = 1000\ninner.setTimeout(2000)\n'),
    listened: { ...node, keepAliveTimeoutMs: 1000, timeoutMs: 2000 },
    idleEnds: 2000,
    hangEnds: 2000,
  },
]
