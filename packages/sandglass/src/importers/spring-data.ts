import type { CallFields, LimitMs } from '../model/chain.js'
import { declared, type Sourced, type Spot } from '../model/sourced.js'
import { addDead, addNote, type HopFact, type Target } from './facts.js'
import { countFact, defaultNumber, limitFact, type Setting, type Written } from './limit-fact.js'
import type { DurationDialect } from './parse-duration.js'
import { statementOfUrl } from './postgres-url.js'
import type { SpringApplication } from './spring.js'
import { redisPrefix } from './spring-superseded.js'
import { targetOf } from './target.js'
import { templateIn } from './templates.js'

/** Calls to databases and caches, and the pools they draw on. */
export interface DataFacts {
  readonly hops: readonly HopFact[]
  readonly pools: ReadonlyMap<string, Sourced<number>>
}

/** Reads `spring.datasource` (Hikari, Druid, dynamic), MyBatis and Redis. */
export function dataHops(application: SpringApplication): DataFacts {
  const { settings } = application
  const pools = new Map<string, Sourced<number>>()
  const dynamic = settings.below('spring.datasource.dynamic.datasource')
  const sources = [
    { key: 'spring.datasource', pool: 'datasource', shared: [] },
    ...dynamic.map((name) => ({ key: `spring.datasource.dynamic.datasource.${name}`, pool: name, shared: ['spring.datasource.dynamic'] })),
  ]
  const hops = sources.flatMap((source) => datasourceHop(application, source, pools))
  return { hops: [...hops, ...redisHop(application)], pools }
}

/** A database in the process itself (or one that only tests start): no call leaves it. */
const EMBEDDED = /^jdbc:(?:p6spy:|log4jdbc:)?(?:h2:(?!tcp:|ssl:)|hsqldb:(?!hsqls?:|https?:)|derby:(?!\/\/)|sqlite:|tc:)/i

interface Datasource {
  readonly key: string
  readonly pool: string
  /** Where settings stand that hold for several. */
  readonly shared: readonly string[]
}

function datasourceHop(application: SpringApplication, source: Datasource, pools: Map<string, Sourced<number>>): readonly HopFact[] {
  const { settings } = application
  const url =
    settings.get(`${source.key}.url`) ??
    settings.get(`${source.key}.druid.url`) ??
    settings.get(`${source.key}.hikari.jdbc-url`) ??
    settings.get(`${source.key}.jdbc-url`)
  if (!url || EMBEDDED.test(url.text)) return []
  const isDruid = isOfDruid(application, source)
  const get = (name: string): Written | undefined =>
    [source.key, ...source.shared].map((key) => settings.get(`${key}.${isDruid ? 'druid' : 'hikari'}.${name}`)).find((written) => written)
  const { fields, size } = isDruid ? druidFields(application, get, url.spot) : hikariFields(application, get, url.spot)
  if (typeof size.value === 'number' && size.value > 0) pools.set(source.pool, size as Sourced<number>)
  const pool = pools.has(source.pool) ? { pool: declared(source.pool, url.spot) } : {}
  const statement = statementLimit(application) ?? statementOfUrl(url, application.draft)
  return [
    {
      spot: url.spot,
      target: withUser(jdbcTarget(url), settings.get(`${source.key}.username`) ?? settings.get(`${source.key}.hikari.username`)),
      fields: {
        ...driverFields(application, url, get),
        ...fields,
        ...(isDruid ? writtenInUrl(application, url) : {}),
        ...(statement ? { attemptMs: statement } : {}),
        ...pool,
      },
      remarks: [],
    },
  ]
}

/** By its settings or its type; where it has none of them, by what is on the classpath: Druid's starter comes before Spring's own choice. */
function isOfDruid({ settings, hasDruidStarter }: SpringApplication, { key, shared }: Datasource): boolean {
  const type = settings.get(`${key}.type`)?.text ?? ''
  if ([key, ...shared].some((each) => settings.has(`${each}.druid`)) || /druid/i.test(type)) return true
  const isLeftOut =
    shared.length === 0 && settings.list('spring.autoconfigure.exclude').some(({ text }) => /DruidDataSourceAutoConfigure/.test(text))
  return hasDruidStarter && type === '' && !isLeftOut && ![key, ...shared].some((each) => settings.has(`${each}.hikari`))
}

/** Who logs in decides in PostgreSQL which limits hold. */
function withUser(target: Target, user: Written | undefined): Target {
  return user && templateIn(user.text) === null ? { ...target, user: user.text } : target
}

function jdbcTarget(url: Written): ReturnType<typeof targetOf> {
  const plain = url.text
    .replace(/^jdbc:(p6spy:|log4jdbc:)?/, '')
    .replace(/^oracle:thin:@(\/\/)?/, 'oracle://')
    .replace(/^sqlserver:\/\//, 'sqlserver://')
  const target = targetOf(plain, url.spot)
  return { ...target, kind: 'database' }
}

interface PoolFacts {
  readonly fields: Partial<Omit<CallFields, 'to'>>
  readonly size: Sourced<number | 'unknown'>
}

type Get = (name: string) => Written | undefined

function hikariFields({ draft }: SpringApplication, get: Get, at: Spot): PoolFacts {
  const setting = (key: string, shown: string) => ({ draft, system: 'hikaricp', version: null, key, shown, at })
  const written = get('connection-timeout')
  const wait = limitFact(setting('connectionTimeout', 'connection-timeout'), written, 'int-ms', 'none')
  const least = defaultNumber(setting('connectionTimeout minimum', 'connection-timeout'))
  if (written && typeof wait?.value === 'number' && typeof least.value === 'number' && wait.value < least.value)
    addDead(draft, {
      setting: 'connection-timeout',
      written: written.text,
      spot: written.spot,
      because: `HikariCP takes no less than ${least.value} ms`,
      effective: 'the application does not start',
    })
  const keepAliveMs = keptFor(setting, get)
  return {
    fields: { ...(wait ? { queue: { spot: wait.origin.spot, totalMs: wait } } : {}), ...(keepAliveMs ? { keepAliveMs } : {}) },
    size: countFact(setting('maximumPoolSize', 'maximum-pool-size'), get('maximum-pool-size')),
  }
}

/** An idle connection stays in the pool for its life, unless it is asked now and then whether it still works. */
function keptFor(setting: (key: string, shown: string) => Setting, get: Get): Sourced<LimitMs> | undefined {
  const life = limitFact(setting('maxLifetime', 'max-lifetime'), get('max-lifetime'), 'int-ms', 'none')
  const asked = get('keepalive-time')
  const ping = asked && limitFact(setting('keepaliveTime', 'keepalive-time'), asked, 'int-ms', 'none')
  if (typeof ping?.value !== 'number') return life
  return typeof life?.value === 'number' && life.value <= ping.value ? life : ping
}

function druidFields({ draft, druid }: SpringApplication, get: Get, at: Spot): PoolFacts {
  const setting = (key: string, shown: string) => ({ draft, system: 'druid', version: druid, key, shown, at })
  const written = get('max-wait')
  // -1 waits without end, and so does what is not written.
  const wait =
    written && /^-\d+$/.test(written.text)
      ? declared('none' as const, written.spot)
      : limitFact(setting('maxWait', 'max-wait'), written, 'int-ms')
  const silence = get('socket-timeout')
  // 0 stands for the default, which only some versions have.
  const silenceMs = limitFact(setting('socketTimeout', 'socket-timeout'), silence?.text === '0' ? undefined : silence, 'int-ms', 'none')
  const connect = get('connect-timeout')
  // Connections are made beside the calls, which wait for one as long as they may: a default that nobody wrote is none of a call.
  const connectMs = connect && limitFact(setting('connectTimeout', 'connect-timeout'), connect, 'int-ms', 'none')
  return {
    fields: {
      queue: { spot: at, ...(wait ? { totalMs: wait } : {}) },
      ...(connectMs ? { connectMs } : {}),
      ...(silenceMs ? { silenceMs } : {}),
    },
    size: countFact(setting('maxActive', 'max-active'), get('max-active')),
  }
}

const DRIVERS: ReadonlyMap<string, readonly [string, DurationDialect]> = new Map([
  ['postgresql', ['pgjdbc', 'int-s']],
  ['mysql', ['mysql connector/j', 'int-ms']],
])

/** Druid takes what the URL says before its own settings. */
function writtenInUrl(application: SpringApplication, url: Written): Partial<Omit<CallFields, 'to'>> {
  const { connectMs, silenceMs } = driverFields(application, url, () => undefined)
  return {
    ...(/[?&;]connectTimeout=/.test(url.text) && connectMs ? { connectMs } : {}),
    ...(/[?&;]socketTimeout=/.test(url.text) && silenceMs ? { silenceMs } : {}),
  }
}

/** The driver's own limits stand in the URL, or in the pool's properties for it: milliseconds for MySQL and MariaDB, seconds for PostgreSQL. */
function driverFields({ draft }: SpringApplication, url: Written, get: Get): Partial<Omit<CallFields, 'to'>> {
  const driver = /^jdbc:(?:p6spy:)?(\w+)/.exec(url.text)?.[1] ?? ''
  const [system, dialect] = DRIVERS.get(driver) ?? []
  if (system === undefined || dialect === undefined) return {}
  const limit = (key: string): Sourced<LimitMs> | undefined => {
    const text = new RegExp(`[?&;]${key}=([^&;]*)`).exec(url.text)?.[1]
    const property = get(`data-source-properties.${key}`)
    return limitFact(
      { draft, system, version: null, key, at: url.spot },
      text === undefined ? property : { text, spot: url.spot },
      dialect,
      'none',
    )
  }
  const [connectMs, silenceMs] = [limit('connectTimeout'), limit('socketTimeout')]
  return {
    ...(connectMs && connectMs.value !== 'none' ? { connectMs } : {}),
    ...(silenceMs && silenceMs.value !== 'none' ? { silenceMs } : {}),
  }
}

/** MyBatis ends a statement after so many seconds. */
function statementLimit({ settings, draft, at }: SpringApplication): Sourced<LimitMs> | undefined {
  const written =
    settings.get('mybatis.configuration.default-statement-timeout') ?? settings.get('mybatis-plus.configuration.default-statement-timeout')
  return (
    written &&
    limitFact(
      { draft, system: 'mybatis', version: null, key: 'defaultStatementTimeout', shown: 'default-statement-timeout', at },
      written,
      'int-s',
      'none',
    )
  )
}

/** `spring.data.redis.timeout` limits a command, not connecting, whatever comments say. */
function redisHop(application: SpringApplication): readonly HopFact[] {
  const { settings, draft, at } = application
  const prefix = redisPrefix(application)
  if (prefix === undefined) return []
  const url = settings.get(`${prefix}.url`)
  const host = settings.get(`${prefix}.host`)
  const port = settings.get(`${prefix}.port`)
  const where =
    url ??
    (host && { text: `${host.text}${port ? `:${port.text}` : ''}`, spot: host.spot }) ??
    settings.get(`${prefix}.cluster.nodes`) ??
    settings.get(`${prefix}.sentinel.nodes`)
  if (!where) return []
  if (settings.has(`${prefix}.jedis`)) {
    addNote(draft, 'unknown', where.spot, 'redis by Jedis: one number limits connecting and reading; it is not in the chain')
    return [
      {
        spot: where.spot,
        target: { ...targetOf(where.text, where.spot), kind: 'cache' },
        fields: { timeoutMs: declared('unknown', where.spot) },
        remarks: [],
      },
    ]
  }
  const setting = (key: string) => ({ draft, system: 'lettuce', version: null, key, at: where.spot ?? at })
  const timeoutMs = limitFact(setting('command timeout'), settings.get(`${prefix}.timeout`), 'spring', 'none')
  const connectMs = limitFact(setting('SocketOptions.connectTimeout'), settings.get(`${prefix}.connect-timeout`), 'spring')
  return [
    {
      spot: where.spot,
      target: { ...targetOf(where.text.split(',')[0] ?? '', where.spot), kind: 'cache' },
      fields: { ...(timeoutMs ? { timeoutMs } : {}), ...(connectMs ? { connectMs } : {}) },
      remarks: [],
    },
  ]
}
