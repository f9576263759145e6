import { readingOf } from '../limits/reading.js'
import { unknownTerm } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { onClient } from './row-parts.js'

/** Strategies of Passport that ask by the package `oauth`, which sets no limit. */
const OVER_OAUTH = (
  'passport-oauth passport-oauth1 passport-oauth2 passport-openidconnect passport-github passport-github2 passport-gitlab2 ' +
  'passport-bitbucket-oauth2 passport-google-oauth passport-google-oauth1 passport-google-oauth2 passport-google-oauth20 ' +
  'passport-google-oidc passport-facebook passport-instagram passport-twitter @superfaceai/passport-twitter-oauth2 passport-discord ' +
  'passport-linkedin-oauth2 passport-microsoft passport-azure-ad-oauth2 passport-amazon passport-apple passport-atlassian-oauth2 ' +
  'passport-auth0 passport-okta-oauth20 passport-slack-oauth2 passport-spotify passport-twitch-strategy passport-kakao passport-yahoo-oauth'
).split(' ')

/** Those that others are made of: they ask for no profile by themselves. */
const PLAIN: ReadonlySet<string | null> = new Set(['passport-oauth', 'passport-oauth1', 'passport-oauth2'])
/** OAuth 1 asks by a client that takes no agent, as that of OAuth 2 does. */
const OF_OAUTH_1: ReadonlySet<string | null> = new Set(['passport-oauth1', 'passport-google-oauth1', 'passport-twitter'])

const whatOf = ({ takenFrom }: Site) => `the token${PLAIN.has(takenFrom) ? '' : ' and the profile'} of who signs in`
const remedyOf = ({ takenFrom }: Site) =>
  OF_OAUTH_1.has(takenFrom)
    ? 'a race with a timer around what signs in: the strategy takes no option and no agent for it'
    : 'strategy._oauth2.setAgent(…) with an agent whose sockets end by themselves: the strategy has no option for it'

const strategy = plainSdk({
  id: 'passport-oauth2',
  packages: OVER_OAUTH,
  clients: [{ kind: 'strategy', on: null, made: /^(default\.)?(\w*Strategy)?$/, optionsAt: 0, isJudged: true }],
  calls: [],
  what: whatOf,
  over: 'forever',
  remedy: remedyOf,
})

/** What a strategy asks by may be replaced, from outside or in a class that extends it. */
const strategyModel: LibraryModel = {
  ...strategy,
  read: (site) => {
    const name = replacerIn(site)
    if (name === null) return strategy.read(site)
    return readingOf({
      phases: [{ what: whatOf(site), kind: 'total', limit: { state: 'unknown', name, why: 'it may end what is asked' } }],
      remedy: remedyOf(site),
    })
  },
}

const REPLACERS = /\b_?oauth2?\.(setAgent|_executeRequest|_request|getOAuthAccessToken)\b/i

function replacerIn({ at }: Site): string | null {
  return REPLACERS.exec(at.module.source.text)?.[1] ?? null
}

const rows: readonly PlainSdk[] = [
  {
    id: 'oauth',
    packages: ['oauth'],
    clients: [{ kind: 'client', on: null, made: ['OAuth2', 'OAuth', 'OAuthEcho'], types: ['OAuth2', 'OAuth'], optionsAt: -1 }],
    calls: [onClient(/^(getOAuthAccessToken|getOAuthRequestToken|getProtectedResource|get|put|post|patch|delete)$/)],
    over: 'forever',
    setBy: ['setAgent'],
    remedy: ({ client }) =>
      client?.madeBy === 'OAuth2'
        ? 'setAgent(…) with an agent whose sockets end by themselves: the client has no option for it'
        : 'a race with a timer: the client has no option for it, and only OAuth2 takes an agent',
  },
  {
    id: 'jwks-rsa',
    packages: ['jwks-rsa'],
    clients: [{ kind: 'client', on: null, made: ['', 'JwksClient'], types: ['JwksClient'], optionsAt: 0 }],
    calls: [
      onClient(/^(getSigningKeys?|getKeys)$/),
      { on: null, method: /^(passportJwtSecret|expressJwtSecret|hapiJwt2Key|hapiJwt2KeyAsync|koaJwtSecret)$/, optionsAt: 0 },
    ],
    what: 'the keys that tokens are signed with',
    over: 'forever',
    limit: { setting: 'timeout', kind: 'headers', hasDefault: true },
    limitedBy: ['fetcher'],
    remedy: 'timeout: … (ms)',
  },
]

/** A directory that is asked over ldapjs: what it is asked has no limit but what is set. */
const directory = (id: string, made: RegExp, setting: string): PlainSdk => ({
  id,
  packages: [id],
  clients: [{ kind: 'directory', on: null, made, types: ['', 'default'], optionsAt: 0, isJudged: true }],
  calls: [],
  what: 'the answer of the directory',
  optionsOf: ({ client }) => (client?.args[0]?.kind === 'function' ? unknownTerm('a function gives its options') : undefined),
  over: 'forever',
  limit: { setting, kind: 'total' },
  remedy: `${setting}: … (ms)`,
})

const directories: readonly PlainSdk[] = [
  directory('passport-ldapauth', /^(default|Strategy)?$/, 'server.timeout'),
  directory('ldapauth-fork', /^(default)?$/, 'timeout'),
]

/** What lets people sign in. */
export const loginSdkModels: readonly LibraryModel[] = [strategyModel, ...rows.map(plainSdk), ...directories.map(plainSdk)]
