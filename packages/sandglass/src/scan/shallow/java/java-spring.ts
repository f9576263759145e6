import { JAVA } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import type { Value } from '../value.js'
import { type JavaCall, javaSighting } from './java-call.js'
import { javaLimit } from './java-duration.js'
import { callsAlong, callsOn, handedOn, holderOf } from './java-instance.js'
import { type JavaFile, javaArguments, javaValues } from './java-values.js'

const FACTORIES = 'org.springframework.http.client.'
const PREPARES = /timeout|config|custom|setup|factory|init|prepare|apply/i

/** `new RestTemplate()`: its request factory has the timeouts. */
export function readRestTemplate(call: JavaCall): Sighting | null {
  if (call.path !== 'org.springframework.web.client.RestTemplate{}') return null
  return javaSighting(JAVA.restTemplate, call, 'RestTemplate', templateLimit(call))
}

function templateLimit({ file, node, args }: JavaCall): Limit {
  const name = holderOf(node)
  const later = name?.type === 'identifier' ? callsOn(file, name, ['setRequestFactory']) : []
  const factories = later.length > 0 ? later.map((set) => javaArguments(set)[0]) : args
  if (factories.length > 1) return UNKNOWN_LIMIT
  const isPrepared = name?.type === 'identifier' && handedOn(file, name).some(isPreparing)
  if (factories.length === 0) return isPrepared ? UNKNOWN_LIMIT : ABSENT
  const values = javaValues(file, factories[0])
  const [value] = values
  return values.length === 1 && value ? factoryLimit(file, value) : UNKNOWN_LIMIT
}

function isPreparing(place: SyntaxNode): boolean {
  const call = place.parent
  return place.type === 'argument_list' && call?.type === 'method_invocation' && PREPARES.test(childOf(call, 'name')?.text ?? '')
}

function factoryLimit(file: JavaFile, value: Value): Limit {
  const maker = value.kind === 'known' ? value.makers.at(-1) : undefined
  if (value.kind !== 'known' || !maker || !value.path.startsWith(FACTORIES) || !value.path.endsWith('{}')) return UNKNOWN_LIMIT
  const [inner] = javaArguments(maker)
  if (value.path === `${FACTORIES}BufferingClientHttpRequestFactory{}`) {
    const [wrapped] = javaValues(file, inner)
    return wrapped ? factoryLimit(file, wrapped) : UNKNOWN_LIMIT
  }
  const name = holderOf(maker)
  const [set, ...rest] = name?.type === 'identifier' ? callsOn(file, name, ['setReadTimeout']) : []
  if (set) return rest.length > 0 ? UNKNOWN_LIMIT : javaLimit(file, javaArguments(set), 'silence')
  const isGiven = inner !== undefined || (name?.type === 'identifier' && handedOn(file, name).some(isPreparing))
  return isGiven ? UNKNOWN_LIMIT : ABSENT
}

const WEB_CLIENT = /^org\.springframework\.web\.reactive\.function\.client\.WebClient\.(create\(\)|builder\(\)(\.\w+\(\))*\.build\(\))$/

/** `WebClient.create()` and `WebClient.builder()…build()`: the connector has the timeout, or each pipeline. */
export function readWebClient(call: JavaCall): Sighting | null {
  if (!WEB_CLIENT.test(call.path)) return null
  return javaSighting(JAVA.webClient, call, 'WebClient', webClientLimit(call), { cause: call.makers[0] ?? call.node })
}

/** Names that limit a pipeline or its connection when they stand anywhere in the file. */
const LIMITING = ['responseTimeout', 'ReadTimeoutHandler', 'orTimeout', 'TimeLimiter']
const OPAQUE = ['filter', 'filters', 'apply', 'exchangeFunction', 'mutate']

function webClientLimit({ file, makers }: JavaCall): Limit {
  const response = (file.mentions.get('responseTimeout') ?? []).flatMap(({ parent }) =>
    parent?.type === 'method_invocation' ? [parent] : [],
  )
  const [only] = response
  if (only && response.length === 1) return javaLimit(file, javaArguments(only), 'headers')
  if (LIMITING.some((name) => file.mentions.has(name)) || hasTimeout(file) || hasTimedBlock(file)) return UNKNOWN_LIMIT
  if (callsAlong(file, makers, OPAQUE).length > 0) return UNKNOWN_LIMIT
  const [connector] = callsAlong(file, makers, ['clientConnector'])
  return connector && !isPlainConnector(file, javaArguments(connector)[0]) ? UNKNOWN_LIMIT : ABSENT
}

/** `.timeout(Duration)` on anything but a request of java.net.http. */
function hasTimeout(file: JavaFile): boolean {
  return (file.mentions.get('timeout') ?? []).some(({ parent, field }) => {
    if (parent?.type !== 'method_invocation' || field !== 'name') return false
    const [value] = javaValues(file, childOf(parent, 'object'))
    return value?.kind !== 'known' || !value.path.startsWith('java.net.http.')
  })
}

/** `.block(Duration)` */
function hasTimedBlock(file: JavaFile): boolean {
  return (file.mentions.get('block') ?? []).some(({ parent }) => parent?.type === 'method_invocation' && javaArguments(parent).length > 0)
}

function isPlainConnector(file: JavaFile, connector: SyntaxNode | undefined): boolean {
  const [value] = javaValues(file, connector)
  const maker = value?.kind === 'known' && value.path.endsWith('.ReactorClientHttpConnector{}') ? value.makers.at(-1) : undefined
  const [client] = maker ? javaArguments(maker) : []
  if (!client) return maker !== undefined
  const [http] = javaValues(file, client)
  return (
    http?.kind === 'known' &&
    /^reactor\.netty\.http\.client\.HttpClient\.create\(\)(\.(wiretap|compress|followRedirect|secure|keepAlive|baseUrl)\(\))*$/.test(
      http.path,
    )
  )
}
