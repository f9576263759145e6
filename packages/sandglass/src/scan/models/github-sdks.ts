import type { Asks } from './given-fetch.js'
import type { CallShape, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk, type SdkLimit } from './plain-sdk.js'

/** Below a version it asks by node-fetch, with what stands in `request`, and from one on by the `fetch` of Node; between them its parts differ. */
const since = (below: number, from: number): { readonly over: Readonly<Record<string, Asks>>; readonly limit: SdkLimit } => ({
  over: { [`<${below}`]: 'forever', [`>=${from}`]: 'fetch' },
  limit: { setting: 'request.timeout', kind: 'total', versions: `<${below}` },
})

/** `repos.get(options)`; what stands behind the other names only looks at the instance. */
const OF_API =
  /^(rest\.)?(?!(hook|log|request|paginate|graphql|retry|throttle|webhooks|oauth|auth|rest|constructor)\.)[a-z]\w*\.(?!endpoint$)[a-z]\w*$/

/** `request(route, options)`, `graphql(query, options)`, `paginate(route, options)`. */
const PLAIN = /^(request|graphql|paginate|graphql\.paginate)$/

const callsOn = (on: string, before: string): readonly CallShape[] => [
  { on, method: new RegExp(`^${before}${OF_API.source.slice(1)}`), optionsAt: 0 },
  { on, method: new RegExp(`^${before}${PLAIN.source.slice(1)}`), optionsAt: 1 },
]

const common = {
  signal: 'request.signal',
  replacedBy: ['request.fetch', 'Octokit'],
  remedy: 'request: { signal: AbortSignal.timeout(…) } in each call',
} as const

const INSTANCE = { kind: 'octokit', on: null, made: /^Octokit(\.(plugin|defaults)\(\))*$/, types: ['Octokit'], optionsAt: 0 }
const APP = { kind: 'app', on: null, made: ['App'], types: ['App'], optionsAt: 0 }
const INSTALLATION = { kind: 'octokit', on: 'app', made: ['getInstallationOctokit'], optionsAt: -1 }

const rows: readonly PlainSdk[] = [
  { ...common, id: 'octokit-rest', packages: ['@octokit/rest'], clients: [INSTANCE], calls: callsOn('octokit', ''), ...since(19, 20) },
  { ...common, id: 'octokit-core', packages: ['@octokit/core'], clients: [INSTANCE], calls: callsOn('octokit', ''), ...since(4, 5) },
  {
    ...common,
    id: 'octokit',
    packages: ['octokit'],
    clients: [INSTANCE, APP, INSTALLATION],
    calls: [...callsOn('octokit', ''), ...callsOn('app', 'octokit\\.')],
    ...since(2, 3),
    retries: { settings: ['retry.retries', 'request.retries'], hasDefault: true, waitMs: squares },
  },
  {
    ...common,
    id: 'octokit-app',
    packages: ['@octokit/app'],
    clients: [APP, INSTALLATION],
    calls: [...callsOn('octokit', ''), ...callsOn('app', 'octokit\\.')],
    ...since(13, 14),
  },
  {
    ...common,
    id: 'octokit-request',
    packages: ['@octokit/request'],
    clients: [null, 'request'].map((on) => ({ kind: 'request', on, made: ['request.defaults', 'defaults'], optionsAt: 0 })),
    calls: [
      { on: null, method: /^request$/, optionsAt: 1 },
      { on: 'request', method: /^$/, optionsAt: 1 },
    ],
    ...since(6, 8),
  },
  {
    ...common,
    id: 'octokit-graphql',
    packages: ['@octokit/graphql'],
    clients: [null, 'graphql'].map((on) => ({ kind: 'graphql', on, made: ['graphql.defaults', 'defaults'], optionsAt: 0 })),
    calls: [
      { on: null, method: /^graphql$/, optionsAt: 1 },
      { on: 'graphql', method: /^$/, optionsAt: 1 },
    ],
    ...since(5, 7),
  },
]

/** What asks GitHub. */
export const githubSdkModels: readonly LibraryModel[] = rows.map(plainSdk)

/** The retries of its plugin wait 1, 4, 9 … s. */
function squares(retries: number): readonly [number, number] {
  let ms = 0
  for (let k = 1; k <= Math.min(retries, 100); k++) ms += 1000 * k * k
  return [ms, ms]
}
