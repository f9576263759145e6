import type { Node } from 'oxc-parser'
import { isLetGo } from '../calls/is-let-go.js'
import type { CallNode } from '../syntax/module.js'
import { bare } from '../syntax/walk.js'
import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_RACE } from './row-parts.js'

/** The wait before each retry of PostHog. */
const DELAY_MS = 3000

const rows: readonly PlainSdk[] = [
  {
    id: 'posthog-node',
    packages: ['posthog-node'],
    clients: [{ kind: 'client', on: null, made: ['', 'PostHog'], types: ['PostHog'], optionsAt: 1, isFirstPlain: true }],
    calls: [{ on: 'client', method: /^(flush|(capture|identify|alias|groupIdentify|captureException)Immediate)$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'requestTimeout', kind: 'headers', hasDefault: true },
    retries: { settings: ['fetchRetryCount'], hasDefault: true, waitMs: (retries) => [retries * DELAY_MS, retries * DELAY_MS] },
    remedy: 'requestTimeout: … (ms) where the client is made',
  },
  {
    id: 'mixpanel',
    packages: ['mixpanel'],
    clients: [{ kind: 'client', on: null, made: ['init'], types: ['Mixpanel'], optionsAt: -1 }],
    calls: [
      {
        on: 'client',
        method: /^(track|track_batch|import|import_batch|alias|(people|groups)\.[a-z]\w*)$/,
        optionsAt: -1,
        unless: isNotHeard,
      },
    ],
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'svix',
    packages: ['svix'],
    clients: [{ kind: 'client', on: null, made: ['Svix'], types: ['Svix'], optionsAt: 1, isFirstPlain: true }],
    calls: [
      {
        on: 'client',
        method:
          /^(application|authentication|endpoint|eventType|integration|message|messageAttempt|statistics|operationalWebhook\w*)(\.[a-z]\w*)+$/,
        optionsAt: -1,
      },
    ],
    over: { '>=1.80': 'fetch', '<=1.70': 'forever' },
    limit: { setting: 'requestTimeout', kind: 'total' },
    replacedBy: ['fetch'],
    retries: 'unknown',
    remedy: 'requestTimeout: … (ms) where the client is made',
  },
  {
    id: 'pusher',
    packages: ['pusher'],
    clients: [
      { kind: 'client', on: null, made: ['', 'forCluster'], types: [''], optionsAt: 0 },
      { kind: 'client', on: null, made: ['forURL'], optionsAt: 1, isFirstPlain: true },
    ],
    calls: [
      { on: 'client', method: /^(trigger|triggerBatch|sendToUser|get|post|terminateUserConnections)$/, optionsAt: -1, unless: isAlone },
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'headers' },
    replacedBy: ['agent'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'mailgun.js',
    packages: ['mailgun.js'],
    clients: [
      { kind: 'factory', on: null, made: ['', 'Mailgun'], types: ['', 'Mailgun'], optionsAt: -1 },
      { kind: 'client', on: 'factory', made: ['client'], optionsAt: 0 },
    ],
    calls: [
      {
        on: 'client',
        method: /^[a-z]\w*(\.[a-z]\w*)*\.(create|get|list|update|destroy|verify|add|delete|remove|assign|validate)\w*$/,
        optionsAt: -1,
      },
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    replacedBy: ['proxy'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'mailchimp-transactional',
    packages: ['@mailchimp/mailchimp_transactional'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: -1 }],
    calls: [{ on: 'client', method: /^[a-z]\w*\.[a-z]\w*$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    setBy: ['setDefaultTimeoutMs'],
    remedy: 'setDefaultTimeoutMs(…) of the client (ms)',
  },
  {
    id: 'telegraf',
    packages: ['telegraf'],
    clients: [
      { kind: 'bot', on: null, made: ['Telegraf'], types: ['Telegraf'], optionsAt: -1 },
      { kind: 'api', on: null, made: ['Telegram'], types: ['Telegram'], optionsAt: -1 },
    ],
    calls: [
      {
        on: 'bot',
        method: /^telegram\.(send|edit|get|set|delete|answer|forward|copy|pin|unpin|ban|unban|leave|export|create)\w*$/,
        optionsAt: -1,
      },
      { on: 'api', method: /^(send|edit|get|set|delete|answer|forward|copy|pin|unpin|ban|unban|leave|export|create)\w*$/, optionsAt: -1 },
    ],
    over: { '>=4': 'forever' },
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    remedy: BY_RACE,
  },
  {
    id: 'pushover-notifications',
    packages: ['pushover-notifications'],
    clients: [{ kind: 'client', on: null, made: ['', 'Pushover'], types: ['', 'Pushover'], optionsAt: -1 }],
    calls: [{ on: 'client', method: /^send$/, optionsAt: -1 }],
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'razorpay',
    packages: ['razorpay'],
    clients: [{ kind: 'client', on: null, made: ['', 'Razorpay'], types: [''], optionsAt: -1 }],
    calls: [
      {
        on: 'client',
        method:
          /^(accounts|stakeholders|payments|refunds|orders|customers|transfers|tokens|virtualAccounts|invoices|iins|paymentLink|plans|products|subscriptions|addons|settlements|qrCode|fundAccount|items|cards|webhooks|documents|disputes)\.[a-z]\w*$/,
        optionsAt: -1,
      },
    ],
    over: 'forever',
    remedy: BY_RACE,
  },
]

/** Nobody waits for what stands alone in a statement. */
function isAlone(node: CallNode): boolean {
  return node.parent?.type === 'ExpressionStatement' || isLetGo(node)
}

/** What counts things is only waited for where it calls back. */
function isNotHeard(node: CallNode): boolean {
  if (node.type === 'TaggedTemplateExpression') return true
  const last = node.arguments.at(-1)
  const kind = last ? bare(last as Node).type : null
  return kind !== 'ArrowFunctionExpression' && kind !== 'FunctionExpression'
}

/** What is told of events, messages and payments. */
export const eventSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
