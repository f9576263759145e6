import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

test('a store of sessions that makes a client of MongoDB has its options, or the parameters of its address', () => {
  expect(
    findingLines(
      scanTexts(`import MongoStore from 'connect-mongo'
export const one = new MongoStore({ mongoUrl: settings.MONGO_URI })
export const two = MongoStore.create({ mongoUrl: 'mongodb://a/b' })
export const three = MongoStore.create({ mongoUrl: 'mongodb://a/b?socketTimeoutMS=500' })
export const four = MongoStore.create({ mongoUrl: 'mongodb://a/b', mongoOptions: { socketTimeoutMS: 500 } })
export const five = MongoStore.create({ clientPromise: connect() })
export const six = MongoStore.create({ client })
export const seven = MongoStore.create(options)`),
    ),
  ).toEqual(['code.ts:2 unbounded-call', 'code.ts:3 unbounded-call'])
})

test('a cache of Keyv that makes a client of Redis has its options', () => {
  expect(
    findingLines(
      scanTexts(`import KeyvRedis, { createKeyv } from '@keyv/redis'
export const one = new KeyvRedis('redis://a')
export const two = new KeyvRedis({ url: process.env.PLACE, socket: { family: 4 } })
export const three = createKeyv({ url: 'redis://a', commandOptions: { timeout: 500 } })
export const four = new KeyvRedis({ url: 'redis://a', socket: { socketTimeout: 500 } })
export const five = new KeyvRedis(client)`),
    ),
  ).toEqual(['code.ts:2 unbounded-call', 'code.ts:3 unbounded-call'])
})

test('what keeps files in MongoDB, and what publishes over Redis, make clients of their own', () => {
  expect(
    findingLines(
      scanTexts(`import { GridFsStorage } from 'multer-gridfs-storage'
import { RedisPubSub } from 'graphql-redis-subscriptions'
export const one = new GridFsStorage({ url: process.env.MONGO, options: { useNewUrlParser: true } })
export const two = new GridFsStorage({ url: 'mongodb://a', options: { socketTimeoutMS: 500 } })
export const three = new GridFsStorage({ db: connect() })
export const four = new RedisPubSub({ connection: process.env.REDIS })
export const five = new RedisPubSub({ connection: { host: 'a', commandTimeout: 500 } })
export const six = new RedisPubSub({ publisher, subscriber })`),
    ),
  ).toEqual(['code.ts:3 unbounded-call', 'code.ts:6 unbounded-call'])
})
