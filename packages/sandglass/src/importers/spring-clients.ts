import { formatDuration } from '@sandglass/runtime/core'
import type { CallFields, LimitMs } from '../model/chain.js'
import { compareVersions } from '../model/default-of.js'
import { declared, type Sourced, type Spot } from '../model/sourced.js'
import { addDead, addNote, type HopFact } from './facts.js'
import { defaultLimit, defaultNumber, limitFact, type Setting, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'
import { hystrixLimit, hystrixThreads } from './spring-hystrix.js'
import type { CodeClient } from './spring-java.js'
import { resilienceOf } from './spring-resilience.js'
import { retryerFields } from './spring-retryer.js'
import { isWithoutNetflix, sayOutranked } from './spring-superseded.js'
import { targetOf } from './target.js'

/** From here on one of the two Feign options is enough; before, both had to be set or both were ignored. */
const ONE_IS_ENOUGH = '2.2.4'
/** From here on the old prefix `feign.` is not read. */
const NEW_PREFIX = '4.0'

/** What Ribbon reads of a client, in any spelling; others have a part of their settings that is called `ribbon` too. */
const RIBBON_KEY =
  /^([\w-]+)\.ribbon\.(list-?of-?servers|(connect|read)-?timeout|max-?auto-?retries(-?next-?server)?|ok-?to-?retry-?on-?all-?operations|nf-?load-?balancer[\w-]*|niws-?server[\w-]*)$/i
/** Keys of an application of Netflix's own Zuul, which has clients of Ribbon with other defaults than Spring's. */
const NOT_SPRING = /^(zuul\.(server|filters)|eureka\.(registration|shouldUseDns))\b/

function ribbonClients({ settings }: SpringApplication): readonly string[] {
  if (settings.entries.some(({ key }) => NOT_SPRING.test(key))) return []
  return settings.entries.flatMap(({ key }) => RIBBON_KEY.exec(key)?.[1] ?? [])
}

/** Calls by Feign and Ribbon clients that the settings name, and by those that code declares. */
export function clientHops(
  application: SpringApplication,
  declaredClients: readonly CodeClient[],
  isCodeRead: boolean,
): readonly HopFact[] {
  const { settings, draft } = application
  const prefixes = livePrefixes(application)
  sayOverridden(application)
  const feign = prefixes.flatMap((prefix) => settings.below(prefix)).filter((name) => name.toLowerCase() !== 'default')
  const ribbon = isWithoutNetflix(application) ? [] : ribbonClients(application)
  const byKey = new Map(declaredClients.map((client) => [client.key.toLowerCase(), client]))
  const names = [...new Map([...feign, ...ribbon].map((name) => [name.toLowerCase(), name])).values()]
  const shared = prefixes
    .map((prefix) => settings.entries.find(({ key }) => key.toLowerCase().startsWith(`${prefix}.default.`)))
    .find((entry) => entry)
  if (names.length === 0 && byKey.size === 0 && shared && !isCodeRead)
    addNote(draft, 'unknown', shared.written.spot, 'holds for every Feign client; which there are stands in the code')
  const named = names.map((name) =>
    clientHop(application, prefixes, {
      name,
      isFeign: feign.includes(name) || byKey.has(name.toLowerCase()),
      code: byKey.get(name.toLowerCase()),
    }),
  )
  const told = new Set(names.map((name) => name.toLowerCase()))
  const others = byAddress(declaredClients.filter(({ key }) => !told.has(key.toLowerCase())))
  return [
    ...named,
    ...others.map(([first, ...rest]) => withNames(clientHop(application, prefixes, { name: first.key, isFeign: true, code: first }), rest)),
  ]
}

/** The shared connection pool has a connect timeout that no request uses: each brings its client's own. */
function sayOverridden({ settings, draft }: SpringApplication): void {
  for (const key of ['feign.httpclient.connection-timeout', 'spring.cloud.openfeign.httpclient.connection-timeout']) {
    const written = settings.get(key)
    if (written)
      addDead(draft, {
        setting: key,
        written: written.text,
        spot: written.spot,
        because: 'each request of Feign brings the connect timeout of its client',
        effective: 'connectTimeout of the client, or its default',
      })
  }
}

/** Several interfaces for one service that nothing tells apart are one call. */
function byAddress(clients: readonly CodeClient[]): readonly (readonly [CodeClient, ...CodeClient[]])[] {
  const groups = new Map<string, [CodeClient, ...CodeClient[]]>()
  for (const client of clients) {
    const key = `${client.address.text} ${client.options || client.retryer ? client.key : ''}`
    const group = groups.get(key)
    if (group) group.push(client)
    else groups.set(key, [client])
  }
  return [...groups.values()]
}

function withNames(hop: HopFact, clients: readonly CodeClient[]): HopFact {
  return { ...hop, instances: [...new Set([...(hop.instances ?? []), ...clients.flatMap(({ key, type }) => [key, type])])] }
}

/** The prefixes that the installed version reads; settings below another one are dead. */
function livePrefixes({ settings, draft, cloud }: SpringApplication): readonly string[] {
  const all = ['feign.client.config', 'spring.cloud.openfeign.client.config']
  if (cloud === null) return all
  const isNew = compareVersions(cloud, NEW_PREFIX) >= 0
  const [live, dead] = isNew ? [all[1] ?? '', all[0] ?? ''] : [all[0] ?? '', all[1] ?? '']
  for (const { key, written } of settings.entries) {
    if (key.toLowerCase().startsWith(`${dead}.`))
      addDead(draft, {
        setting: key,
        written: written.text,
        spot: written.spot,
        because: `spring-cloud-openfeign ${cloud} does not read this prefix, but ${live}`,
        effective: 'the default',
      })
  }
  return [live]
}

interface Client {
  readonly name: string
  readonly isFeign: boolean
  /** Where code declares it. */
  readonly code: CodeClient | undefined
}

function clientHop(application: SpringApplication, prefixes: readonly string[], { name, isFeign, code }: Client): HopFact {
  const { settings } = application
  const lower = name.toLowerCase()
  const first = settings.entries.find(
    ({ key }) => key.toLowerCase().includes(`.${lower}.`) || key.toLowerCase().startsWith(`${lower}.ribbon.`),
  )
  const spot = first?.written.spot ?? code?.spot ?? application.at
  const url = prefixes.map((prefix) => settings.get(`${prefix}.${name}.url`)).find((written) => written) ?? serverOf(application, name)
  const isBalanced = code ? !code.url : !url
  const { limits, ribbonSpot } = limitsOf(application, prefixes, { name, isFeign, isBalanced, spot })
  const retries = ribbonSpot ? ribbonRetries(application, name, ribbonSpot) : null
  const hystrix = hystrixLimit(application, name, isFeign, spot)
  const threads = hystrixThreads(application, name)
  const address = code?.url ? code.address : (url ?? code?.address)
  return {
    spot,
    target: targetOf(address?.text ?? name, address?.spot ?? spot),
    fields: {
      ...(code?.options ? unknownLimits(application, code.options, name) : limits),
      ...retryerFields(application, option(application, prefixes, name, 'retryer'), code?.retryer ?? null, name),
      ...retries?.fields,
      ...(hystrix ? { timeoutMs: hystrix } : {}),
      ...(hystrix && threads ? { bulkhead: threads } : {}),
      ...resilienceOf(application, name),
    },
    repeatsReadsOnly: retries?.readsOnly ?? false,
    instances: code ? [...new Set([name, code.type, code.name.text])] : [name],
    remarks: retries ? ribbonRemarks(application) : [],
  }
}

/** Code that gives Feign its options, by a bean or an argument, may replace what the settings say. */
function unknownLimits({ draft }: SpringApplication, spot: Spot, name: string): ClientLimits['limits'] {
  addNote(draft, 'unknown', spot, `Request.Options in the code may set the limits of Feign clients; those of ${name} are unknown`)
  return pair(declared('unknown', spot), declared('unknown', spot))
}

function serverOf({ settings }: SpringApplication, name: string): Written | undefined {
  const list = settings.get(`${name}.ribbon.listOfServers`)
  return list && { text: list.text.split(',')[0]?.trim() ?? '', spot: list.spot }
}

interface ClientLimits {
  readonly limits: Pick<Partial<CallFields>, 'connectMs' | 'silenceMs'>
  /** Where Ribbon is set up; null where nothing speaks of it. */
  readonly ribbonSpot: Spot | null
}

/** A client's own option, else that of all clients. */
function option({ settings }: SpringApplication, prefixes: readonly string[], name: string, property: string): Written | undefined {
  const found = prefixes.map((prefix) => settings.get(`${prefix}.${name}.${property}`) ?? settings.get(`${prefix}.default.${property}`))
  return found.find((written) => written)
}

interface Limited {
  readonly name: string
  readonly isFeign: boolean
  /** A server is asked for by the name of a service, not by a URL. */
  readonly isBalanced: boolean
  readonly spot: Spot
}

/** Explicit Feign options win over Ribbon's, and those over the defaults. */
function limitsOf(application: SpringApplication, prefixes: readonly string[], client: Limited): ClientLimits {
  const { settings } = application
  const { name, isFeign, isBalanced, spot } = client
  const connect = isFeign ? option(application, prefixes, name, 'connect-timeout') : undefined
  const read = isFeign ? option(application, prefixes, name, 'read-timeout') : undefined
  const ribbonKey = isWithoutNetflix(application)
    ? undefined
    : settings.entries.find(({ key }) => key.startsWith('ribbon.') || key.toLowerCase().startsWith(`${name.toLowerCase()}.ribbon.`))
  const ribbonSpot = ribbonKey?.written.spot ?? null
  if (connect || read) {
    if (ribbonSpot) sayOutranked(application, name, { connect: connect !== undefined, read: read !== undefined })
    return { limits: feignLimits(application, connect, read, spot), ribbonSpot }
  }
  if (ribbonSpot) return { limits: ribbonLimits(application, name, spot), ribbonSpot }
  if (isFeign && isBalanced && application.hasRibbon)
    return { limits: ribbonLimits(application, name, spot), ribbonSpot: application.hasSpringRetry ? spot : null }
  return { limits: pair(feignDefault(application, 'connectTimeout', spot), feignDefault(application, 'readTimeout', spot)), ribbonSpot }
}

function pair(connectMs: Sourced<LimitMs> | undefined, silenceMs: Sourced<LimitMs> | undefined): ClientLimits['limits'] {
  return { ...(connectMs ? { connectMs } : {}), ...(silenceMs ? { silenceMs } : {}) }
}

function feignSetting({ draft, cloud }: SpringApplication, key: string, at: Spot): Setting {
  return { draft, system: 'openfeign', version: cloud, key, at }
}

function feignDefault(application: SpringApplication, key: string, at: Spot): Sourced<LimitMs> | undefined {
  return defaultLimit(feignSetting(application, key, at), at)
}

function feignLimits(
  application: SpringApplication,
  connect: Written | undefined,
  read: Written | undefined,
  spot: Spot,
): ClientLimits['limits'] {
  const connectMs = limitFact(feignSetting(application, 'connectTimeout', spot), connect, 'int-ms')
  const silenceMs = limitFact(feignSetting(application, 'readTimeout', spot), read, 'int-ms')
  const only = connect ?? read
  if ((connect && read) || !only) return pair(connectMs, silenceMs)
  const { cloud, draft } = application
  if (cloud !== null && compareVersions(cloud, ONE_IS_ENOUGH) >= 0) return pair(connectMs, silenceMs)
  const key = connect ? 'connectTimeout' : 'readTimeout'
  const byDefault = feignDefault(application, key, only.spot)
  const missing = connect ? 'readTimeout' : 'connectTimeout'
  if (cloud !== null) {
    addDead(draft, {
      setting: key,
      written: only.text,
      spot: only.spot,
      because: `only one of two is set: before ${ONE_IS_ENOUGH} both are ignored unless ${missing} is set too`,
      effective: `${textOf(byDefault)}, the default of openfeign`,
    })
    return connect ? pair(byDefault, silenceMs) : pair(connectMs, byDefault)
  }
  const written = connect ? connectMs : silenceMs
  addNote(
    draft,
    'unknown',
    only.spot,
    `${key}: only one of two is set. spring-cloud-openfeign before ${ONE_IS_ENOUGH} ignores both (${textOf(byDefault)} holds), from it on ${textOf(written)} holds; the version is not known`,
  )
  const unknown = declared('unknown' as const, only.spot)
  return connect ? pair(unknown, silenceMs) : pair(connectMs, unknown)
}

function textOf(limit: Sourced<LimitMs> | undefined): string {
  return typeof limit?.value === 'number' ? formatDuration(limit.value) : 'no limit'
}

/** Ribbon's keys are read letter by letter in old versions: `read-timeout` is not `ReadTimeout`. */
export function ribbonWritten({ settings, draft }: SpringApplication, name: string, key: string): Written | undefined {
  for (const prefix of [`${name}.ribbon`, 'ribbon']) {
    const exact = settings.entries.find((entry) => entry.key.toLowerCase() === `${prefix}.${key}`.toLowerCase())
    if (exact?.key.endsWith(`.${key}`)) return exact.written
    const near = settings.get(`${prefix}.${key}`)
    if (near)
      addDead(draft, {
        setting: `${prefix}.${key}`,
        written: near.text,
        spot: near.spot,
        because: `Ribbon reads its keys letter by letter: ${key}`,
        effective: 'the next outer value, or the default',
      })
  }
  return undefined
}

/** Ribbon's limits: the client's own, the shared ones, the defaults of Spring Cloud. */
export function ribbonLimits(application: SpringApplication, name: string, at: Spot): ClientLimits['limits'] {
  const limit = (key: string) =>
    limitFact(
      { draft: application.draft, system: 'ribbon (spring-cloud)', version: null, key: `ribbon.${key}`, shown: key, at },
      ribbonWritten(application, name, key),
      'int-ms',
    )
  return pair(limit('ConnectTimeout'), limit('ReadTimeout'))
}

/** What must be read beside the tries of Ribbon. */
export function ribbonRemarks({ hasSpringRetry }: SpringApplication): readonly string[] {
  return hasSpringRetry ? [] : ['Ribbon repeats only where spring-retry is on the classpath; no build file that was read has it.']
}

/** (MaxAutoRetries + 1) x (MaxAutoRetriesNextServer + 1) calls; the next server is tried once even if nobody asked. */
export function ribbonRetries(
  application: SpringApplication,
  name: string,
  at: Spot,
): { readonly fields: Pick<Partial<CallFields>, 'attempts' | 'retryOn'>; readonly readsOnly: boolean } {
  const { draft } = application
  const count = (key: string): Sourced<number | 'unknown'> => {
    const written = ribbonWritten(application, name, key)
    return written && /^\d{1,4}$/.test(written.text)
      ? declared(Number(written.text), written.spot)
      : defaultNumber({ draft, system: 'ribbon', version: null, key, at })
  }
  const [same, next] = [count('MaxAutoRetries'), count('MaxAutoRetriesNextServer')]
  const readsOnly = ribbonWritten(application, name, 'OkToRetryOnAllOperations')?.text !== 'true'
  if (same.value === 'unknown' || next.value === 'unknown') return { fields: {}, readsOnly }
  const attempts = (same.value + 1) * (next.value + 1)
  const origin = next.origin.kind === 'declared' ? next.origin : same.origin.kind === 'declared' ? same.origin : next.origin
  return { fields: attempts === 1 ? {} : { attempts: { value: attempts, origin } }, readsOnly }
}
