import type { LimitState } from '../limits/limit-state.js'
import { type LimitReading, limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { earlier } from '../signals/signal-limit.js'
import { type CallNode, spotOf } from '../syntax/module.js'
import { outermost } from '../syntax/walk.js'
import type { Term } from '../terms/term.js'
import type { Client, LibraryModel, Site } from './library-model.js'

const TIMEOUT: LimitReading = { setting: 'timeoutMs', kind: 'total', default: ['connect-es', 'defaultTimeoutMs'] }

/** Connect for ECMAScript: a call has its own `timeoutMs` or `defaultTimeoutMs` of its transport, else no limit. */
export const connectModel: LibraryModel = {
  id: 'connect-es',
  packages: ['@connectrpc/connect', '@bufbuild/connect'],
  clients: [
    { kind: 'client', on: null, made: ['createClient', 'createPromiseClient'], types: ['Client', 'PromiseClient'], optionsAt: 1 },
    { kind: 'callback client', on: null, made: ['createCallbackClient'], types: ['CallbackClient'], optionsAt: 1 },
  ],
  calls: [
    { on: 'client', method: /^[a-z]\w*$/, optionsAt: 1, unless: isStream },
    { on: 'callback client', method: /^[a-z]\w*$/, optionsAt: 2 },
  ],
  read: (site) => {
    const limit = timeoutOf(site)
    const signal = signalIn(site, site.options)
    return readingOf({
      phases: [{ what: 'the answer', kind: 'total', limit: (signal.state === 'none' ? limit : earlier(limit, signal)) ?? limit }],
      remedy: 'defaultTimeoutMs: … where the transport is made, or timeoutMs: … in the call',
    })
  },
  targetOf: ({ client, evaluator }) => {
    const base = settingIn(transportOf(client)?.args[0], 'baseUrl', evaluator)
    return base.state === 'given' && typeof base.value === 'string' ? base.value : null
  },
}

/** `for await (const part of client.watch({}))`, `const parts = client.watch({})`: what streams has no end, and is not awaited as an answer is. */
function isStream(node: CallNode): boolean {
  const outer = outermost(node)
  const above = outer.parent
  if (outer.type === 'AwaitExpression') return false
  return above?.type === 'VariableDeclarator' || (above?.type === 'ForOfStatement' && above.right === outer)
}

/** The transport it is made with; one that is only made under a condition is there wherever something is asked. */
function transportOf(client: Client | null): Extract<Term, { kind: 'made' }> | null {
  const given = client?.options
  const all = given?.kind === 'either' ? given.of.filter((each) => each.kind !== 'constant') : [given]
  const [transport] = all
  return all.length === 1 && transport?.kind === 'made' && transport.callee.kind === 'external' ? transport : null
}

function isOfBrowser({ callee }: Extract<Term, { kind: 'made' }>): boolean {
  return callee.kind === 'external' && callee.package.endsWith('/connect-web')
}

/** Its own `timeoutMs`, of which 0 and less switch off that of the transport. */
function timeoutOf(site: Site): LimitState {
  const { client, evaluator } = site
  const own = settingIn(site.options, 'timeoutMs', evaluator)
  if (own.state !== 'absent') return limitFrom(own, site, TIMEOUT)
  const transport = transportOf(client)
  if (!transport || !client) return { state: 'unknown', name: 'defaultTimeoutMs', why: 'the transport is made elsewhere' }
  if (isOfBrowser(transport)) return { state: 'unknown', name: 'defaultTimeoutMs', why: 'a browser has limits of its own' }
  const here = { ...site, client: { ...client, spot: spotOf(transport.at.node, transport.at.module) } }
  return limitFrom(settingIn(transport.args[0], 'defaultTimeoutMs', evaluator), here, { ...TIMEOUT, setting: 'defaultTimeoutMs' })
}
