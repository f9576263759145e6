import { boundedBy } from '@sandglass/runtime/core'
import { ends, never, seenAs } from '../client-case.js'
import { type CaseRow, casesOf } from './case-rows.js'

const rows: readonly CaseRow[] = [
  {
    library: 'oauth',
    at: 'oauth@0.10.2',
    code: () => `
import { OAuth2 } from 'oauth'
const oauth = new OAuth2('a', 'b', process.env.PEER_URL + '/')
export const run = () => new Promise((yes, no) => {
  oauth.getOAuthAccessToken('c', {}, (error) => (error ? no(error) : yes())) // measured
})
`,
    cases: [{ set: '', expected: { state: 'unbounded' }, seen: seenAs.nothing() }],
  },
  {
    library: 'jwks-rsa',
    at: 'jwks-rsa@4.1.0',
    code: (options) => `
import jwks from 'jwks-rsa'
const keys = jwks({ jwksUri: process.env.PEER_URL, ${options} })
export const run = () => keys.getSigningKey('a') // measured
`,
    cases: [
      { set: '', expected: boundedBy(30_000, 'headers'), seen: { hang: ends(30_000) } },
      {
        set: 'timeout: 300',
        expected: boundedBy(300, 'headers'),
        seen: seenAs.headers(300),
        more: { note: 'the body is let go, and who asked waits on' },
      },
    ],
  },
  {
    library: 'bitbucket',
    at: 'bitbucket@2.12.0',
    code: (options) => `
import bitbucket from 'bitbucket'
const code = new bitbucket.Bitbucket({ baseUrl: process.env.PEER_URL, notice: false, ${options} })
export const run = () => code.users.getAuthedUser({}) // measured
`,
    cases: [
      { set: '', expected: { state: 'unbounded' }, seen: seenAs.nothing() },
      { set: 'request: { timeout: 300 }', expected: boundedBy(300, 'silence'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'gitea-js',
    at: 'gitea-js@1.23.0',
    code: (options) => `
import { giteaApi } from 'gitea-js'
const code = giteaApi(process.env.PEER_URL, { token: 'a' })
export const run = () => code.repos.repoGet('a', 'b', { ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(300_000, 'silence'), seen: { hang: ends([300_000, 303_000]) } },
      { set: 'signal: AbortSignal.timeout(300)', as: 'a signal', expected: boundedBy(300, 'total'), seen: seenAs.total(300) },
    ],
  },
  {
    library: 'square',
    at: 'square@46.0.0',
    code: (options) => `
import { SquareClient } from 'square'
const square = new SquareClient({ token: 'a', environment: process.env.PEER_URL, ${options} })
export const run = () => square.locations.list() // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'headers'), seen: { hang: ends(60_000) } },
      { set: 'timeoutInSeconds: 1', expected: boundedBy(1000, 'headers'), seen: { hang: ends(1000), stall: never } },
    ],
  },
  {
    library: 'cloudflare',
    at: 'cloudflare@7.3.0',
    code: (options) => `
import Cloudflare from 'cloudflare'
const cloud = new Cloudflare({ apiToken: 'a', baseURL: process.env.PEER_URL, ${options} })
export const run = () => cloud.user.get() // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(60_000, 'headers'),
        seen: { hang: ends([180_000, 184_000]) },
        more: { worstMs: [181_500, 181_500], attempts: 3 },
      },
      { set: 'timeout: 300, maxRetries: 0', expected: boundedBy(300, 'headers'), seen: { hang: ends(300), stall: never } },
    ],
  },
  {
    library: 'workos',
    at: '@workos-inc/node@8.13.0',
    code: (options) => `
import { WorkOS } from '@workos-inc/node'
const workos = new WorkOS('sk_a', { apiHostname: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), https: false, ${options} })
export const run = () => workos.userManagement.getUser('a') // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'headers'), seen: { hang: ends(60_000) } },
      { set: 'timeout: 300', expected: boundedBy(300, 'headers'), seen: { hang: ends(300), stall: never } },
    ],
  },
  {
    library: 'node-vault',
    at: 'node-vault@0.12.0',
    code: (options) => `
import vault from 'node-vault'
const secrets = vault({ endpoint: process.env.PEER_URL, token: 'a', ${options} })
export const run = () => secrets.read('secret/a') // measured
`,
    cases: [
      { set: '', expected: { state: 'unbounded' }, seen: seenAs.nothing() },
      { set: 'requestOptions: { timeout: 300 }', expected: boundedBy(300, 'silence'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'consul',
    at: 'consul@2.0.1',
    code: (options) => `
import Consul from 'consul'
const consul = new Consul({ host: process.env.PEER_HOST, port: process.env.PEER_PORT })
export const run = () => consul.kv.get({ key: 'a', ${options} }) // measured
`,
    cases: [
      { set: '', expected: { state: 'unbounded' }, seen: seenAs.nothing() },
      { set: 'timeout: 300', expected: boundedBy(300, 'total'), seen: seenAs.total(300) },
    ],
  },
]

/** What pays, lets in, keeps code and secrets. */
export const businessSdkCases = casesOf(rows)
