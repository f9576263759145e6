import type { BoundKind } from '@sandglass/runtime/core'
import { coversVersion } from '../../model/default-of.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { homeOf, limitOf } from '../limits/limits.js'
import { type Phase, readingOf } from '../limits/reading.js'
import { settingIn, settingOfCall } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import type { Term } from '../terms/term.js'
import { attemptsOf, type RetrySettings, triesOf } from './attempts-of.js'
import { isEndedByTimer } from './ended-by-timer.js'
import { endedByFetch, silenceOfFetch } from './fetch-phases.js'
import { type Asks, givenFetch } from './given-fetch.js'
import type { CallShape, Client, ClientShape, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'

/** The option of an SDK that ends an attempt. */
export interface SdkLimit {
  readonly setting: string
  /** Or by ranges of versions, of which the first holds where nobody knows. */
  readonly kind: BoundKind | Readonly<Record<string, BoundKind>>
  readonly unitMs?: number
  /** Its default is a row of the table of defaults. */
  readonly hasDefault?: boolean
  /** The versions that look at it. Default: all. */
  readonly versions?: string
}

/** The retries of an SDK, of which the first setting may have a row in the table of defaults. */
export interface SdkRetries extends Omit<RetrySettings, 'default'> {
  readonly hasDefault?: boolean
}

/** An SDK as one row says it: what waits, over what, and what ends it. */
export interface PlainSdk {
  readonly id: string
  readonly packages: readonly string[]
  readonly clients?: readonly ClientShape[]
  readonly calls: readonly CallShape[]
  /** What is waited for, as it stands in a sentence. Default: the answer. */
  readonly what?: string | ((site: Site) => string)
  /** Nobody is stopped by waiting for it, as what comes is told by events. */
  readonly isTold?: boolean
  /** What asks, by ranges of versions where that changed; a version that is in none, or not known, is not judged. */
  readonly over: Asks | Readonly<Record<string, Asks>>
  /** The one option that ends an attempt, by its client or call where that differs; null where none does. */
  readonly limit?: SdkLimit | ((site: Site) => SdkLimit | null)
  /** Where a signal stands in the options of a call: `signal`, `request.signal`. */
  readonly signal?: string
  /** Options that put something else in the place of what asks: nobody can tell how long that waits. */
  readonly replacedBy?: readonly string[]
  /** The option that takes the place of the `fetch` that asks. Default: `fetch`. */
  readonly fetchAt?: string
  /** Options that bring other defaults, so that nobody can tell those. */
  readonly limitedBy?: readonly string[]
  /** Functions of the package, or of a client, that set a limit for all that follows: where one is called, with an option of that name if one is named, nobody can tell. */
  readonly setBy?: readonly (string | { readonly call: string; readonly option: string })[]
  /** What the package itself is asked is asked of one client, which only such a function limits. */
  readonly isOneClient?: boolean
  /** The member of its client that is the limit, where it is assigned: nobody follows what to. */
  readonly assigned?: string
  /** The members that end what is waited for: where a timer of the same file calls one, nobody can tell. */
  readonly endedBy?: RegExp
  /** How often it tries by itself; null where it does not, `unknown` where that differs by what is asked. */
  readonly retries?: SdkRetries | 'unknown' | ((site: Site) => SdkRetries | 'unknown' | null)
  /** Where the options of a call stand, where that differs by how it is written. */
  readonly optionsOf?: (site: Site) => Term | undefined
  readonly remedy: string | ((site: Site) => string)
  readonly targetOf?: (site: Site) => string | null
}

/** The model of a row. */
export function plainSdk(sdk: PlainSdk): LibraryModel {
  const { id, packages, clients = [], calls, over, optionsOf, signal, remedy, targetOf } = sdk
  return {
    id,
    packages,
    clients,
    calls,
    asksByFetch: over !== 'forever',
    isOneClient: sdk.isOneClient ?? false,
    read(called) {
      const from = { ...called, client: madeClient(clients, called.client) }
      const site = optionsOf ? { ...from, options: optionsOf(from) } : from
      return readingOf({
        overall: signal === undefined ? null : signalAt(site, signal),
        phases: [phaseOf(sdk, site)],
        ...triesOf(triesAt(sdk, site)),
        remedy: typeof remedy === 'string' ? remedy : remedy(site),
        ...(sdk.isTold ? { isTold: true } : {}),
      })
    },
    ...(targetOf ? { targetOf } : {}),
  }
}

/** What a client gives without options of its own, `index('a')`, has its limits where that client is made. */
function madeClient(shapes: readonly ClientShape[], client: Client | null): Client | null {
  if (!client?.parent) return client
  const { kind, parent } = client
  const isPart = shapes.some((shape) => shape.kind === kind && shape.on === parent.kind && shape.optionsAt < 0)
  return isPart ? madeClient(shapes, parent) : client
}

function triesAt({ id, retries }: PlainSdk, site: Site): ReturnType<typeof attemptsOf> {
  const found = typeof retries === 'function' ? retries(site) : retries
  if (!found || found === 'unknown') return found ?? null
  const { hasDefault = false, ...settings } = found
  const [row] = settings.settings
  return attemptsOf(site, hasDefault && row !== undefined ? { ...settings, default: [id, row] } : settings)
}

function phaseOf(sdk: PlainSdk, site: Site): Phase {
  const own = ownLimit(sdk, site)
  const what = typeof sdk.what === 'function' ? sdk.what(site) : (sdk.what ?? 'the answer')
  const { fetchAt = 'fetch' } = sdk
  const given = sdk.replacedBy?.includes(fetchAt) ? givenFetch(site, fetchAt) : null
  const asks = given ?? asksOf(sdk, site.version)
  const setter = setterOf(sdk, site)
  if (setter !== undefined) return { what, kind: 'total', limit: { state: 'unknown', name: setter, why: 'it is set elsewhere' } }
  if (own.state === 'unknown') return { what, kind: 'total', limit: own }
  const bringer = own.state === 'default' ? givenOf(sdk.limitedBy, site) : undefined
  if (bringer !== undefined) return { what, kind: 'total', limit: { state: 'unknown', name: bringer, why: 'it may bring a limit' } }
  if (own.state === 'none' && sdk.endedBy && isEndedByTimer(site, sdk.endedBy))
    return { what, kind: 'total', limit: { state: 'unknown', name: 'setTimeout', why: 'a timer may end it' } }
  if (holds(own)) return { what, kind: own.kind, limit: asks === 'fetch' ? endedByFetch(own, silenceOfFetch(site)) : own }
  const replaced = givenOf(given === null ? sdk.replacedBy : sdk.replacedBy?.filter((name) => name !== fetchAt), site)
  if (replaced !== undefined)
    return { what, kind: 'total', limit: { state: 'unknown', name: replaced, why: 'it may have limits of its own' } }
  if (asks === 'fetch') return { what, kind: 'silence', limit: silenceOfFetch(site) }
  if (asks === 'forever') return { what, kind: 'total', limit: own }
  return { what, kind: 'total', limit: { state: 'unknown', name: own.name, why: `it differs by the version of ${sdk.id}` } }
}

function givenOf(names: readonly string[] | undefined, { options, client, evaluator }: Site): string | undefined {
  return names?.find((name) => settingOfCall(options, client, name, evaluator).setting.state !== 'absent')
}

function setterOf({ setBy = [], packages, assigned }: PlainSdk, { uses, client, evaluator }: Site): string | undefined {
  if (assigned !== undefined && client?.identity && uses.assignedTo(client.identity, assigned).length > 0) return assigned
  const owners = [...packages.map((name) => `${name}:`), ...(client?.identity ? [`${client.identity}.`] : [])]
  const found = setBy.find((setter) => {
    const [name, option] = typeof setter === 'string' ? [setter, null] : [setter.call, setter.option]
    const calls = owners.flatMap((owner) => uses.callsOf(`${owner}${name}`))
    return calls.some(({ args: [given] }) => option === null || settingIn(given, option, evaluator).state !== 'absent')
  })
  return typeof found === 'object' ? found.option : found
}

function ownLimit({ id, limit: given }: PlainSdk, site: Site): LimitState {
  const limit = typeof given === 'function' ? given(site) : given
  if (!limit) return { state: 'none', name: 'timeout', spot: homeOf(site), isOff: false }
  const { setting, unitMs = 1, hasDefault = false, versions } = limit
  const kind = kindOf(limit, site.version)
  const found = limitOf(site, { setting, kind, unitMs, ...(hasDefault ? { default: [id, setting] as const } : {}) })
  if (versions === undefined || !holds(found)) return found
  if (site.version === null) return { state: 'unknown', name: setting, why: `it differs by the version of ${id}` }
  return coversVersion(versions, site.version)
    ? found
    : { state: 'none', name: setting, spot: found.origin.spot ?? site.spot, isOff: false }
}

function kindOf({ kind }: SdkLimit, version: string | null): BoundKind {
  if (typeof kind === 'string') return kind
  const all = Object.entries(kind)
  return (all.find(([range]) => version !== null && coversVersion(range, version)) ?? all[0])?.[1] ?? 'silence'
}

function asksOf({ over }: PlainSdk, version: string | null): Asks | null {
  if (typeof over === 'string') return over
  if (version === null) return null
  return Object.entries(over).find(([range]) => coversVersion(range, version))?.[1] ?? null
}

/** The limit of a signal that may stand deeper in the options. */
function signalAt(site: Site, path: string): LimitState {
  const names = path.split('.')
  const last = names.pop() ?? path
  let options: Term | undefined = site.options
  for (const name of names) {
    if (options && options.kind !== 'object' && options.kind !== 'either') break
    options = optionIn(options, name, site.evaluator)
  }
  const state = signalIn(site, options, last)
  return holds(state) ? state : { ...state, name: path }
}
