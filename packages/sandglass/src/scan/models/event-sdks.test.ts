import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('what PostHog sends has 10 s, four times', () => {
  const scanned = scanTexts(`import { PostHog } from 'posthog-node'
const posthog = new PostHog('a', { host: 'https://a' })
await posthog.flush()
posthog.capture({ distinctId: 'a', event: 'b' })
await new PostHog('a', { requestTimeout: 500, fetchRetryCount: 0 }).captureImmediate({})`)
  expect(callLines(scanned)).toEqual(['3 posthog-node bounded 10000 headers', '5 posthog-node bounded 500 headers'])
  expect(scanned.calls[0]?.worstMs).toBe(49_000)
})

test('counts and pushes that nobody waits for are none', () => {
  expect(
    lines(`import Mixpanel from 'mixpanel'
import Pusher from 'pusher'
const counts = Mixpanel.init('a')
counts.track('a', {})
counts.people.set('a', {}, (error) => done(error))
const pusher = new Pusher({ appId: 'a' })
pusher.trigger('a', 'b', {})
await pusher.trigger('a', 'b', {})
await Pusher.forURL(process.env.URL, { timeout: 500 }).trigger('a', 'b', {})`),
  ).toEqual(['5 mixpanel unbounded', '8 pusher unbounded', '9 pusher bounded 500 headers'])
})

test('messages and payments', () => {
  const code = `import { Svix } from 'svix'
import Mailgun from 'mailgun.js'
import mailchimp from '@mailchimp/mailchimp_transactional'
import { Telegraf } from 'telegraf'
import Razorpay from 'razorpay'
await new Svix(process.env.KEY).message.create('a', {})
await new Svix(process.env.KEY, { requestTimeout: 500 }).endpoint.list('a')
const mailgun = new Mailgun(FormData)
await mailgun.client({ username: 'api', key: 'a' }).messages.create('a', {})
await mailgun.client({ username: 'api', key: 'a', timeout: 600 }).messages.create('a', {})
await mailchimp('a').messages.send({})
await new Telegraf('a').telegram.sendMessage(1, 'a')
await new Razorpay({ key_id: 'a' }).orders.create({})`
  expect(lines(code, { svix: '1.99.1', telegraf: '4.16.3' })).toEqual([
    '6 svix bounded 300000 silence',
    '7 svix bounded 500 total',
    '9 mailgun.js unbounded',
    '10 mailgun.js bounded 600 silence',
    '11 mailchimp-transactional bounded 300000 silence',
    '12 telegraf bounded 500000 total',
    '13 razorpay unbounded',
  ])
  expect(lines(code).slice(0, 1)).toEqual(['6 svix unknown'])
})

test('messages of Pushover have no limit, whatever its request is given', () => {
  expect(
    lines(`const Pushover = require('pushover-notifications')
const pushover = new Pushover({ token: 'a', httpOptions: { timeout: 500 } })
pushover.send({ message: 'a' }, done)`),
  ).toEqual(['3 pushover-notifications unbounded'])
})
