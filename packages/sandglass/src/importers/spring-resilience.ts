import type { Breaker, CallFields, LimitMs } from '../model/chain.js'
import { compareVersions } from '../model/default-of.js'
import { declared, type Sourced, type Spot } from '../model/sourced.js'
import { factorOf } from './factor-of.js'
import { addDead, addNote, type HopFact } from './facts.js'
import { countFact, limitFact, type Written } from './limit-fact.js'
import { parseDuration } from './parse-duration.js'
import type { SpringApplication } from './spring.js'

const KINDS = ['circuitbreaker', 'retry', 'timelimiter', 'bulkhead', 'thread-pool-bulkhead', 'ratelimiter'] as const
type Kind = (typeof KINDS)[number]

/** A property of an instance: its own, its base config's, or the default config's. */
export function instanceSetting({ settings }: SpringApplication, kind: Kind, instance: string, property: string): Written | undefined {
  const own = `resilience4j.${kind}.instances.${instance}`
  const base = settings.get(`${own}.base-config`)?.text
  return (
    settings.get(`${own}.${property}`) ??
    (base === undefined ? undefined : settings.get(`resilience4j.${kind}.configs.${base}.${property}`)) ??
    settings.get(`resilience4j.${kind}.configs.default.${property}`)
  )
}

/** What Resilience4j puts around a call: attempts outermost, then the breaker, a time limit for each attempt, a bulkhead. */
export function resilienceOf(application: SpringApplication, instance: string): Partial<Omit<CallFields, 'to'>> {
  const { settings, draft, at } = application
  const has = (kind: Kind) => settings.has(`resilience4j.${kind}.instances.${instance}`)
  const limit = (kind: Kind, property: string, key: string): Sourced<LimitMs> | undefined =>
    limitFact(
      { draft, system: 'resilience4j', version: null, key, shown: property, at },
      instanceSetting(application, kind, instance, property),
      'spring',
    )
  const attemptMs = has('timelimiter') ? limit('timelimiter', 'timeout-duration', 'timelimiter.timeoutDuration') : undefined
  const breaker = has('circuitbreaker') ? breakerOf(application, instance) : undefined
  const bulkhead = has('bulkhead')
    ? countFact(
        { draft, system: 'resilience4j', version: null, key: 'bulkhead.maxConcurrentCalls', at },
        instanceSetting(application, 'bulkhead', instance, 'max-concurrent-calls'),
      )
    : undefined
  const retry = has('retry') ? retryOf(application, instance) : {}
  return { ...(attemptMs ? { attemptMs } : {}), ...retry, ...(breaker ? { breaker } : {}), ...(bulkhead ? { bulkhead } : {}) }
}

function retryOf(application: SpringApplication, instance: string): Partial<Omit<CallFields, 'to'>> {
  const { draft, at } = application
  const setting = { draft, system: 'resilience4j', version: null, at }
  const attempts = countFact({ ...setting, key: 'retry.maxAttempts' }, instanceSetting(application, 'retry', instance, 'max-attempts'))
  if (attempts.value === 1) return {}
  const wait = limitFact(
    { ...setting, key: 'retry.waitDuration' },
    instanceSetting(application, 'retry', instance, 'wait-duration'),
    'spring',
  )
  const multiplier = instanceSetting(application, 'retry', instance, 'exponential-backoff-multiplier')
  const isGrowing = instanceSetting(application, 'retry', instance, 'enable-exponential-backoff')?.text === 'true'
  const isRandom = instanceSetting(application, 'retry', instance, 'enable-randomized-wait')?.text === 'true'
  const spot = wait?.origin.spot ?? at
  return {
    attempts,
    ...(wait
      ? {
          backoff: {
            kind: 'law' as const,
            baseMs: wait,
            factor: declared(isGrowing ? factorOf(multiplier?.text, GROWTH) : 1, spot),
            jitter: declared(isRandom ? ('full' as const) : ('none' as const), spot),
          },
        }
      : {}),
  }
}

/** Resilience4j's multiplier where exponential back-off is on and none is written. */
const GROWTH = 1.5

/** The breaker of an instance; only what is written, as the chain file has no other product's defaults. */
export function breakerOf(application: SpringApplication, instance: string): Breaker {
  const get = (property: string) => instanceSetting(application, 'circuitbreaker', instance, property)
  const number = (written: Written | undefined): Sourced<number> | undefined =>
    written && /^\d+(\.\d+)?$/.test(written.text) ? declared(Number(written.text), written.spot) : undefined
  const share = (written: Written | undefined): Sourced<number> | undefined => {
    const percent = number(written)
    return percent && { ...percent, value: Math.min(1, percent.value / 100) }
  }
  const ms = (written: Written | undefined): Sourced<number> | undefined => {
    const parsed = written && parseDuration(written.text, 'spring')
    return parsed?.ok ? declared(parsed.ms, written?.spot as Spot) : undefined
  }
  const size = number(get('sliding-window-size'))
  const open = ms(get('wait-duration-in-open-state'))
  const minCalls = number(get('minimum-number-of-calls'))
  const probes = number(get('permitted-number-of-calls-in-half-open-state'))
  const failureRate = share(get('failure-rate-threshold'))
  const slowMs = ms(get('slow-call-duration-threshold'))
  const slowRate = share(get('slow-call-rate-threshold'))
  const isTime = /time/i.test(get('sliding-window-type')?.text ?? '')
  return {
    spot: (size ?? open ?? failureRate)?.origin.spot ?? application.at,
    ...(size && size.value > 0 ? { window: { ...size, value: isTime ? { ms: size.value * SECOND_MS } : { calls: size.value } } } : {}),
    ...(failureRate ? { failureRate } : {}),
    ...(minCalls && minCalls.value > 0 ? { minCalls } : {}),
    ...(open ? { open: { ...open, value: { baseMs: open.value, maxMs: open.value } } } : {}),
    ...(probes && probes.value > 0 ? { probes } : {}),
    ...(slowMs ? { slowMs } : {}),
    ...(slowRate ? { slowRate } : {}),
  }
}

const SECOND_MS = 1e3

const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['ringbuffersizeinclosedstate', 'slidingWindowSize'],
  ['ringbuffersizeinhalfopenstate', 'permittedNumberOfCallsInHalfOpenState'],
  ['waitinterval', 'waitDurationInOpenState'],
  ['maxretryattempts', 'maxAttempts'],
])

/** Instances whose call only the code knows, and names that are not read any more. */
export function unusedInstances(application: SpringApplication, hops: readonly HopFact[]): void {
  const { settings, draft } = application
  const order = settings.entries.find(({ key }) => /^resilience4j\.[\w-]+\.[\w-]*aspect-?order$/i.test(key))
  if (order)
    addNote(
      draft,
      'unknown',
      order.written.spot,
      `${order.key}: the order of tries, breaker and time limit is changed; the chain has the usual one, in which a time limit is for each try`,
    )
  const used = new Set(hops.flatMap(({ target, instances }) => [target.host, ...(instances ?? [])].map((name) => name?.toLowerCase())))
  for (const kind of KINDS) {
    for (const instance of settings.below(`resilience4j.${kind}.instances`)) {
      const entry = settings.entries.find(({ key }) => key.toLowerCase().includes(`.instances.${instance.toLowerCase()}`))
      if (entry && !used.has(instance.toLowerCase()))
        addNote(
          draft,
          'unknown',
          entry.written.spot,
          `resilience4j ${kind} "${instance}": which call it is around stands in the code; it is not in the chain`,
        )
    }
  }
  sayOldNames(application)
}

/** Names that the version in use does not read any more; of one that is not known, the newest is taken. */
function sayOldNames({ settings, draft, resilience, boot }: SpringApplication): void {
  // Spring Boot 2 goes with version 1, which still takes most of the older names; version 0 takes them all.
  const version = resilience ?? (boot !== null && compareVersions(boot, '3.0') < 0 ? '1.0' : null)
  const isBefore = (bound: string) => version !== null && compareVersions(version, bound) < 0
  if (isBefore('1.0')) return
  for (const { key, written } of settings.entries) {
    if (!key.startsWith('resilience4j.')) continue
    const last = key
      .slice(key.lastIndexOf('.') + 1)
      .toLowerCase()
      .replace(/[-_]/g, '')
    const instead =
      (isBefore('2.0') ? undefined : OLD_NAMES.get(last)) ?? (/^resilience4j\.\w+\.backends\./.test(key) ? 'instances' : undefined)
    if (instead !== undefined)
      addDead(draft, {
        setting: key,
        written: written.text,
        spot: written.spot,
        because: `the name is of old versions; it is ${instead} now`,
        effective: 'the default',
      })
  }
}
