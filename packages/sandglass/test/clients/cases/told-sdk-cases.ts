import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const posthog = { library: 'posthog-node', packages: ['posthog-node@5.70.0'] } as const
const captured = (options: string) => `
import { PostHog } from 'posthog-node'
const posthog = new PostHog('a', { host: process.env.PEER_URL, ${options} })
posthog.capture({ distinctId: 'a', event: 'b' })
export const run = () => posthog.flush() // measured
`

/** PostHog over the fetch of Node, with a signal of its own. */
const posthogCases: readonly ClientCase[] = [
  {
    ...posthog,
    name: 'posthog-node: nothing set',
    setting: 'nothing',
    code: captured(''),
    expected: boundedBy(10_000, 'headers'),
    worstMs: [49_000, 50_000],
    attempts: 4,
    seen: { hang: ends([49_000, 50_500]) },
    note: 'four times, 3 s apart',
  },
  {
    ...posthog,
    name: 'posthog-node: requestTimeout, no retries',
    setting: 'requestTimeout: 300, fetchRetryCount: 0',
    code: captured('requestTimeout: 300, fetchRetryCount: 0'),
    expected: boundedBy(300, 'headers'),
    seen: { hang: ends(300) },
  },
]

const mixpanelCases: readonly ClientCase[] = [
  {
    library: 'mixpanel',
    packages: ['mixpanel@0.24.0'],
    name: 'mixpanel: nothing set',
    setting: 'nothing',
    code: `
import mixpanel from 'mixpanel'
const counts = mixpanel.init('a', { protocol: 'http', host: \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\` })
export const run = () => new Promise((yes, no) => {
  counts.track('a', {}, (error) => (error ? no(error) : yes())) // measured
})
`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
]

const svix = { library: 'svix', packages: ['svix@1.99.1'] } as const
const sent = (options: string) => `
import { Svix } from 'svix'
const svix = new Svix('a', { serverUrl: process.env.PEER_URL, ${options} })
export const run = () => svix.message.create('a', { eventType: 'a', payload: {} }) // measured
`

/** Svix over the fetch of Node. */
const svixCases: readonly ClientCase[] = [
  {
    ...svix,
    name: 'svix: requestTimeout',
    setting: 'requestTimeout: 300, retryScheduleInMs: []',
    code: sent('requestTimeout: 300, retryScheduleInMs: []'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
    isOnlyMeasured: true,
  },
]

const pusher = { library: 'pusher', packages: ['pusher@5.3.4'] } as const
const pushed = (options: string) => `
import Pusher from 'pusher'
const pusher = new Pusher({ appId: '1', key: 'a', secret: 'b', host: process.env.PEER_HOST, port: process.env.PEER_PORT, useTLS: false, ${options} })
export const run = () => pusher.trigger('a', 'b', {}) // measured
`

/** Pusher over node-fetch 2. */
const pusherCases: readonly ClientCase[] = [
  {
    ...pusher,
    name: 'pusher: nothing set',
    setting: 'nothing',
    code: pushed(''),
    expected: { state: 'unbounded' },
    seen: { hang: never },
  },
  {
    ...pusher,
    name: 'pusher: timeout',
    setting: 'timeout: 300',
    code: pushed('timeout: 300'),
    expected: boundedBy(300, 'headers'),
    seen: { hang: ends(300) },
    note: 'it answers with the headers',
  },
]

const mailgun = { library: 'mailgun.js', packages: ['mailgun.js@14.0.1'] } as const
const mailed = (options: string) => `
import Mailgun from 'mailgun.js'
const mails = new Mailgun(FormData).client({ username: 'api', key: 'a', url: process.env.PEER_URL, ${options} })
export const run = () => mails.messages.create('a.a', { from: 'a@a.a', to: 'b@b.b', subject: 'c', text: 'd' }) // measured
`

/** Mailgun over axios. */
const mailgunCases: readonly ClientCase[] = [
  {
    ...mailgun,
    name: 'mailgun.js: nothing set',
    setting: 'nothing',
    code: mailed(''),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...mailgun,
    name: 'mailgun.js: timeout',
    setting: 'timeout: 300',
    code: mailed('timeout: 300'),
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
]

const mandrill = { library: 'mailchimp-transactional', packages: ['@mailchimp/mailchimp_transactional@1.4.1'] } as const
const pinged = (time: string) => `
import mailchimp from '@mailchimp/mailchimp_transactional'
const mails = mailchimp('a')
mails.basePath = process.env.PEER_URL
${time}
export const run = () => mails.users.ping() // measured
`

/** Mandrill over axios; it gives an error back as an answer. */
const mandrillCases: readonly ClientCase[] = [
  {
    ...mandrill,
    name: 'mailchimp-transactional: nothing set',
    setting: 'nothing',
    code: pinged(''),
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000, { how: 'resolves' }) },
    note: 'gives its error back as an answer',
  },
  {
    ...mandrill,
    name: 'mailchimp-transactional: setDefaultTimeoutMs',
    setting: 'setDefaultTimeoutMs(300)',
    code: pinged('mails.setDefaultTimeoutMs(300)'),
    expected: boundedBy(300, 'silence'),
    seen: { hang: ends(300, { how: 'resolves' }), stall: ends(300, { how: 'resolves' }), drip: never },
    isOnlyMeasured: true,
  },
]

const telegrafCases: readonly ClientCase[] = [
  {
    library: 'telegraf',
    packages: ['telegraf@4.16.3'],
    name: 'telegraf: nothing set',
    setting: 'nothing',
    code: `
import { Telegram } from 'telegraf'
const telegram = new Telegram('a', { apiRoot: process.env.PEER_URL })
export const run = () => telegram.getMe() // measured
`,
    expected: boundedBy(500_000, 'total'),
    seen: { hang: ends(500_000) },
    isOnlyMeasured: true,
    note: 'no option changes it',
  },
]

const sentryCases: readonly ClientCase[] = ['', '300'].map((time) => ({
  library: 'sentry',
  packages: ['@sentry/node@10.56.0'],
  name: `sentry: flush(${time})`,
  setting: `flush(${time})`,
  code: `
import * as Sentry from '@sentry/node'
Sentry.init({ dsn: \`http://a@\${process.env.PEER_HOST}:\${process.env.PEER_PORT}/1\`, defaultIntegrations: false })
Sentry.captureMessage('a')
export const run = () => Sentry.flush(${time}) // measured
`,
  expected: time ? boundedBy(300, 'total') : { state: 'unbounded' },
  cancelsWork: null,
  seen: { hang: time ? ends(300, { how: 'resolves', cancelsWork: null }) : never },
  ...(time ? { note: 'gives false; the request goes on' } : {}),
}))

/** What is told of events, messages and mistakes. */
export const toldSdkCases: readonly ClientCase[] = [
  ...posthogCases,
  ...mixpanelCases,
  ...svixCases,
  ...pusherCases,
  ...mailgunCases,
  ...mandrillCases,
  ...telegrafCases,
  ...sentryCases,
]
