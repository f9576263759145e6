import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const HEAD = `import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3'\n`

test('a client that one name gets in several branches is one cause', () => {
  const text = `${HEAD}export async function load(own) {
  let s3
  if (own) { s3 = new S3Client({ endpoint: own }) }
  else if (process.env.REGION) { s3 = new S3Client({ region: process.env.REGION }) }
  else s3 = new S3Client()
  return new Promise(async (yes) => { yes(await s3.send(new GetObjectCommand({}))) })
}`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:4 unbounded-call'])
})

test('two that are made one after the other are two', () => {
  const text = `${HEAD}export async function load(own) {
  let s3 = new S3Client({ endpoint: own })
  await s3.send(new GetObjectCommand({}))
  const other = new S3Client()
  await other.send(new GetObjectCommand({}))
}`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:3 unbounded-call', 'code.ts:5 unbounded-call'])
})

test('queues that share a connection are one cause, with what else uses that', () => {
  const text = `import { Queue } from 'bullmq'
import IORedis from 'ioredis'
let connection
const connect = () => { if (!connection) { connection = new IORedis(process.env.URL, { maxRetriesPerRequest: null }) } return connection }
const mails = new Queue('mails', { connection: connect() })
const jobs = new Queue('jobs', { connection: connect() })
export const run = () => Promise.all([mails.add('a', {}), jobs.add('b', {})])
const own = new Queue('own', { connection: { host: 'redis' } })
export const runOwn = () => own.add('c', {})`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:5 unbounded-call', 'code.ts:8 unbounded-call'])
})
