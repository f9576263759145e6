import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('a strategy of Passport waits for ever for the token, however it is made', () => {
  const scanned = scanTexts(`import passport from 'passport'
import OAuth2Strategy from 'passport-oauth2'
import { Strategy as GitHubStrategy } from 'passport-github2'
import { OAuth2Strategy as Google } from 'passport-google-oauth'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy, type Profile } from 'passport-google-oauth20'
passport.use(new OAuth2Strategy({ tokenURL: 'https://a/token' }, () => {}))
passport.use('github', new GitHubStrategy({ clientID: 'a' }, () => {}))
passport.use(new Google({ clientID: 'a' }, () => {}))
export class GoogleStrategy extends PassportStrategy(Strategy, 'google') {
  constructor() {
    super({ clientID: process.env.ID })
  }
  validate(token: string, refresh: string, profile: Profile) { return profile }
}
class Own extends GitHubStrategy {
  constructor() { super({ clientID: 'b' }, () => {}) }
}
export const own = new Own()`)
  expect(findingLines(scanned)).toEqual([
    'code.ts:7 unbounded-call',
    'code.ts:8 unbounded-call',
    'code.ts:9 unbounded-call',
    'code.ts:12 unbounded-call',
    'code.ts:17 unbounded-call',
  ])
})

test('a strategy whose agent or requests are replaced is unknown, and one without OAuth is none', () => {
  const replaced = scanTexts(`import OAuth2Strategy from 'passport-oauth2'
import { agent } from './agent.js'
const strategy = new OAuth2Strategy({ tokenURL: 'https://a/token' }, () => {})
strategy._oauth2.setAgent(agent)
export default strategy`)
  expect(findingLines(replaced)).toEqual([])
  const local = scanTexts(`import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-local'
export class LocalStrategy extends PassportStrategy(Strategy) {
  constructor() { super({ usernameField: 'a' }) }
}`)
  expect(findingLines(local)).toEqual([])
})

test('oauth waits for ever, and jwks-rsa for half a minute', () => {
  const scanned = scanTexts({
    files: {
      'code.ts': `import { OAuth2 } from 'oauth'
import jwksClient, { passportJwtSecret } from 'jwks-rsa'
const oauth = new OAuth2('a', 'b', 'https://a/')
export const token = (code: string) => new Promise((yes) => oauth.getOAuthAccessToken(code, {}, yes))
const keys = jwksClient({ jwksUri: 'https://a/keys' })
export const key = (kid: string) => keys.getSigningKey(kid)
export const quick = (kid: string) => jwksClient({ jwksUri: 'https://a/keys', timeout: 900 }).getSigningKey(kid)
export const given = (kid: string) => jwksClient({ jwksUri: 'https://a/keys', fetcher: load }).getSigningKey(kid)
export const secret = passportJwtSecret({ jwksUri: 'https://a/keys' })`,
    },
    versions: { 'jwks-rsa': '4.1.0', oauth: '0.10.2' },
  })
  expect(callLines(scanned)).toEqual([
    '4 oauth unbounded',
    '6 jwks-rsa bounded 30000 headers',
    '7 jwks-rsa bounded 900 headers',
    '8 jwks-rsa unknown',
    '9 jwks-rsa bounded 30000 headers',
  ])
})

test('a directory is asked without a limit, unless one is set', () => {
  const scanned = scanTexts(`import LdapStrategy from 'passport-ldapauth'
import LdapAuth from 'ldapauth-fork'
export const one = new LdapStrategy({ server: { url: process.env.LDAP, searchBase: 'a', searchFilter: 'b' } })
export const two = new LdapStrategy({ server: { url: process.env.LDAP, timeout: 900 } })
export const three = new LdapStrategy((request, callback) => callback(null, given))
export const four = new LdapAuth({ url: process.env.LDAP, searchBase: 'a', searchFilter: 'b' })`)
  expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call', 'code.ts:6 unbounded-call'])
})

test('the client of OAuth 1 takes no agent, and a plain strategy asks for no profile', () => {
  const said = (name: string) =>
    scanTexts(`import { Strategy } from '${name}'\nexport const own = new Strategy({ consumerKey: 'a' }, () => {})`).diagnostics.map(
      ({ message, suggestion }) => `${/for (.*)$/.exec(message)?.[1]}: ${/agent whose sockets/.test(suggestion?.text ?? '')}`,
    )
  expect(said('passport-oauth1')).toEqual(['the token of who signs in: false'])
  expect(said('passport-twitter')).toEqual(['the token and the profile of who signs in: false'])
  expect(said('passport-oauth2')).toEqual(['the token of who signs in: true'])
  expect(said('passport-github2')).toEqual(['the token and the profile of who signs in: true'])
})
