import type { BoundKind } from '@sandglass/runtime/core'
import type { Spot } from '../../model/sourced.js'
import type { LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { type Phase, readingOf } from '../limits/reading.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import { firstHolding } from './first-holding.js'
import type { CallShape, Client, ClientShape, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { rootClient } from './root-client.js'
import { addressIn, firstSetting, isAddress, settingInUrl, writtenUrl } from './url-settings.js'

/** A limit of a store, by its names at the client and at a call. */
export interface StoreLimit {
  /** Where it stands among the options of the client, the first that is there; `''` is the argument itself. */
  readonly settings: readonly string[]
  /** Where it stands among those of a call. */
  readonly ofCall?: string
  readonly kind: BoundKind
  /** The row of the defaults table; without it: none. */
  readonly default?: string
}

/** What a store waits for. */
export interface StoreWait {
  /** As it stands in a sentence. */
  readonly what: string
  readonly kind: BoundKind
  /** Any of them ends it. */
  readonly limits: readonly [StoreLimit, ...StoreLimit[]]
  /** The clients it is waited for at; default: all. */
  readonly at?: readonly string[]
  /** An option that, when it is true, has it tried again without end: each limit is one of an attempt. */
  readonly endlessBy?: string
  /** What it is waited for by: `new` where a client is made, else the method; default: all. */
  readonly by?: RegExp
}

/** A library of which nothing has to be known but where its limits stand. */
export interface PlainStore {
  readonly id: string
  readonly packages: readonly string[]
  readonly clients: readonly ClientShape[]
  readonly calls: readonly CallShape[]
  readonly waits: readonly StoreWait[]
  /** Options that bring what may have limits of its own: an agent, a transport. */
  readonly others?: readonly string[]
  /** The option whose address may have its settings as parameters. */
  readonly addressAt?: string
  readonly remedy: string | ((site: Site) => string)
}

/** The model of a store that is a row of a table. */
export function plainStore(store: PlainStore): LibraryModel {
  const { id, packages, clients, calls, waits, remedy } = store
  return {
    id,
    packages,
    clients,
    calls,
    read: (site) => {
      const here = { ...site, client: homeClient(site.client) }
      const kind = site.client?.kind ?? ''
      const phases = waits
        .filter(({ at, by }) => (at?.includes(kind) ?? true) && (by?.test(site.method) ?? true))
        .map((wait) => phaseOf(wait, site, here, store))
      return readingOf({ phases, remedy: typeof remedy === 'string' ? remedy : remedy(site) })
    },
  }
}

function phaseOf({ what, kind, limits, endlessBy }: StoreWait, site: Site, here: Site, store: PlainStore): Phase {
  const endless = endlessBy === undefined ? null : ofClient(site.client, endlessBy, site)
  if (endlessBy !== undefined && endless?.state === 'given' && endless.value === true)
    return { what, kind, limit: endlessly(endlessBy, endless.spot) }
  const [first, ...others] = limits.map((limit) => stateOf(limit, site, here, store))
  return { what, kind, limit: first ? firstHolding(first, ...others) : unknown('', 'nothing limits it') }
}

function endlessly(name: string, spot: Spot): LimitState {
  return { state: 'none', name, spot, isOff: false, does: `${name} tries again without end` }
}

function stateOf(limit: StoreLimit, site: Site, here: Site, { id, others = [], addressAt }: PlainStore): LimitState {
  const [name = ''] = limit.settings
  const setting = limit.ofCall ?? name
  const isOther = others.some((other) => ofClient(site.client, other, site).state !== 'absent')
  if (isOther) return unknown(setting, 'what the client is given may limit it')
  // What a call is given that is no written object is the text of a query or its values.
  const own: Setting =
    limit.ofCall && site.options?.kind === 'object' ? settingIn(site.options, limit.ofCall, site.evaluator) : { state: 'absent' }
  const given = firstSetting([
    own,
    ...limit.settings.map((each) => ofClient(site.client, each, site)),
    ...limit.settings.map((each) => inAddress(addressAt, each, site)),
  ])
  return limitFrom(given, here, { setting, kind: limit.kind, ...(limit.default === undefined ? {} : { default: [id, limit.default] }) })
}

function unknown(name: string, why: string): LimitState {
  return { state: 'unknown', name, why }
}

/** The nearest client that was given options: there a limit would stand. */
function homeClient(client: Client | null): Client | null {
  for (let here = client; here; here = here.parent) if (here.options) return here
  return rootClient(client)
}

/** A setting of a client, or of what that was made from. */
function ofClient(client: Client | null, name: string, site: Site): Setting {
  if (client === null) return { state: 'unknown', why: 'the client is made elsewhere' }
  const all: Setting[] = []
  for (let here: Client | null = client; here; here = here.parent) all.push(among(here.options, name, site))
  return firstSetting(all)
}

/** A setting among the parameters of the address that an option of the client is. */
function inAddress(addressAt: string | undefined, name: string, { client, evaluator }: Site): Setting {
  if (addressAt === undefined) return { state: 'absent' }
  return settingInUrl(addressIn(client?.options, addressAt, evaluator), [name.split('.').at(-1) ?? name])
}

/** A setting among options, or in an address in their place. */
function among(options: Client['options'], name: string, { evaluator }: Site): Setting {
  if (name === '') return options ? settingOf(options) : { state: 'absent' }
  const holder = options && name.includes('.') ? optionIn(options, name.split('.')[0] ?? '', evaluator) : undefined
  if (holder && isAddress(holder)) return settingInUrl(holder, [name.split('.').at(-1) ?? name])
  if (!options || !isAddress(options)) return settingIn(options, name, evaluator)
  const found = settingInUrl(options, [name])
  const isMentioned = found.state === 'absent' && /time-?out/i.test(writtenUrl(options)?.text.split('?')[0] ?? '')
  return isMentioned ? { state: 'unknown', why: 'it may be in the address' } : found
}
