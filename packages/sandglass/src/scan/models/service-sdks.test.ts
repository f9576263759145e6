import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('Twilio waits half a minute, Postmark three, and what pushes to browsers for ever', () => {
  const scanned = scanTexts(`import postmark from 'postmark'
import twilio from 'twilio'
import webPush from 'web-push'
const phone = twilio(process.env.SID, process.env.TOKEN)
const quick = twilio('a', 'b', { timeout: 2000 })
await phone.messages.create({ to: '1', body: 'a' })
await quick.verify.v2.services('s').verifications.create({ to: '1' })
const mail = new postmark.ServerClient(process.env.KEY)
await mail.sendEmail({ To: 'a@a.a' })
await new postmark.ServerClient('k', { timeout: 2 }).sendEmailBatch([])
await webPush.sendNotification({}, 'a')
await webPush.sendNotification({}, 'a', { timeout: 900 })
twilio.validateRequest('t', 's', 'u', {})`)
  expect(callLines(scanned)).toEqual([
    '6 twilio bounded 30000 silence',
    '7 twilio bounded 2000 silence',
    '9 postmark bounded 180000 silence',
    '10 postmark bounded 2000 silence',
    '11 web-push unbounded',
    '12 web-push bounded 900 silence',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:4 default-bound', 'code.ts:8 default-bound', 'code.ts:11 unbounded-call'])
})

test('Clerk, Linear, PlanetScale and Tinybird wait as fetch does', () => {
  const scanned = scanTexts(`import { createClerkClient } from '@clerk/backend'
import { auth, clerkClient } from '@clerk/nextjs/server'
import { LinearClient } from '@linear/sdk'
import { connect } from '@planetscale/database'
import { Tinybird } from '@chronark/zod-bird'
const clerk = createClerkClient({ secretKey: 'k' })
await clerk.users.getUser('u')
await (await clerkClient()).organizations.getOrganization({})
await clerkClient.users.getUserList()
await auth()
const linear = new LinearClient({ apiKey: 'k' })
await linear.createIssue({ teamId: 't' })
await connect({ url: process.env.DB }).execute('select 1')
const count = new Tinybird({ token: 't' }).buildPipe({ pipe: 'p' })
await count({ a: 1 })`)
  expect(callLines(scanned)).toEqual([
    '7 clerk bounded 300000 silence',
    '8 clerk bounded 300000 silence',
    '9 clerk bounded 300000 silence',
    '12 linear bounded 300000 silence',
    '13 planetscale bounded 300000 silence',
    '15 zod-bird bounded 300000 silence',
  ])
})

test('Meilisearch has a timeout of its own, which was over at the headers before 0.45', () => {
  const code = `import { MeiliSearch } from 'meilisearch'
const search = new MeiliSearch({ host: 'http://m' })
await search.index('a').search('b')
await new MeiliSearch({ host: 'http://m', timeout: 2000 }).multiSearch({ queries: [] })`
  const at = (version: string) => callLines(scanTexts({ files: { 'code.ts': code }, versions: { meilisearch: version } }))
  expect(at('0.62.0')).toEqual(['3 meilisearch bounded 300000 silence', '4 meilisearch bounded 2000 total'])
  expect(at('0.36.0')).toEqual(['3 meilisearch bounded 300000 silence', '4 meilisearch bounded 2000 headers'])
})

test('a client of Twilio that is handed around is judged where it is made', () => {
  const scanned = scanTexts(`import Twilio from 'twilio'
import { keep } from './kept.js'
keep('a', { client: Twilio('a', 'b', { accountSid: 'c' }), service: 'd' })
keep('b', { client: Twilio('a', 'b', { timeout: 900 }), service: 'd' })`)
  expect(findingLines(scanned)).toEqual(['code.ts:3 default-bound'])
})

test('before 5.3.6 Twilio takes its timeout with the client of HTTP alone', () => {
  const at = (version: string) =>
    scanTexts({
      files: { 'code.ts': `import twilio from 'twilio'\nexport const phone = twilio('a', 'b', { timeout: 900 })` },
      versions: { twilio: version },
    }).diagnostics.map(({ suggestion }) => suggestion?.text)
  expect(at('5.3.6')).toEqual([])
  expect(at('4.19.3')).toEqual(['set a limit: httpClient: new RequestClient({ timeout: … }) (ms) where the client is made'])
})
