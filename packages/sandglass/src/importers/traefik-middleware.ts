import { longestDurationMs } from '@sandglass/runtime/core'
import type { Backoff, Breaker, CallFields } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addDead, addNote, type FactsDraft } from './facts.js'
import { countFact, defaultLimit, limitFact, type Setting, type Written } from './limit-fact.js'
import { parseDuration } from './parse-duration.js'
import { templateIn } from './templates.js'
import { type Defined, plainName, type TraefikParts } from './traefik-parts.js'
import { itemsUnder, under, wordsUnder, writtenUnder } from './traefik-tree.js'

/** What the middlewares of a route put around each call. */
export type MiddlewareFields = Pick<Partial<CallFields>, 'attempts' | 'retryOn' | 'backoff' | 'breaker' | 'bulkhead' | 'retryStartWithinMs'>

/** What may be asked while middlewares are read. */
export interface MiddlewareReading {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly parts: TraefikParts
  /** Names of middlewares that a route has. */
  readonly used: Set<string>
}

const MAX_DEPTH = 5
/** Middlewares of one route, those of chains included: chains of chains could be millions. */
const MAX_OPENED = 1000

/** Retries, breakers and limits of requests at once, in the order of the list; chains are opened. */
export function middlewareFields(names: readonly Written[], reading: MiddlewareReading): MiddlewareFields {
  return chainFields(names, reading, { depth: 0, allowed: { left: MAX_OPENED } })
}

/** How far inside chains one stands, and how many more middlewares are opened. */
interface Inside {
  readonly depth: number
  readonly allowed: { left: number }
}

function chainFields(names: readonly Written[], reading: MiddlewareReading, { depth, allowed }: Inside): MiddlewareFields {
  const fields: MiddlewareFields[] = names.map((name) => {
    allowed.left--
    const found = reading.parts.middlewares.get(plainName(name.text))
    if (!found) {
      if (templateIn(name.text) === null && !/@(docker|swarm|consul|nomad|internal)/.test(name.text))
        addNote(reading.draft, 'unknown', name.spot, `middleware ${name.text}: not among what is read; what it does is unknown`)
      return {}
    }
    reading.used.add(plainName(found.name))
    const chained = under(found.node, 'chain', 'middlewares')
    if (chained && depth < MAX_DEPTH && allowed.left > 0) return chainFields(chainNames(chained), reading, { depth: depth + 1, allowed })
    return fieldsOf(found, reading)
  })
  return Object.assign({}, ...fields) as MiddlewareFields
}

function chainNames(chained: YamlNode): readonly Written[] {
  const named = itemsUnder(chained).flatMap((item) => writtenUnder(item, 'name') ?? [])
  return named.length > 0 ? named : wordsUnder(chained)
}

function fieldsOf({ node }: Defined, reading: MiddlewareReading): MiddlewareFields {
  const { draft } = reading
  const auth = under(node, 'forwardAuth')
  if (auth) addNote(draft, 'unknown', auth, 'forwardAuth asks a further service for each request; that call is not in the chain')
  const again = writtenUnder(node, 'buffering', 'retryExpression')
  if (again) addNote(draft, 'unknown', again.spot, 'buffering.retryExpression repeats requests too; its tries are not in the chain')
  const retry = under(node, 'retry')
  const breaker = under(node, 'circuitBreaker')
  const amount = writtenUnder(node, 'inFlightReq', 'amount')
  const bulkhead = amount && countFact(settingOf(reading, 'inFlightReq.amount', amount), amount)
  return {
    ...(retry ? retryFields(retry, reading) : {}),
    ...(breaker ? { breaker: breakerOf(breaker, reading) } : {}),
    ...(bulkhead && bulkhead.value !== 0 ? { bulkhead } : {}),
  }
}

function settingOf({ draft, version }: MiddlewareReading, key: string, { spot }: { readonly spot: Written['spot'] }): Setting {
  return { draft, system: 'traefik', version, key, at: spot }
}

/** `attempts` counts the first try too. Only what was not sent yet is repeated, unless `status` asks for more. */
function retryFields(retry: YamlNode, reading: MiddlewareReading): MiddlewareFields {
  const written = writtenUnder(retry, 'attempts')
  const attempts = written && countFact(settingOf(reading, 'retry.attempts', written), written)
  if (attempts?.value === 0 && written)
    addDead(reading.draft, {
      setting: 'retry.attempts',
      written: '0',
      spot: written.spot,
      because: 'Traefik takes 1 or more, and switches the router off',
      effective: 'no route',
    })
  if (!attempts || attempts.value === 0 || attempts.value === 1) return {}
  const interval = writtenUnder(retry, 'initialInterval')
  const base = interval && limitFact(settingOf(reading, 'retry.initialInterval', interval), interval, 'go-or-seconds')
  const within = writtenUnder(retry, 'timeout')
  const withinMs = within && limitFact(settingOf(reading, 'retry.timeout', within), within, 'go-or-seconds', 'none')
  const statuses = wordsUnder(retry, 'status').flatMap(({ text }) => statusWords(text))
  return {
    attempts,
    retryOn: declared(['connect', ...statuses], attempts.origin.spot),
    ...(typeof base?.value === 'number' && typeof attempts.value === 'number' ? backoffOf(base as Sourced<number>, attempts.value) : {}),
    ...(withinMs && withinMs.value !== 'none' ? { retryStartWithinMs: withinMs } : {}),
  }
}

/** `502` as it is; of a range like `500-599` those that a chain can hold. */
function statusWords(text: string): readonly string[] {
  if (/^[1-5]\d\d$/.test(text)) return [text]
  return text === '500-599' ? ['5xx'] : []
}

const MAX_WAITS = 100
const SPREAD = 1.5

/** Waits grow up to twice the first, each up to half longer by chance. */
function backoffOf(base: Sourced<number>, attempts: number): { readonly backoff?: Backoff } {
  if (base.value <= 0 || attempts > MAX_WAITS) return {}
  const waits = Array.from(
    { length: attempts - 1 },
    (_, index) => Math.min(base.value * 2 ** (index / (attempts - 1)), base.value * 2) * SPREAD,
  )
  return {
    backoff: {
      kind: 'list',
      largestMs: { value: waits.map((wait) => Math.min(Math.round(wait * 10) / 10, longestDurationMs)), origin: base.origin },
    },
  }
}

/** The shares that its expression names; of one that asks for the latency only how long it stays open is known. */
function breakerOf(node: YamlNode, reading: MiddlewareReading): Breaker {
  const expression = writtenUnder(node, 'expression')
  const spot = expression?.spot ?? node
  const share = /(?:NetworkErrorRatio\(\)|ResponseCodeRatio\([\d,\s]{1,40}\))\s*>=?\s*(0?\.\d{1,6}|1|0)/.exec(expression?.text ?? '')?.[1]
  const slow = /LatencyAtQuantileMS\([\d.]{1,6}\)\s*>=?\s*(\d{1,9})/.exec(expression?.text ?? '')?.[1]
  if (expression && share === undefined && slow === undefined)
    addNote(
      reading.draft,
      'unknown',
      expression.spot,
      `circuitBreaker.expression ${expression.text.slice(0, 60)}: when it opens is not in the chain`,
    )
  const setting = settingOf(reading, 'circuitBreaker.fallbackDuration', { spot })
  const written = writtenUnder(node, 'fallbackDuration')
  const parsed = written && parseDuration(written.text, 'go-or-seconds')
  const open = parsed?.ok ? declared(parsed.ms, written?.spot ?? spot) : defaultLimit(setting, spot)
  return {
    spot,
    ...(share === undefined ? {} : { failureRate: declared(Number(share), spot) }),
    ...(slow === undefined ? {} : { slowMs: declared(Number(slow), spot) }),
    ...(typeof open?.value === 'number' ? { open: { value: { baseMs: open.value, maxMs: open.value }, origin: open.origin } } : {}),
  }
}
