import { compareVersions } from '../../model/default-of.js'
import type { Spot } from '../../model/sourced.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import type { Reading } from '../limits/reading.js'
import { type Setting, settingIn, settingOfCall } from '../limits/settings.js'
import { spotOf } from '../syntax/module.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'

/** What ends a request: `socketTimeout`, which ends a connection that is silent, and `requestTimeout` as far as the handler lets it. */
export function answerLimit(site: Site): LimitState {
  const { handler, options } = handlerOf(site)
  if (options === 'unknown') return { state: 'unknown', name: 'requestHandler', why: 'the handler is handed in' }
  const limit = (setting: 'requestTimeout' | 'socketTimeout', kind: 'headers' | 'silence') =>
    limitFrom(settingIn(options, setting, site.evaluator), site, { setting, kind })
  const [request, socket] = [limit('requestTimeout', 'headers'), limit('socketTimeout', 'silence')]
  if (request.state === 'none' && !request.isOff) return socket
  const warns = onlyWarns(handler, site)
  if (warns === false) return limit('requestTimeout', 'silence')
  const throws = settingIn(options, 'throwOnRequestTimeout', site.evaluator)
  if (throws.state === 'given' && throws.value === true && holds(request)) return request
  if (socket.state !== 'none') return socket
  if (throws.state === 'absent' && warns === 'unknown') return { state: 'unknown', name: 'requestTimeout', why: 'newer handlers only warn' }
  return request.state === 'none'
    ? socket
    : { ...socket, spot: writtenAt(options, request) ?? socket.spot, does: 'requestTimeout only warns; nothing ends the request' }
}

/** Where the handler is given its `requestTimeout`, whoever its number comes from: what ends the request is written beside it. */
function writtenAt(options: Term | undefined, request: Exclude<LimitState, { state: 'none' }>): Spot | null {
  const part = options?.kind === 'object' ? options.parts.find((each) => 'name' in each && each.name === 'requestTimeout') : undefined
  if (part) return spotOf(part.at.node, part.at.module)
  return holds(request) ? request.origin.spot : null
}

const BY_SIGNAL = 'abortSignal: AbortSignal.timeout(…) in each call'

/** What to write, by the version of the handler: it knows `throwOnRequestTimeout` since it only warns without. */
export function awsRemedies(site: Site): Pick<Reading, 'remedy' | 'missing'> {
  const { handler, options } = handlerOf(site)
  const warns = onlyWarns(handler, site)
  const unit = (texts: readonly string[]) => (texts.some((text) => text.endsWith('…')) ? ' (ms)' : '')
  const written = (texts: readonly string[]) => `requestHandler: ${handlerText(handler, site)(texts.join(', '))}${unit(texts)}`
  if (isOverHttp2(handler, site)) return { remedy: isSendReplaced(site) ? written(['requestTimeout: …']) : BY_SIGNAL }
  if (warns === 'unknown') {
    const byHandler = `${written(['requestTimeout: …', 'connectionTimeout: …'])}, from @smithy/node-http-handler ${HANDLER_WARNS} on with throwOnRequestTimeout: true`
    return { remedy: isSendReplaced(site) ? byHandler : `${BY_SIGNAL}, or ${byHandler}` }
  }
  const ofConnection = madeName(handler) === 'NodeHttp2Handler' ? [] : ['connectionTimeout: …']
  const all = [`${silenceName(site)}: …`, ...(warns ? ['throwOnRequestTimeout: true'] : []), ...ofConnection]
  const isWritten = (text: string) =>
    options !== 'unknown' && settingIn(options, text.split(':')[0] ?? '', site.evaluator).state !== 'absent'
  const textOf = (texts: readonly string[]) => {
    if (texts.length === 0) return BY_SIGNAL
    return isSendReplaced(site) ? written(texts) : `${written(texts)}, or ${BY_SIGNAL}`
  }
  return { remedy: textOf(all), missing: textOf(all.filter((text) => !isWritten(text))) }
}

/** A `send` of its own takes what the project gives it: whether it passes on a signal is not followed. */
function isSendReplaced({ client, uses }: Site): boolean {
  return client?.identity != null && uses.assignedTo(client.identity, 'send').length > 0
}

/** How a handler is written: clients before a version take no plain object, and one that is made stays made. */
function handlerText(handler: Setting, { version }: Site): (settings: string) => string {
  const isOld = version !== null && compareVersions(version, CLIENT_TAKES_OBJECT) < 0
  const made = madeName(handler) ?? (isOld ? 'NodeHttpHandler' : null)
  return (settings) => (made === null ? `{ ${settings} }` : `new ${made}({ ${settings} })`)
}

function madeName(handler: Setting): string | null {
  const callee = handler.state === 'term' && handler.term.kind === 'made' ? handler.term.callee : null
  return callee?.kind === 'external' ? (callee.path.at(-1) ?? null) : null
}

/** What ends a silent connection: before a version by the name of the socket alone. */
function silenceName({ version }: Site): string {
  return version !== null && compareVersions(version, CLIENT_KNOWS_REQUEST_TIMEOUT) < 0 ? 'socketTimeout' : 'requestTimeout'
}

/** Clients that make a handler for HTTP/2, some only in newer versions: it takes fewer options, and gives up after its `requestTimeout`. */
const OVER_HTTP2 = /^@aws-sdk\/client-(bedrock-runtime|bedrock-agent-runtime|kinesis|lex-runtime-v2|polly|qbusiness|transcribe-streaming)$/

function isOverHttp2(handler: Setting, { takenFrom }: Site): boolean {
  return madeName(handler) === null && OVER_HTTP2.test(takenFrom ?? '')
}

/** Whether a handler only warns after its `requestTimeout`: its own version tells, and where nobody knows that, the client's. */
function onlyWarns(handler: Setting, site: Site): boolean | 'unknown' {
  const callee = handler.state === 'term' && handler.term.kind === 'made' ? handler.term.callee : null
  const isOfClient = callee?.kind !== 'external'
  if (isOverHttp2(handler, site)) return 'unknown'
  if (!isOfClient) {
    if (callee.package === '@aws-sdk/node-http-handler' || callee.path.at(-1) === 'NodeHttp2Handler') return false
    const version = site.evaluator.project.versionOf(callee.package, callee.at.module.source.file)
    if (version !== null) return compareVersions(version, HANDLER_WARNS) >= 0
  }
  if (site.version === null) return 'unknown'
  if (compareVersions(site.version, CLIENT_WARNS) >= 0) return true
  return isOfClient && compareVersions(site.version, CLIENT_MAY_WARN) < 0 ? false : 'unknown'
}

/** `@smithy/node-http-handler` from this version on only warns; 3.3.3, 4.0.6 and 4.3.0 were measured to end the request. */
const HANDLER_WARNS = '4.4.0'
/** The first clients that bring such a handler, `^4.4.1`. */
const CLIENT_WARNS = '3.910.0'
/** The first clients that may: with `^4.0.0`; those before stay below 4. */
const CLIENT_MAY_WARN = '3.723.0'
/** The first clients that make a handler of a plain object; those before use it as the handler that it is not. */
const CLIENT_TAKES_OBJECT = '3.521.0'
/** The first clients whose handler knows `requestTimeout` beside `socketTimeout`. */
const CLIENT_KNOWS_REQUEST_TIMEOUT = '3.296.0'

interface Handler {
  readonly handler: Setting
  readonly options: Term | undefined | 'unknown'
}

function handlerOf({ client, evaluator }: Site): Handler {
  const handler = settingOfCall(undefined, client, 'requestHandler', evaluator).setting
  if (handler.state === 'term' && handler.term.kind === 'object') return { handler, options: handler.term }
  if (handler.state === 'term') return { handler, options: handler.term.kind === 'made' ? handler.term.args[0] : 'unknown' }
  const isAbsent = handler.state !== 'unknown' && isKnown(client?.options)
  return {
    handler,
    options: isAbsent && settingIn(client?.options, 'requestHandler', evaluator).state === 'absent' ? undefined : 'unknown',
  }
}

function isKnown(options: Term | undefined): boolean {
  return options === undefined || options.kind === 'object' || (options.kind === 'either' && options.of.every(isKnown))
}
