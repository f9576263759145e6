import { JAVA, type Product } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { type JavaCall, javaSighting, javaString } from './java-call.js'
import { javaLimit } from './java-duration.js'
import { callsAlong, callsOn, holderOf } from './java-instance.js'
import { type JavaFile, javaArguments, javaValues } from './java-values.js'

const FEIGN = /^feign\.Feign\.builder\(\)(\.\w+\(\))*\.target\(\)$/

/** `Feign.builder()…target(…)`: every request carries the builder's options, whatever client sends it. */
export function readFeign(call: JavaCall): Sighting | null {
  if (!FEIGN.test(call.path)) return null
  const [options, ...rest] = callsAlong(call.file, call.makers, ['options'])
  const isOther = callsAlong(call.file, call.makers, ['client']).some((set) => !honoursOptions(call.file, javaArguments(set)[0]))
  const own = options ? optionsLimit(call.file, javaArguments(options)[0]) : ABSENT
  const limit = isOther || rest.length > 0 ? UNKNOWN_LIMIT : own
  return javaSighting(JAVA.feign, call, 'Feign client', limit, {
    cause: call.makers[0] ?? call.node,
    target: javaString(call.file, call.args[1]),
  })
}

/** Feign's own clients take their timeouts from the options; another one does what it likes. */
function honoursOptions(file: JavaFile, client: Parameters<typeof javaValues>[1]): boolean {
  const [value] = javaValues(file, client)
  return value?.kind === 'known' && /^feign\.((okhttp|httpclient|hc5|http2client)\.\w+|Client\.Default)\{\}$/.test(value.path)
}

/** `new Request.Options(connectMs, readMs)`, `(connect, unit, read, unit, follow)`, `(connect, read, follow)` with durations. */
function optionsLimit(file: JavaFile, options: Parameters<typeof javaValues>[1]): Limit {
  const [value] = javaValues(file, options)
  const maker = value?.kind === 'known' && value.path === 'feign.Request.Options{}' ? value.makers.at(-1) : undefined
  if (!maker) return UNKNOWN_LIMIT
  const args = javaArguments(maker)
  if (args.length === 0) return ABSENT
  return args.length >= 4 ? javaLimit(file, args.slice(2, 4), 'silence') : javaLimit(file, args.slice(1, 2), 'silence')
}

const OKHTTP = /^okhttp3\.OkHttpClient(\{\}|\.Builder\{\}(\.\w+\(\))*\.build\(\))$/
const STREAMS = ['newWebSocket', 'EventSource', 'EventSources', 'WebSocketListener', 'EventSourceListener', 'pingInterval']

/** `new OkHttpClient()` and its builder: a read timeout of 0 is none, unless the whole call has a limit. */
export function readOkHttp(call: JavaCall): Sighting | null {
  if (!OKHTTP.test(call.path)) return null
  const { file, makers } = call
  const [total] = callsAlong(file, makers, ['callTimeout'])
  const whole = total ? javaLimit(file, javaArguments(total), 'total') : ABSENT
  const [read, ...rest] = callsAlong(file, makers, ['readTimeout'])
  const silence = !read ? ABSENT : rest.length > 0 ? UNKNOWN_LIMIT : javaLimit(file, javaArguments(read), 'silence')
  const isStream = silence.state === 'off' && STREAMS.some((name) => file.mentions.has(name) || file.imported.has(name))
  const limit = whole.state === 'written' ? whole : isStream || whole.state === 'unknown' ? UNKNOWN_LIMIT : silence
  return javaSighting(JAVA.okhttp, call, 'OkHttpClient', limit)
}

/** `new Jedis(host, port, timeoutMs)` and `new JedisPool(config, host, port, timeoutMs, …)`. */
export function readJedis(call: JavaCall): Sighting | null {
  const name = /^redis\.clients\.jedis\.(Jedis|JedisPool)\{\}$/.exec(call.path)?.[1]
  if (!name) return null
  const { args, file } = call
  const limit = name === 'Jedis' ? jedisLimit(file, args, 2) : jedisLimit(file, args, 3)
  return javaSighting(JAVA.jedis, call, name, limit, { target: javaString(file, args[name === 'Jedis' ? 0 : 1]) })
}

function jedisLimit(file: JavaFile, args: JavaCall['args'], position: number): Limit {
  if (args.length <= position) return args.length <= 2 ? ABSENT : UNKNOWN_LIMIT
  const given = args[position]
  const isNumber = given && /integer_literal$|^identifier$|^binary_expression$/.test(given.type)
  return isNumber && args.length <= position + 2 ? javaLimit(file, [given], 'silence') : UNKNOWN_LIMIT
}

/** `RedisClient.create(…)` of Lettuce: the URL, its builder or the client has the timeout of commands. */
export function readLettuce(call: JavaCall): Sighting | null {
  if (call.path !== 'io.lettuce.core.RedisClient.create()') return null
  const name = holderOf(call.node)
  const { file, args } = call
  const [set] = name?.type === 'identifier' ? callsOn(file, name, ['setDefaultTimeout']) : []
  const hasOptions = name?.type === 'identifier' && callsOn(file, name, ['setOptions']).length > 0
  const limit = set ? javaLimit(file, javaArguments(set), 'total') : hasOptions ? UNKNOWN_LIMIT : addressLimit(file, args)
  return javaSighting(JAVA.lettuce, call, 'RedisClient', limit, { target: javaString(file, args.at(-1)) })
}

function addressLimit(file: JavaFile, args: JavaCall['args']): Limit {
  if (args.length !== 1) return UNKNOWN_LIMIT
  const text = javaString(file, args[0])
  if (text !== null) return /^rediss?[^?]*$/.test(text) ? ABSENT : UNKNOWN_LIMIT
  const [value] = javaValues(file, args[0])
  if (value?.kind !== 'known' || !/^io\.lettuce\.core\.RedisURI(\{\}|\.(create|builder|Builder)\b.*)$/.test(value.path))
    return UNKNOWN_LIMIT
  const [set, ...rest] = callsAlong(file, value.makers, ['withTimeout', 'setTimeout'])
  if (set) return rest.length > 0 ? UNKNOWN_LIMIT : javaLimit(file, javaArguments(set), 'total')
  const [first] = value.makers
  const url = first ? javaString(file, javaArguments(first)[0]) : null
  return value.path.includes('.create()') && (url === null || url.includes('?')) ? UNKNOWN_LIMIT : ABSENT
}

const DRIVERS: readonly (readonly [RegExp, Product])[] = [
  [/^jdbc:mysql:/, JAVA.mysql],
  [/^jdbc:postgresql:/, JAVA.pgjdbc],
  [/^jdbc:mariadb:/, JAVA.mariadb],
]

/** `DriverManager.getConnection(url, …)` of a database whose driver takes its timeouts from the URL. */
export function readDriverManager(call: JavaCall): Sighting | null {
  if (call.path !== 'java.sql.DriverManager.getConnection()') return null
  const url = javaString(call.file, call.args[0])
  const product = DRIVERS.find(([scheme]) => scheme.test(url ?? ''))?.[1]
  if (!product || url === null) return null
  // What comes at the end of a text that is put together may bring settings, unless their list has begun.
  const mayHaveMore = call.args.length === 2 || (url.includes('{…}') && !url.includes('?')) || url.endsWith('{…}')
  const limit = socketTimeout(url, product)
  return javaSighting(product, call, 'DriverManager.getConnection', limit ?? (mayHaveMore ? UNKNOWN_LIMIT : ABSENT), { target: url })

  function socketTimeout(text: string, { system }: Product): Limit | null {
    const written = /[?&;]socketTimeout=([^&;]*)/i.exec(text)?.[1]
    if (written === undefined) return null
    const ms = Number(written) * (system === 'pgjdbc' ? 1000 : 1)
    const at = call.args[0] ?? call.node
    if (written === '0') return { state: 'off', at }
    return Number.isFinite(ms) && ms > 0 ? { state: 'written', ms, kind: 'statement', at } : UNKNOWN_LIMIT
  }
}

const APACHE =
  /^org\.apache\.(http\.impl\.client|hc\.client5\.http\.impl\.classic)\.(HttpClients\.(createDefault|createSystem|createMinimal)\(\)|HttpClients\.custom\(\)(\.\w+\(\))*\.build\(\)|HttpClientBuilder\.create\(\)(\.\w+\(\))*\.build\(\)|DefaultHttpClient\{\})$/
/** Names that give requests or sockets a limit wherever they stand in the file. */
const APACHE_LIMITS = [
  'RequestConfig',
  'SocketConfig',
  'ConnectionConfig',
  'setConfig',
  'setSocketTimeout',
  'setSoTimeout',
  'setResponseTimeout',
  'HttpConnectionParams',
  'HttpComponentsClientHttpRequestFactory',
  'CoreConnectionPNames',
  'HttpParams',
  'BasicHttpParams',
]
const APACHE_STEPS = ['setDefaultRequestConfig', 'setDefaultSocketConfig', 'setConnectionManager', 'setRequestExecutor']

/** Clients of Apache HttpClient: without a config of requests or sockets nothing ends the wait for an answer. */
export function readApache(call: JavaCall): Sighting | null {
  const found = APACHE.exec(call.path)
  if (!found) return null
  const product = found[1] === 'http.impl.client' ? JAVA.apache4 : JAVA.apache5
  return javaSighting(product, call, 'HttpClient', apacheLimit(call), {
    cause: call.makers[0] ?? call.node,
  })
}

function apacheLimit({ file, makers, path, args }: JavaCall): Limit {
  const set = ['setSocketTimeout', 'setResponseTimeout'].flatMap((name) => file.mentions.get(name) ?? [])
  const [only] = set
  if (only?.parent?.type === 'method_invocation' && set.length === 1) return javaLimit(file, javaArguments(only.parent), 'silence')
  const isLimited = APACHE_LIMITS.some((name) => file.mentions.has(name) || file.imported.has(name))
  const isGiven = path.endsWith('{}') && args.length > 0
  return isLimited || isGiven || callsAlong(file, makers, APACHE_STEPS).length > 0 ? UNKNOWN_LIMIT : ABSENT
}
