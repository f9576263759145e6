import { spotOf } from '../syntax/module.js'
import { configured } from './configured.js'
import type { CallShape, Client, LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_RACE } from './row-parts.js'

const plain = (method: RegExp, optionsAt = -1): readonly CallShape[] => [{ on: 'client', method, optionsAt }]

const rows: readonly PlainSdk[] = [
  {
    id: 'customerio-node',
    packages: ['customerio-node'],
    clients: [
      { kind: 'client', on: null, made: ['TrackClient'], types: ['TrackClient'], optionsAt: 2 },
      { kind: 'client', on: null, made: ['APIClient'], types: ['APIClient'], optionsAt: 1, isFirstPlain: true },
    ],
    calls: plain(
      /^(identify|destroy|suppress|unsuppress|track\w*|(add|delete)Device|mergeCustomers|send[A-Z]\w*|triggerBroadcast|request\.(get|post|put|destroy)|(get|list|create|download)[A-Z]\w*)$/,
    ),
    over: { '>=3': 'forever' },
    replacedBy: ['agent'],
    remedy: 'a race with a timer: nothing listens to the timeout of the client',
  },
  {
    id: 'onesignal',
    packages: ['@onesignal/node-onesignal'],
    clients: [{ kind: 'client', on: null, made: ['DefaultApi'], types: ['DefaultApi'], optionsAt: -1 }],
    calls: plain(/^(create|get|update|delete|cancel|fetch|identify|view|export|list|start|end|begin|copy|rotate|transfer)[A-Z]\w*$/),
    optionsOf: ({ client }) => configured(client?.args[0]),
    over: { '<5': 'forever', '>=5.3': 'fetch' },
    replacedBy: ['httpApi'],
    remedy: 'a race with a timer, or createConfiguration({ httpApi: … }) that gives up',
  },
  {
    id: 'expo-server-sdk',
    packages: ['expo-server-sdk'],
    clients: [{ kind: 'client', on: null, made: ['', 'Expo'], types: ['Expo', ''], optionsAt: 0 }],
    calls: plain(/^(sendPushNotificationsAsync|getPushNotificationReceiptsAsync)$/),
    over: { '<5': 'forever', '>=5': 'fetch' },
    replacedBy: ['httpAgent'],
    remedy: ({ version }) =>
      version !== null && Number.parseInt(version, 10) < 5
        ? BY_RACE
        : 'httpAgent: new Agent({ headersTimeout: …, bodyTimeout: … }) of undici (ms)',
  },
  {
    id: 'intercom-client',
    packages: ['intercom-client'],
    clients: [{ kind: 'client', on: null, made: ['IntercomClient'], types: ['IntercomClient'], optionsAt: 0 }],
    calls: plain(/^[a-z]\w*\.[a-z]\w*$/, 1),
    over: { '>=6': 'forever' },
    limit: { setting: 'timeoutInSeconds', kind: 'headers', unitMs: 1000, hasDefault: true },
    replacedBy: ['fetcher'],
    remedy: 'timeoutInSeconds: …',
  },
  {
    id: 'airtable',
    packages: ['airtable'],
    clients: [
      { kind: 'client', on: null, made: ['', 'Airtable'], types: ['', 'Airtable'], optionsAt: 0 },
      { kind: 'base', on: 'client', made: ['base'], optionsAt: -1 },
      { kind: 'base', on: null, made: ['base'], optionsAt: -1 },
      { kind: 'table', on: 'base', made: [''], optionsAt: -1 },
    ],
    calls: [{ on: 'table', method: /^(find|create|update|replace|destroy|select\(\)\.(firstPage|all|eachPage))$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'requestTimeout', kind: 'headers', hasDefault: true },
    setBy: ['configure'],
    remedy: 'requestTimeout: … (ms) where the client is made',
  },
  {
    id: 'spotify-web-api-node',
    packages: ['spotify-web-api-node'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: -1 }],
    calls: plain(
      /^(get(?!(Credentials|RedirectURI|ClientId|ClientSecret|AccessToken|RefreshToken)$)[A-Z]\w*|search\w*|(create|follow|unfollow|change|upload|add|remove|replace|reorder|contains|transfer|skip|isFollowing|areFollowing)[A-Z]\w*|play|pause|seek|clientCredentialsGrant|authorizationCodeGrant|refreshAccessToken)$/,
    ),
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'sns-validator',
    packages: ['sns-validator'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: -1 }],
    calls: plain(/^validate$/),
    over: 'forever',
    remedy: 'a race with a timer: it gets the certificate without a limit',
  },
  {
    id: 'winston-cloudwatch',
    packages: ['winston-cloudwatch'],
    calls: [{ on: null, method: /^$/, optionsAt: 0, isNew: true }],
    over: 'forever',
    limit: { setting: 'awsOptions.requestHandler.requestTimeout', kind: 'total' },
    replacedBy: ['cloudWatchLogs', 'awsOptions'],
    remedy: 'awsOptions: { requestHandler: { requestTimeout: …, throwOnRequestTimeout: true } } (ms)',
  },
]

const firebase = plainSdk({
  id: 'firebase-admin',
  packages: ['firebase-admin', 'firebase-admin/app', 'firebase-admin/auth', 'firebase-admin/messaging'],
  clients: [
    { kind: 'app', on: null, made: ['initializeApp', 'app'], types: ['App', 'app.App'], optionsAt: -1 },
    {
      kind: 'client',
      on: null,
      made: ['auth', 'messaging', 'getAuth', 'getMessaging'],
      types: ['Auth', 'Messaging', 'auth.Auth', 'messaging.Messaging'],
      optionsAt: -1,
    },
    { kind: 'client', on: 'app', made: ['auth', 'messaging'], optionsAt: -1 },
  ],
  calls: plain(
    /^(verify(IdToken|SessionCookie)|createSessionCookie|getUser\w*|listUsers|(create|update|delete)Users?|importUsers|setCustomUserClaims|revokeRefreshTokens|generate\w+Link|send\w*|(un)?subscribe(To|From)Topic)$/,
  ),
  // The keys and the token are fetched without one, whatever limit the request itself has.
  over: 'forever',
  remedy: 'a race with a timer around the call: the keys and the token of Google are fetched without a limit',
})

/** All calls of the one application wait where that is made. */
const firebaseModel: LibraryModel = { ...firebase, read: (site) => firebase.read({ ...site, client: applicationOf(site) ?? site.client }) }

function applicationOf({ uses }: Site): Client | null {
  const [first, ...more] = ['firebase-admin', 'firebase-admin/app'].flatMap((name) => uses.callsOf(`${name}:initializeApp`))
  if (!first || more.length > 0) return null
  const { args, at } = first
  const spot = spotOf(at.node, at.module)
  return { kind: 'app', madeBy: 'initializeApp', options: undefined, args, parent: null, at, spot, identity: null, others: [] }
}

/** What tells people something, and what says who they are. */
export const noticeSdkModels: readonly LibraryModel[] = [...rows.map(plainSdk), firebaseModel]
