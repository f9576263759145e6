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

/** `requestTimeout` only warns unless it is told to throw; `socketTimeout` ends a connection that is silent. */
function answerLimit(site: Site): LimitState {
  if (site.method === 'new' && onlySigns(site)) return { state: 'unknown', name: 'requestHandler', why: 'it only signs' }
  const { client } = configured(site)
  const handler = settingOfCall(undefined, client, 'requestHandler', site.evaluator).setting
  const options = handlerOptions(handler, client?.options, site)
  if (options === 'unknown') return { state: 'unknown', name: 'requestHandler', why: 'the handler is handed in' }
  const request = settingIn(options, 'requestTimeout', site.evaluator)
  const throws = settingIn(options, 'throwOnRequestTimeout', site.evaluator)
  const isThrown = throws.state === 'given' && throws.value === true
  const limit = limitFrom(isThrown ? request : { state: 'absent' }, site, { setting: 'requestTimeout', kind: 'headers' })
  if (holds(limit)) return limit
  const socket = limitFrom(settingIn(options, 'socketTimeout', site.evaluator), site, { setting: 'socketTimeout', kind: 'silence' })
  // Older handlers took requestTimeout for the silence of the socket.
  const mayBeOlder = site.version === null || compareVersions(site.version, ONLY_WARNS) < 0
  return socket.state === 'none' && request.state !== 'absent' && throws.state === 'absent' && mayBeOlder
    ? { state: 'unknown', name: 'requestTimeout', why: 'newer handlers only warn' }
    : socket
}

/** What makes a signed address of a client and a command, without asking anybody. */
const SIGNER = /^@aws-sdk\/(s3-request-presigner|s3-presigned-post|cloudfront-signer|rds-signer)$/

function onlySigns({ client, at, uses }: Site): boolean {
  const handedTo = client?.identity == null ? [] : uses.passedTo(client.identity)
  const signs = handedTo.some(({ callee }) => callee.kind === 'external' && SIGNER.test(callee.package))
  return signs || at.module.requests.some((request) => SIGNER.test(request))
}

/** The version of which it was measured that a `requestTimeout` only warns. */
const ONLY_WARNS = '3.1175.0'

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
