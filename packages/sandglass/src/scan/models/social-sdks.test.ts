import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('twitter-api-v2 waits without a limit, but where a request has one or an agent is given', () => {
  const code = `import { TwitterApi } from 'twitter-api-v2'
const birds = new TwitterApi({ appKey: process.env.KEY! })
await birds.v2.tweet('a')
await birds.readOnly.v2.me()
await birds.v2.get('a', {}, { timeout: 900 })
birds.generateOAuth2AuthLink('https://a')
await new TwitterApi(process.env.KEY!, { httpAgent: agent }).v2.me()
const { client } = await birds.login('b')
export const send = (handed: TwitterApi) => handed.v1.uploadMedia('c')`
  expect(lines(code)).toEqual([
    '3 twitter-api-v2 unbounded',
    '4 twitter-api-v2 unbounded',
    '5 twitter-api-v2 bounded 900 silence',
    '7 twitter-api-v2 unknown',
    '8 twitter-api-v2 unbounded',
    '9 twitter-api-v2 unknown',
  ])
  expect(findingLines(scanTexts(code))).toEqual(['code.ts:2 unbounded-call'])
})

test('agents of the AT protocol wait as fetch does', () => {
  const code = `import { BskyAgent, AtpAgent } from '@atproto/api'
const agent = new BskyAgent({ service: 'https://a' })
await agent.login({ identifier: 'a', password: 'b' })
await agent.getProfile({ actor: 'a' }, { signal: AbortSignal.timeout(700) })
await new AtpAgent({ service: 'https://a', fetch: own }).com.atproto.server.getServiceAuth({})
await agent.com.atproto.server.getServiceAuth({})
agent.withProxy('a', 'b')`
  const limited = ['4 atproto bounded 700 total', '5 atproto unknown']
  expect(lines(code, { '@atproto/api': '0.15.27' })).toEqual([
    '3 atproto bounded 300000 silence',
    ...limited,
    '6 atproto bounded 300000 silence',
  ])
  expect(lines(code)).toEqual(['3 atproto unknown', ...limited, '6 atproto unknown'])
})

test('robots of Telegram: one waits for ever, the other for 500 s', () => {
  const code = `import TelegramBot from 'node-telegram-bot-api'
import { Bot } from 'grammy'
const robot = new TelegramBot(process.env.TOKEN!)
await robot.sendMessage(1, 'a')
robot.on('message', () => 1)
await new TelegramBot(process.env.TOKEN!, { request: { timeout: 600 } }).getMe()
const bot = new Bot(process.env.TOKEN!)
await bot.api.sendMessage(1, 'a')
await new Bot('t', { client: { timeoutSeconds: 8 } }).api.getMe()`
  expect(lines(code)).toEqual([
    '4 node-telegram-bot-api unbounded',
    '6 node-telegram-bot-api bounded 600 silence',
    '8 grammy bounded 500000 total',
    '9 grammy bounded 8000 total',
  ])
})

test('Neynar, the events of Facebook and the App Store', () => {
  const code = `import { NeynarAPIClient, Configuration } from '@neynar/nodejs-sdk'
import { EventRequest } from 'facebook-nodejs-business-sdk'
import { AppStoreServerAPIClient } from '@apple/app-store-server-library'
await new NeynarAPIClient({ apiKey: 'a' }).lookupSigner({ signerUuid: 'a' })
await new NeynarAPIClient({ apiKey: 'a', baseOptions: { timeout: 400 } }).lookupSigner({ signerUuid: 'a' })
await new NeynarAPIClient(new Configuration({ apiKey: 'a' })).lookupSigner({ signerUuid: 'a' })
await new EventRequest('a', 'b').setEvents([]).execute()
await new EventRequest('a', 'b').setHttpService(own).setEvents([]).execute()
await new AppStoreServerAPIClient('k', 'i', 'u', 'b', 'Sandbox').getTransactionInfo('a')`
  expect(lines(code)).toEqual([
    '4 neynar unbounded',
    '5 neynar bounded 400 silence',
    '6 neynar unknown',
    '7 facebook-business unbounded',
    '9 app-store-server unbounded',
  ])
})
