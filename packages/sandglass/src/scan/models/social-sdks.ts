import type { CallShape, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'

const RACE = 'a race with a timer'
const plain = (method: RegExp, optionsAt = -1): readonly CallShape[] => [{ on: 'client', method, optionsAt }]

const rows: readonly PlainSdk[] = [
  {
    id: 'twitter-api-v2',
    packages: ['twitter-api-v2'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['', 'TwitterApi'],
        types: ['TwitterApi', 'TwitterApiReadWrite', 'TwitterApiReadOnly'],
        optionsAt: 1,
        isFirstPlain: true,
      },
    ],
    calls: [
      ...plain(/^((readOnly|readWrite|v1|v2)\.)*(get|post|put|patch|delete)$/, 2),
      ...plain(
        /^((readOnly|readWrite|v1|v2)\.)*(generateAuthLink|login|loginWithOAuth2|appLogin|(refresh|revoke)OAuth2Token|currentUser(V2)?|me|verifyCredentials|tweet|tweetThread|reply|quote|deleteTweet|singleTweet|tweets|tweetLikedBy|tweetRetweetedBy|search|searchAll|retweet|unretweet|like|unlike|follow|unfollow|user|users|userByUsername|usersByUsernames|followers|following|userTimeline|userMentionTimeline|homeTimeline|userLikedTweets|uploadMedia|createMediaMetadata|sendDmToParticipant|sendDmInConversation)$/,
      ),
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    replacedBy: ['httpAgent', 'plugins'],
    remedy: RACE,
  },
  {
    id: 'atproto',
    packages: ['@atproto/api'],
    clients: [{ kind: 'client', on: null, made: ['BskyAgent', 'AtpAgent'], types: ['BskyAgent', 'AtpAgent'], optionsAt: 0 }],
    calls: plain(
      /^(login|resumeSession|createAccount|post|deletePost|like|deleteLike|repost|deleteRepost|follow|deleteFollow|mute|unmute|uploadBlob|upsertProfile|resolveHandle|updateHandle|get[A-Z]\w*(?<!getLabelers)|search[A-Z]\w*|list[A-Z]\w*|(api\.)?(com|app|chat)(\.[a-z]\w*){3})$/,
      1,
    ),
    over: { '>=0.13': 'fetch' },
    signal: 'signal',
    replacedBy: ['fetch'],
    setBy: ['BskyAgent.configure', 'AtpAgent.configure', 'setFetchHandler'],
    remedy: 'fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) }) where the client is made',
  },
  {
    id: 'node-telegram-bot-api',
    packages: ['node-telegram-bot-api'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: 1, isFirstPlain: true }],
    calls: plain(
      /^(send[A-Z]\w*|get(Me|File|FileLink|Chat\w*|UserProfilePhotos|MyCommands|StickerSet|WebHookInfo)|edit[A-Z]\w*|delete[A-Z]\w*|(pin|unpin|ban|unban|restrict|promote)Chat\w+|answer[A-Z]\w*|forwardMessages?|copyMessages?|setMyCommands|setWebHook|logOut|leaveChat)$/,
    ),
    over: 'forever',
    limit: { setting: 'request.timeout', kind: 'silence' },
    replacedBy: ['request'],
    remedy: 'request: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'grammy',
    packages: ['grammy'],
    clients: [{ kind: 'client', on: null, made: ['Bot'], types: ['Bot'], optionsAt: 1, isFirstPlain: true }],
    calls: plain(/^api\.(send|edit|delete|get|set|answer|forward|copy|pin|unpin|ban|unban|leave)[A-Z]\w*$/),
    over: 'forever',
    limit: { setting: 'client.timeoutSeconds', kind: 'total', unitMs: 1000, hasDefault: true },
    remedy: 'client: { timeoutSeconds: … } where the bot is made',
  },
  {
    id: 'neynar',
    packages: ['@neynar/nodejs-sdk'],
    clients: [{ kind: 'client', on: null, made: ['NeynarAPIClient'], types: ['NeynarAPIClient'], optionsAt: 0 }],
    calls: plain(/^(fetch|lookup|search|publish|delete|register|create|update|follow|unfollow|validate|get)[A-Z]\w*$/),
    over: 'forever',
    limit: { setting: 'baseOptions.timeout', kind: 'silence' },
    replacedBy: ['baseOptions'],
    remedy: 'baseOptions: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'facebook-business',
    packages: ['facebook-nodejs-business-sdk'],
    clients: [{ kind: 'client', on: null, made: ['EventRequest'], types: ['EventRequest'], optionsAt: -1 }],
    calls: plain(/^(set(?!HttpService)\w+\(\)\.)*execute$/),
    over: 'forever',
    setBy: ['HttpServiceClientConfig.setClient', 'setHttpService'],
    remedy: RACE,
  },
  {
    id: 'app-store-server',
    packages: ['@apple/app-store-server-library'],
    clients: [{ kind: 'client', on: null, made: ['AppStoreServerAPIClient'], types: ['AppStoreServerAPIClient'], optionsAt: -1 }],
    calls: plain(/^((get|request|lookUp|send|extend|set)[A-Z]\w*|massExtendSubscriptionRenewalDate|abortRetentionMessage)$/),
    over: 'forever',
    remedy: RACE,
  },
]

/** Networks, messengers and stores of others. */
export const socialSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
