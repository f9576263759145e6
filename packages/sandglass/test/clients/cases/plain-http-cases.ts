import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const request = { library: 'request', packages: ['request@2.88.2'] } as const
const asked = (options: string) => `
import request from 'request'
const { PEER_URL } = process.env
export const run = () => new Promise((resolve, reject) => {
  request.get(PEER_URL, ${options}, (error, answer) => (error ? reject(error) : resolve(answer))) // measured
})
`

/** request over node:http. */
export const requestCases: readonly ClientCase[] = [
  {
    ...request,
    name: 'request: nothing set',
    setting: 'nothing',
    code: asked('{}'),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...request,
    name: 'request: timeout',
    setting: 'timeout: 300',
    code: asked('{ timeout: 300 }'),
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': ends(300) },
  },
]

const ofetch = { library: 'ofetch', packages: ['ofetch@1.5.1'] } as const
const loaded = (options: string) => `
import { ofetch } from 'ofetch'
const { PEER_URL } = process.env
export const run = () => ofetch(PEER_URL, ${options}) // measured
`

/** ofetch over the fetch of Node. */
export const ofetchCases: readonly ClientCase[] = [
  {
    ...ofetch,
    name: 'ofetch: nothing set',
    setting: 'nothing',
    code: loaded('{}'),
    expected: boundedBy(300_000, 'silence'),
    worstMs: 600_000,
    attempts: 2,
    seen: { hang: ends([600_000, 602_000]) },
    note: 'what the fetch of Node does, twice for what only asks',
  },
  {
    ...ofetch,
    name: 'ofetch: timeout',
    setting: 'timeout: 300',
    code: loaded('{ timeout: 300 }'),
    expected: boundedBy(300, 'headers'),
    seen: seenAs.headers(300),
    note: 'its own timeout is not tried again: the signal is over',
  },
  {
    ...ofetch,
    name: 'ofetch: signal of a timeout',
    setting: 'signal: AbortSignal.timeout(300)',
    code: loaded('{ signal: AbortSignal.timeout(300) }'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

function graphqlCases(version: string): readonly ClientCase[] {
  const base = { library: 'graphql-request', packages: [`graphql-request@${version}`] } as const
  const isSix = version.startsWith('6')
  const name = (what: string) => `graphql-request ${version.split('.')[0]}: ${what}`
  const code = (options: string, call: string) => `
import { GraphQLClient } from 'graphql-request'
const client = new GraphQLClient(process.env.PEER_URL, ${options})
export const run = () => client.request(${call}) // measured
`
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: code('{}', "'{ a }'"),
      expected: isSix ? { state: 'unbounded' } : boundedBy(300_000, 'silence'),
      seen: isSix ? seenAs.nothing() : { hang: ends(300_000) },
      note: isSix ? 'node-fetch 2' : 'what the fetch of Node does',
    },
    {
      ...base,
      name: name('signal of a timeout'),
      setting: 'request({ document, signal: AbortSignal.timeout(300) })',
      code: code('{}', "{ document: '{ a }', signal: AbortSignal.timeout(300) }"),
      expected: boundedBy(300, 'total'),
      seen: seenAs.total(300),
    },
    ...(isSix
      ? [
          {
            ...base,
            name: name('timeout'),
            setting: 'timeout: 300',
            code: code('{ timeout: 300 }', "'{ a }'"),
            expected: boundedBy(300, 'total'),
            seen: { hang: ends(300), stall: ends(300, { cancelsWork: false }), drip: ends(300, { cancelsWork: false }) },
            note: 'that of node-fetch 2: once for the headers and once for the body, whose connection stays',
          },
        ]
      : []),
  ]
}

/** graphql-request over cross-fetch up to 6, and over the fetch of Node from 7 on. */
export const allGraphqlCases: readonly ClientCase[] = [...graphqlCases('7.4.0'), ...graphqlCases('6.1.0')]

/** isomorphic-fetch, which is node-fetch 2. */
export const isomorphicCases: readonly ClientCase[] = [
  {
    library: 'isomorphic-fetch',
    packages: ['isomorphic-fetch@3.0.0'],
    name: 'isomorphic-fetch: nothing set',
    setting: 'nothing',
    code: `
import load from 'isomorphic-fetch'
const { PEER_URL } = process.env
export const run = () => load(PEER_URL).then((answer) => answer.text()) // measured
`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
    note: 'also where Node has a fetch of its own',
  },
]
