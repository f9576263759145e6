import { JAVA } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { around, childOf, type SyntaxNode } from '../syntax-tree.js'
import { type JavaCall, javaSighting, javaString } from './java-call.js'
import { javaLimit } from './java-duration.js'
import { callsAlong, callsOn, handedOn, holderOf } from './java-instance.js'
import { type JavaFile, javaArguments, javaValues, typePath } from './java-values.js'

const METHOD: ReadonlySet<string> = new Set(['method_declaration'])
const REQUEST = /^java\.net\.http\.HttpRequest\.newBuilder\(\)(\.\w+\(\))*\.build\(\)$/
/** What ends the wait for the future that `sendAsync` gives. */
const ENDS_FUTURE = ['orTimeout', 'completeOnTimeout']

/** Requests of java.net.http: each carries its own timeout or none. */
export function readJdkRequest(call: JavaCall): Sighting | null {
  if (!REQUEST.test(call.path)) return null
  const [builder] = call.makers
  const target = builder ? targetOf(call.file, call.makers) : null
  return javaSighting(JAVA.jdkHttp, call, 'HttpRequest', requestLimit(call), { target, cause: builder ?? call.node })
}

function requestLimit({ file, makers }: JavaCall): Limit {
  const calls = callsAlong(file, makers, ['timeout'])
  if (calls.length > 1) return UNKNOWN_LIMIT
  if (calls[0]) return javaLimit(file, javaArguments(calls[0]), 'headers')
  const [builder] = makers
  const isCopy = builder !== undefined && javaArguments(builder).length > 1
  const isHandedOn = makers.slice(0, -1).some((maker) => isBuilderHandedOn(file, maker))
  const isFutureEnded = ENDS_FUTURE.some((name) => file.mentions.has(name)) || hasTimedGet(file)
  return isCopy || isHandedOn || isFutureEnded ? UNKNOWN_LIMIT : ABSENT
}

function isBuilderHandedOn(file: JavaFile, maker: SyntaxNode): boolean {
  const name = holderOf(maker)
  // `HttpRequest r = HttpRequest.newBuilder()…build()` holds the request and not the builder.
  const isOfBuilder = name?.type === 'identifier' && !/\.build\(\)\s*\)*$/.test(name.parent?.text ?? '')
  return isOfBuilder && handedOn(file, name).length > 0
}

/** `sendAsync(…).get(5, TimeUnit.SECONDS)` */
function hasTimedGet(file: JavaFile): boolean {
  if (!file.mentions.has('sendAsync')) return false
  return (file.mentions.get('get') ?? []).some(({ parent }) => parent?.type === 'method_invocation' && javaArguments(parent).length === 2)
}

function targetOf(file: JavaFile, makers: readonly SyntaxNode[]): string | null {
  const named = makers.find((maker) => /^(newBuilder|uri)$/.test(childOf(maker, 'name')?.text ?? '') && javaArguments(maker).length === 1)
  const [uri] = named ? javaArguments(named) : []
  return javaString(file, uri?.type === 'string_literal' ? uri : uri ? javaArguments(uri)[0] : null)
}

const HTTP: ReadonlySet<string> = new Set(['java.net.HttpURLConnection', 'javax.net.ssl.HttpsURLConnection'])

/** `(HttpURLConnection) url.openConnection()`, and `new URL("http…").openStream()`. */
export function readUrlConnection(file: JavaFile, node: SyntaxNode): Sighting | null {
  const name = childOf(node, 'name')?.text
  const url = childOf(node, 'object')
  const target = url?.type === 'object_creation_expression' ? javaString(file, javaArguments(url)[0]) : null
  const call: JavaCall = { file, node, path: '', makers: [node], args: javaArguments(node) }
  if (name === 'openStream') return readStream(call, url, target)
  if (name !== 'openConnection' || !(isCastToHttp(file, node) || isHttpUrl(file, url))) return null
  return javaSighting(JAVA.urlConnection, call, 'HttpURLConnection', isSetForAll(file) ? UNKNOWN_LIMIT : connectionLimit(file, node), {
    target,
  })
}

function isCastToHttp(file: JavaFile, node: SyntaxNode): boolean {
  const cast = node.parent?.type === 'cast_expression' ? node.parent : null
  return HTTP.has(typePath(file, childOf(cast, 'type')) ?? '')
}

/** A URL of this file that is written out: `new URL("https://…")`. */
function isHttpUrl(file: JavaFile, url: SyntaxNode | null): boolean {
  const [value, ...rest] = javaValues(file, url)
  const maker = value?.kind === 'known' && value.path === 'java.net.URL{}' && rest.length === 0 ? value.makers.at(-1) : undefined
  return /^https?:/.test((maker && javaString(file, javaArguments(maker)[0])) ?? '')
}

function readStream(call: JavaCall, url: SyntaxNode | null, target: string | null): Sighting | null {
  const isUrl = url?.type === 'object_creation_expression' && typePath(call.file, childOf(url, 'type')) === 'java.net.URL'
  if (!isUrl || !/^https?:/.test(target ?? '')) return null
  return javaSighting(JAVA.urlConnection, call, 'URL.openStream', isSetForAll(call.file) ? UNKNOWN_LIMIT : ABSENT, { target })
}

/** A system property gives every connection of the process a timeout. */
function isSetForAll({ tree }: JavaFile): boolean {
  return tree.nodes.some(({ type, text }) => type === 'string_literal' && text.includes('sun.net.client.defaultReadTimeout'))
}

function connectionLimit(file: JavaFile, node: SyntaxNode): Limit {
  const name = holderOf(node)
  if (name?.type !== 'identifier') return isUsedAtOnce(node) ? ABSENT : UNKNOWN_LIMIT
  const [set, ...rest] = callsOn(file, name, ['setReadTimeout'])
  if (set) return rest.length > 0 ? UNKNOWN_LIMIT : javaLimit(file, javaArguments(set), 'silence')
  const isUsed = callsOn(file, name, USES).length > 0
  return isUsed && handedOn(file, name).every((place) => staysHere(file, place)) ? ABSENT : UNKNOWN_LIMIT
}

const USES = [
  'getInputStream',
  'getOutputStream',
  'getResponseCode',
  'getErrorStream',
  'getContent',
  'getResponseMessage',
  'connect',
  'getHeaderField',
  'getContentLength',
]

/** `((HttpURLConnection) url.openConnection()).getInputStream()` */
function isUsedAtOnce(node: SyntaxNode): boolean {
  const call = node.parent?.parent?.parent
  return call?.type === 'method_invocation' && USES.includes(childOf(call, 'name')?.text ?? '')
}

/** A connection that goes to a method of this file, in which nothing sets a read timeout, keeps none. */
function staysHere(file: JavaFile, place: SyntaxNode): boolean {
  if (file.mentions.has('setReadTimeout')) return false
  if (place.type === 'return_statement') return /\bprivate\b/.test(childModifiers(around(place, METHOD)))
  const call = place.parent
  return call?.type === 'method_invocation' && !childOf(call, 'object') && file.methods.has(childOf(call, 'name')?.text ?? '')
}

function childModifiers(method: SyntaxNode | null): string {
  return method?.children.find(({ type }) => type === 'modifiers')?.text ?? ''
}
