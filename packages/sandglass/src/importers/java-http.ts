import type { Spot } from '../model/sourced.js'
import { argumentsIn, closingOf, type JavaFile } from './java-file.js'
import { type JavaModule, type JavaProject, textOf } from './java-project.js'
import type { Written } from './limit-fact.js'

/** Which library makes a call by a URL. */
export type HttpClient = 'RestTemplate' | 'WebClient' | 'RestClient'

/** A URL that code calls. */
export interface HttpCall {
  readonly client: HttpClient
  readonly url: Written
}

/** What code calls by URL, and whether it sets limits for that. */
export interface HttpCalls {
  readonly calls: readonly HttpCall[]
  /** Where code gives such clients limits, or is likely to; null where nothing does. */
  readonly limitedAt: Spot | null
  /** Clients that this code makes itself. */
  readonly made: ReadonlySet<HttpClient>
}

const METHODS =
  /^(getFor(Object|Entity)|postFor(Object|Entity|Location)|patchForObject|headForHeaders|optionsForAllow|put|delete|exchange|execute|uri|baseUrl|rootUri|create|fromHttpUrl|fromUriString)$/
const LIMITS =
  /^(set)?(Connect(ion)?|Read|Response|Socket|ConnectionRequest)Timeout$|^(connect|read|response|connection)Timeout$|^(ReadTimeoutHandler|WriteTimeoutHandler|CONNECT_TIMEOUT_MILLIS|RequestConfig|RestTemplateCustomizer|WebClientCustomizer|RestClientCustomizer|ClientHttpRequestFactorySettings|HttpComponentsClientHttpRequestFactory|OkHttp3ClientHttpRequestFactory|JdkClientHttpRequestFactory|ClientHttpRequestFactory|(set)?[rR]equestFactory|clientConnector|ReactorClientHttpConnector|TimeLimiter(Config)?|HystrixCommand)$/
/** Methods that other things have too, such as a map; then what they are called on must be called like a client. */
const COMMON = /^(put|delete|exchange|execute|create)$/
const RECEIVERS = /template|client|rest/i
const CLIENTS: readonly HttpClient[] = ['RestTemplate', 'WebClient', 'RestClient']

/** The URLs that an application's code calls by RestTemplate, WebClient or RestClient. */
export function httpCalls(root: string, project: JavaProject): HttpCalls {
  const files = project.partsOf(root).flatMap((module: JavaModule) => module.files)
  const using = files.filter(({ words }) => CLIENTS.some((client) => words.has(client)))
  const own = (project.modules.get(root)?.files ?? []).filter((file) => using.includes(file))
  return {
    calls: own.flatMap((file) => callsIn(file, project.constants)),
    limitedAt: using.flatMap((file) => limitIn(file) ?? []).find((spot) => spot) ?? null,
    made: new Set(CLIENTS.filter((client) => using.some((file) => makes(file, client)))),
  }
}

function clientOf({ words }: JavaFile): HttpClient {
  return CLIENTS.find((client) => words.has(client)) ?? 'RestTemplate'
}

function callsIn(file: JavaFile, constants: JavaProject['constants']): readonly HttpCall[] {
  const { tokens } = file
  return tokens.flatMap(({ kind, text }, at) => {
    if (kind !== 'name' || !METHODS.test(text) || tokens[at - 1]?.text !== '.' || tokens[at + 1]?.text !== '(') return []
    if (COMMON.test(text) && !RECEIVERS.test(tokens[at - 2]?.text ?? '')) return []
    const [first] = argumentsIn(tokens.slice(at + 2, closingOf(tokens, at + 1)))
    const url = first ? textOf(file, first, constants) : null
    return url && /^(https?|lb):\/\/[^/]|^\$\{/.test(url.text) && isWholeHost(url) ? [{ client: clientOf(file), url }] : []
  })
}

/** `"http://" + host` is nobody's address, while `"http://stock/" + id` is one of stock. */
function isWholeHost({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }): boolean {
  return isWhole || /^\w+:\/\/[^/]+\/|^\$\{[^}]*\}/.test(text)
}

function limitIn({ source, tokens }: JavaFile): Spot | null {
  const isCall = (at: number) => tokens[at - 1]?.text === '.' && tokens[at + 1]?.text === '('
  // `new RestTemplate(factory)`: the factory may have limits.
  const isMadeWith = (at: number) => tokens[at - 1]?.text === 'new' && tokens[at + 1]?.text === '(' && tokens[at + 2]?.text !== ')'
  const token = tokens.find(
    ({ kind, text }, at) =>
      kind === 'name' && (LIMITS.test(text) || (text === 'timeout' && isCall(at)) || (text === 'RestTemplate' && isMadeWith(at))),
  )
  return token ? { source, start: token.start, end: token.end } : null
}

/** `new RestTemplate()`, `WebClient.create(`, a builder: what it is made with is seen. */
function makes({ tokens, words }: JavaFile, client: HttpClient): boolean {
  if (words.has(`${client}Builder`)) return true
  return tokens.some(
    ({ text }, at) =>
      text === client &&
      (tokens[at - 1]?.text === 'new' || (tokens[at + 1]?.text === '.' && /^(create|builder|Builder)$/.test(tokens[at + 2]?.text ?? ''))),
  )
}
