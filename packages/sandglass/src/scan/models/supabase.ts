import { readingOf } from '../limits/reading.js'
import { signalState } from '../signals/signal-limit.js'
import type { CallNode } from '../syntax/module.js'
import type { LibraryModel } from './library-model.js'
import { plainSdk } from './plain-sdk.js'
import { isQueryPart, queryChain } from './query-part.js'

const AUTH =
  /^auth\.(getUser|signUp|signInWithPassword|signInWithOtp|signInAnonymously|verifyOtp|exchangeCodeForSession|updateUser|resetPasswordForEmail|refreshSession|resend|signOut|admin(\.mfa)?\.\w+|mfa\.(enroll|challenge|verify|unenroll|challengeAndVerify))$/
const STORAGE =
  /^storage\.(from\(\)\.(upload|download|remove|list|move|copy|update|info|exists|createSignedUrls?|createSignedUploadUrl|uploadToSignedUrl)|(list|get|create|delete|update|empty)Buckets?)$/
/** What makes a query of a table; without one of them it is only named. */
const QUERIES = /^(select|insert|update|upsert|delete)$/

const plain = plainSdk({
  id: 'supabase',
  packages: ['@supabase/supabase-js', '@supabase/ssr', '@supabase/auth-helpers-nextjs'],
  clients: [
    { kind: 'client', on: null, made: ['createClient', 'createServerClient'], types: ['SupabaseClient'], optionsAt: 2 },
    {
      kind: 'client',
      on: null,
      made: ['createServerComponentClient', 'createRouteHandlerClient', 'createServerActionClient', 'createMiddlewareClient'],
      optionsAt: 1,
    },
  ],
  calls: [
    { on: 'client', method: /^(schema\(\)\.)?from$/, optionsAt: -1, unless: isOnlyNamed },
    { on: 'client', method: /^(schema\(\)\.)?rpc$/, optionsAt: -1, unless: isQueryPart },
    { on: 'client', method: AUTH, optionsAt: -1 },
    { on: 'client', method: STORAGE, optionsAt: -1 },
    { on: 'client', method: /^functions\.invoke$/, optionsAt: 1 },
  ],
  over: 'fetch',
  replacedBy: ['global.fetch', 'options.global.fetch', 'db.timeout', 'timeout', 'signal'],
  remedy: 'global: { fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) }) } where the client is made',
})

/** Supabase: queries, files, users and functions over the `fetch` of Node; queries that only read are tried again by some versions. */
export const supabaseModel: LibraryModel = {
  ...plain,
  read(site) {
    const signal = site.followedBy.find(({ name }) => name === 'abortSignal')
    const reading = { ...plain.read(site), isAttemptsUnknown: true }
    return signal ? readingOf({ ...reading, overall: signalState(site, signal.args[0]) }) : reading
  },
}

function isOnlyNamed(node: CallNode): boolean {
  return !queryChain(node).names.some((name) => QUERIES.test(name)) || isQueryPart(node)
}
