import type { CallFields, LimitMs } from '../model/chain.js'
import { declared, type Sourced } from '../model/sourced.js'
import { factorOf } from './factor-of.js'
import { addNote, type HopFact, type OperationFact } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'
import type { SpringApplication } from './spring.js'
import { breakerOf, instanceSetting } from './spring-resilience.js'
import { sayShadowedGatewayRoutes } from './spring-shadowed.js'
import { nameOf, targetOf } from './target.js'

const ROOTS = ['spring.cloud.gateway', 'spring.cloud.gateway.server.webflux', 'spring.cloud.gateway.server.webmvc']

/** The routes of Spring Cloud Gateway, an operation each. */
export function gatewayOperations(application: SpringApplication): readonly OperationFact[] {
  const { settings, draft } = application
  const locator = settings.get('spring.cloud.gateway.discovery.locator.enabled')
  if (locator?.text === 'true')
    addNote(
      draft,
      'unknown',
      locator.spot,
      'discovery.locator.enabled: routes to every registered service; which there are is known at run time',
    )
  for (const root of ROOTS)
    sayShadowedGatewayRoutes(
      application,
      indices(application, `${root}.routes`).map((index) => `${root}.routes[${index}]`),
    )
  return ROOTS.flatMap((root) =>
    indices(application, `${root}.routes`).flatMap((index) => routeOf(application, root, `${root}.routes[${index}]`, index)),
  )
}

/** How many items a list has: keys `x[0]`, `x[1]` …, up to the first that is missing. */
function indices({ settings }: SpringApplication, key: string): readonly number[] {
  const found: number[] = []
  while (found.length < MAX_ITEMS && settings.has(`${key}[${found.length}]`)) found.push(found.length)
  return found
}

const MAX_ITEMS = 2_000

function routeOf(application: SpringApplication, root: string, route: string, index: number): readonly OperationFact[] {
  const { settings } = application
  const uri = settings.get(`${route}.uri`)
  if (!uri || /^(forward|no):/.test(uri.text)) return []
  const id = settings.get(`${route}.id`)
  const path = pathOf(application, route)
  return [{ name: id ? nameOf(id.text) : `route-${index}`, spot: (id ?? uri).spot, path, hops: [hopOf(application, root, route, uri)] }]
}

/** The literal part of a `Path` predicate. */
function pathOf(application: SpringApplication, route: string): string | null {
  const { settings } = application
  for (const index of indices(application, `${route}.predicates`)) {
    const at = `${route}.predicates[${index}]`
    const text = settings.get(at)?.text
    const short = text === undefined ? null : /^Path=([^,]+)/.exec(text)?.[1]
    const long =
      settings.get(`${at}.name`)?.text === 'Path'
        ? (settings.get(`${at}.args.pattern`) ?? settings.get(`${at}.args.patterns`))?.text
        : undefined
    const pattern = short ?? long
    if (pattern !== undefined && pattern !== null) return pattern.split(',')[0]?.replace(/[/]?[*{?].*$/, '') || '/'
  }
  return null
}

function hopOf(application: SpringApplication, root: string, route: string, uri: Written): HopFact {
  const { settings, draft, at } = application
  const setting = (key: string, shown: string): Setting => ({
    draft,
    system: 'spring-cloud-gateway',
    version: null,
    key,
    shown,
    at: uri.spot,
  })
  const connect = settings.get(`${route}.metadata.connect-timeout`) ?? settings.get(`${root}.httpclient.connect-timeout`)
  const connectMs = limitFact(setting('spring.cloud.gateway.httpclient.connect-timeout', 'connect-timeout'), connect, 'int-ms')
  const own = settings.get(`${route}.metadata.response-timeout`)
  const response = own ?? settings.get(`${root}.httpclient.response-timeout`)
  // A negative number in a route's metadata takes the global limit away.
  const isOff = own !== undefined && /^-\d+$/.test(own.text)
  // The gateway's timer runs from the start of a try to the answer's header, connecting included.
  const responseMs = isOff
    ? undefined
    : limitFact(setting('spring.cloud.gateway.httpclient.response-timeout', 'response-timeout'), response, own ? 'int-ms' : 'spring')
  const isFixed = settings.get(`${root}.httpclient.pool.type`)?.text.toUpperCase() === 'FIXED'
  const wait = isFixed
    ? limitFact(
        setting('httpclient.pool.acquire-timeout', 'acquire-timeout'),
        settings.get(`${root}.httpclient.pool.acquire-timeout`),
        'int-ms',
      )
    : undefined
  const filters = filtersOf(application, root, route, uri)
  const fields: Partial<Omit<CallFields, 'to'>> = {
    ...(connectMs ? { connectMs } : {}),
    ...(responseMs ? { attemptMs: responseMs } : {}),
    ...(wait ? { queue: { spot: at, perAttemptMs: wait } } : {}),
    ...filters.fields,
    ...shortest(responseMs, filters.fields.attemptMs),
  }
  return {
    spot: uri.spot,
    target: targetOf(uri.text.replace(/^lb:(ws|http)?s?:?\/\//, 'lb://'), uri.spot),
    fields,
    repeatsReadsOnly: filters.repeatsReadsOnly,
    instances: filters.instances,
    remarks: responseMs ? [] : ['No response-timeout is set: the gateway waits for the answer without end.'],
  }
}

/** Two timers around each try: the shorter one ends it. */
function shortest(a: Sourced<LimitMs> | undefined, b: Sourced<LimitMs> | undefined): { readonly attemptMs?: Sourced<LimitMs> } {
  if (!a || !b) return {}
  if (a.value === 'unknown' || b.value === 'none') return { attemptMs: a }
  if (b.value === 'unknown' || a.value === 'none') return { attemptMs: b }
  return { attemptMs: a.value <= b.value ? a : b }
}

interface Filters {
  readonly fields: Partial<Omit<CallFields, 'to'>>
  readonly repeatsReadsOnly: boolean
  readonly instances: readonly string[]
}

interface Filter {
  readonly name: string
  readonly at: string
  readonly short: Written | undefined
  readonly written: Written
}

/** Default filters, then the route's own: what comes first is outside. */
function filtersOf(application: SpringApplication, root: string, route: string, uri: Written): Filters {
  const filters = [`${root}.default-filters`, `${route}.filters`].flatMap((key) =>
    indices(application, key).flatMap((index) => filterOf(application, `${key}[${index}]`, uri)),
  )
  const retryAt = filters.findIndex(({ name }) => name === 'Retry')
  const breakerAt = filters.findIndex(({ name }) => name === 'CircuitBreaker' || name === 'Hystrix')
  const retry = filters[retryAt]
  const breaker = filters[breakerAt]
  const retried = retry ? retryFields(application, retry) : null
  const limited = breaker ? breakerFields(application, breaker, retryAt >= 0 && retryAt < breakerAt) : null
  return {
    fields: { ...retried?.fields, ...limited?.fields },
    repeatsReadsOnly: retried?.readsOnly ?? false,
    instances: limited?.instances ?? [],
  }
}

function filterOf({ settings }: SpringApplication, at: string, uri: Written): readonly Filter[] {
  const short = settings.get(at)
  const long = settings.get(`${at}.name`)
  const written = short ?? long
  if (!written) return []
  return [{ name: written.text.split('=')[0] ?? '', at, short: short?.text.includes('=') ? short : undefined, written: written ?? uri }]
}

/** `Retry=3,INTERNAL_SERVER_ERROR,GET`, or `args`; its number leaves the first try out. */
function retryFields(
  application: SpringApplication,
  filter: Filter,
): { readonly fields: Partial<Omit<CallFields, 'to'>>; readonly readsOnly: boolean } {
  const { settings, draft } = application
  const { at, short, written } = filter
  const [retriesText, statusesText, methodsText] = (short?.text.slice(short.text.indexOf('=') + 1) ?? '').split(',')
  const argument = (name: string) => settings.get(`${at}.args.${name}`)?.text ?? settings.get(`${at}.args.${name}[0]`)?.text
  const retries = settings.get(`${at}.args.retries`) ?? (short && retriesText ? { text: retriesText.trim(), spot: short.spot } : undefined)
  const extra = countFact(
    { draft, system: 'spring-cloud-gateway', version: null, key: 'Retry filter retries', shown: 'retries', at: written.spot },
    retries,
  )
  const readsOnly = !/POST|PATCH|PUT|DELETE/i.test(argument('methods') ?? methodsText ?? 'GET')
  if (extra.value === 0) return { readsOnly, fields: {} }
  const attempts: Sourced<number | 'unknown'> = extra.value === 'unknown' ? extra : { ...extra, value: extra.value + 1 }
  const statuses = argument('statuses') ?? statusesText ?? ''
  const causes = ['connect', 'reset', 'timeout', ...(statuses === '' ? ['5xx'] : statusCodes(statuses))]
  return { readsOnly, fields: { attempts, retryOn: declared(causes, written.spot), ...backoffOf(application, filter) } }
}

function backoffOf({ settings, draft }: SpringApplication, { at, written }: Filter): Pick<Partial<CallFields>, 'backoff'> {
  const limit = (name: string) => {
    const found = settings.get(`${at}.args.backoff.${name}`)
    return found && limitFact({ draft, system: 'spring-cloud-gateway', version: null, key: name, at: written.spot }, found, 'spring')
  }
  const baseMs = limit('firstBackoff')
  if (!baseMs) return {}
  const maxMs = limit('maxBackoff')
  const { spot } = baseMs.origin
  return {
    backoff: {
      kind: 'law',
      baseMs,
      ...(maxMs ? { maxMs } : {}),
      factor: declared(factorOf(settings.get(`${at}.args.backoff.factor`)?.text, 2), spot),
      jitter: declared('none', spot),
    },
  }
}

const NAMES: Readonly<Record<string, string>> = {
  INTERNAL_SERVER_ERROR: '500',
  BAD_GATEWAY: '502',
  SERVICE_UNAVAILABLE: '503',
  GATEWAY_TIMEOUT: '504',
  TOO_MANY_REQUESTS: '429',
}

function statusCodes(text: string): readonly string[] {
  return text.split(/[,\s]+/).flatMap((status) => NAMES[status.toUpperCase()] ?? (/^[1-5]\d\d$/.test(status) ? status : []))
}

/** A breaker of Spring Cloud brings a time limit of its own (1 s unless set): inside `Retry` for each try, outside it for all. */
function breakerFields(
  application: SpringApplication,
  { at, short, written }: Filter,
  isInsideRetry: boolean,
): { readonly fields: Partial<Omit<CallFields, 'to'>>; readonly instances: readonly string[] } {
  const { settings, draft } = application
  const name = settings.get(`${at}.args.name`)?.text ?? short?.text.slice(short.text.indexOf('=') + 1).split(',')[0] ?? written.text
  if (settings.get('spring.cloud.circuitbreaker.resilience4j.disable-time-limiter')?.text === 'true')
    return { fields: { breaker: breakerOf(application, name) }, instances: [name] }
  const limit = limitFact(
    {
      draft,
      system: 'spring-cloud-gateway',
      version: null,
      key: 'CircuitBreaker filter time limit',
      shown: 'timeout-duration',
      at: written.spot,
    },
    instanceSetting(application, 'timelimiter', name, 'timeout-duration'),
    'spring',
  )
  return {
    fields: { ...(limit ? (isInsideRetry ? { attemptMs: limit } : { timeoutMs: limit }) : {}), breaker: breakerOf(application, name) },
    instances: [name],
  }
}
