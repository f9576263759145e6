import { compareVersions } from '../../model/default-of.js'
import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { type Setting, settingIn, settingOfCall } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import type { Term } from '../terms/term.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import type { LibraryModel, Site } from './library-model.js'

/** The clients of AWS: no limit but what the request handler is given, and three attempts. */
export const awsSdkModel: LibraryModel = {
  id: 'aws-sdk-js v3',
  packages: ['@aws-sdk/client-*', '@aws-sdk/lib-dynamodb'],
  clients: [
    {
      kind: 'client',
      on: null,
      made: /^[A-Z]\w*Client$|^(S3|SQS|SNS|SES|SESv2|DynamoDB|Lambda|KMS|STS|SSM|EventBridge|SecretsManager|CloudWatchLogs)$/,
      optionsAt: 0,
      isJudged: true,
    },
    { kind: 'document', on: null, made: ['DynamoDBDocumentClient.from', 'DynamoDBDocument.from'], optionsAt: -1 },
  ],
  calls: [
    { on: 'client', method: /^send$/, optionsAt: 1 },
    { on: 'document', method: /^(send|get|put|query|scan|update|delete|batchGet|batchWrite)$/, optionsAt: 1 },
    {
      on: 'client',
      method: /^(get|put|list|delete|head|copy|send|receive|create|invoke|publish|query|scan|update|batch)[A-Z]\w*$/,
      optionsAt: 1,
    },
  ],
  read: (site) =>
    readingOf({
      overall: signalIn(site, site.options, 'abortSignal'),
      phases: [{ what: 'the answer', kind: 'silence', limit: answerLimit(site) }],
      ...triesOf(
        attemptsOf(configured(site), {
          settings: ['maxAttempts'],
          includesFirst: true,
          default: ['aws-sdk-js v3', 'maxAttempts'],
          waitMs: (retries) => doublingMs(retries, 0, 20_000, 100),
        }),
      ),
      remedy:
        'requestHandler: { requestTimeout: …, throwOnRequestTimeout: true, connectionTimeout: … } (ms), or abortSignal: AbortSignal.timeout(…)',
    }),
}

/** A document client is limited as the client it was made from. */
function configured(site: Site): Site {
  const { client } = site
  const from = client?.kind === 'document' ? client.args[0] : undefined
  return client && from?.kind === 'made' ? { ...site, client: { ...client, options: from.args[0] } } : site
}

/** What ends a request: `socketTimeout`, which ends a connection that is silent, and `requestTimeout` as far as the handler lets it. */
function answerLimit(site: Site): LimitState {
  if (site.method === 'new' && onlySigns(site)) return { state: 'unknown', name: 'requestHandler', why: 'it only signs' }
  const { client } = configured(site)
  const handler = settingOfCall(undefined, client, 'requestHandler', site.evaluator).setting
  const options = handlerOptions(handler, client?.options, site)
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
  return holds(request)
    ? { ...socket, spot: request.origin.spot ?? socket.spot, does: 'requestTimeout only warns; nothing ends the request' }
    : socket
}

/** Whether a handler only warns after its `requestTimeout`: its own version tells, and where nobody knows that, the client's. */
function onlyWarns(handler: Setting, site: Site): boolean | 'unknown' {
  const callee = handler.state === 'term' && handler.term.kind === 'made' ? handler.term.callee : null
  if (callee?.kind === 'external') {
    if (callee.package === '@aws-sdk/node-http-handler' || callee.path.at(-1) === 'NodeHttp2Handler') return false
    const version = site.evaluator.project.versionOf(callee.package, callee.at.module.source.file)
    if (version !== null) return compareVersions(version, HANDLER_WARNS) >= 0
  }
  return site.version !== null && compareVersions(site.version, CLIENT_WARNS) >= 0 ? true : 'unknown'
}

/** What makes a signed address of a client and a command, without asking anybody. */
const SIGNER = /^@aws-sdk\/(s3-request-presigner|s3-presigned-post|cloudfront-signer|rds-signer)$/

function onlySigns({ client, at, uses }: Site): boolean {
  const handedTo = client?.identity == null ? [] : uses.passedTo(client.identity)
  const signs = handedTo.some(({ callee }) => callee.kind === 'external' && SIGNER.test(callee.package))
  return signs || at.module.requests.some((request) => SIGNER.test(request))
}

/** `@smithy/node-http-handler` from this version on only warns; 3.3.3, 4.0.6 and 4.3.0 were measured to end the request. */
const HANDLER_WARNS = '4.4.0'
/** The version of a client of which it was measured that its own handler only warns. */
const CLIENT_WARNS = '3.1175.0'

function handlerOptions(handler: Setting, options: Term | undefined, site: Site): Term | undefined | 'unknown' {
  if (handler.state === 'term') {
    if (handler.term.kind === 'object') return handler.term
    return handler.term.kind === 'made' ? handler.term.args[0] : 'unknown'
  }
  if (handler.state === 'unknown' || !isKnown(options)) return 'unknown'
  return settingIn(options, 'requestHandler', site.evaluator).state === 'absent' ? undefined : 'unknown'
}

function isKnown(options: Term | undefined): boolean {
  return options === undefined || options.kind === 'object' || (options.kind === 'either' && options.of.every(isKnown))
}
