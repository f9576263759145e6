/** An option that is written and does nothing, or not what it seems to. */
export interface IgnoredOption {
  /** The library as its model calls it; a name with a colon is something of a package that has no model: `typeorm:DataSource`. */
  readonly library: string
  /** Whether it is written in a call's own options, or where a client is made. */
  readonly in: 'call' | 'client'
  /** Only these methods. Default: all. */
  readonly method?: RegExp
  /** Where it stands: `timeout`, `httpOptions.timeout`. */
  readonly option: string
  /** The versions it holds for, a range as in `>=3` or `<5`. Default: all. */
  readonly versions?: string
  /** What it does. Default: nothing. */
  readonly effect?: string
  /** What to write, with `…` for the number. */
  readonly instead: string
}

const SIGNAL = 'signal: AbortSignal.timeout(…)'

const OCTOKIT_SIGNAL = 'request: { signal: AbortSignal.timeout(…) } in each call'

const of = (
  library: string,
  where: IgnoredOption['in'],
  options: readonly string[],
  instead: string,
  more: Partial<IgnoredOption> = {},
): IgnoredOption[] => options.map((option) => ({ library, in: where, option, instead, ...more }))

/** Each was looked up in the source of the library; what libraries refuse with an error is not here. */
export const ignoredOptions: readonly IgnoredOption[] = [
  ...of('fetch', 'call', ['timeout', 'timeoutMs'], SIGNAL),
  ...of('node-fetch', 'call', ['timeout'], SIGNAL, { versions: '>=3' }),
  ...of('undici', 'call', ['timeout', 'requestTimeout'], 'headersTimeout: …, bodyTimeout: …', { method: /^(request|stream)$/ }),
  ...of('undici', 'call', ['timeout', 'headersTimeout', 'bodyTimeout'], SIGNAL, { method: /^fetch$/ }),
  ...of('axios', 'client', ['timeOut', 'timeoutMs', 'requestTimeout', 'connectTimeout'], 'timeout: …'),
  ...of('axios', 'call', ['timeOut', 'timeoutMs', 'requestTimeout', 'connectTimeout'], 'timeout: …'),
  ...of('pg', 'client', ['queryTimeout', 'timeout'], 'query_timeout: …'),
  ...of('pg', 'client', ['statementTimeout'], 'statement_timeout: …'),
  ...of(
    'pg',
    'client',
    ['acquireTimeout', 'acquireTimeoutMillis', 'connectTimeout', 'connectionTimeout', 'connectTimeoutMS'],
    'connectionTimeoutMillis: …',
  ),
  ...of('ioredis', 'client', ['timeout', 'requestTimeout', 'operationTimeout'], 'commandTimeout: …'),
  ...of('ioredis', 'client', ['connectionTimeout', 'connect_timeout'], 'connectTimeout: …'),
  ...of('grpc-js', 'call', ['timeout', 'timeoutMs'], 'deadline: Date.now() + …'),
  ...of('aws-sdk-js v3', 'client', ['httpOptions.timeout'], 'requestHandler: { requestTimeout: …, throwOnRequestTimeout: true }'),
  ...of('aws-sdk-js v3', 'client', ['httpOptions.connectTimeout'], 'requestHandler: { connectionTimeout: … }'),
  ...of('aws-sdk-js v3', 'client', ['requestTimeout', 'timeout'], 'requestHandler: { requestTimeout: …, throwOnRequestTimeout: true }'),
  ...of('aws-sdk-js v3', 'client', ['maxRetries'], 'maxAttempts: … (one more)'),
  ...(['call', 'client'] as const).flatMap((where) => [
    ...of('octokit-rest', where, ['request.timeout'], OCTOKIT_SIGNAL, { versions: '>=20' }),
    ...of('octokit-core', where, ['request.timeout'], OCTOKIT_SIGNAL, { versions: '>=5' }),
    ...of('octokit', where, ['request.timeout'], OCTOKIT_SIGNAL, { versions: '>=3' }),
  ]),
  ...of('typeorm:DataSource', 'client', ['maxQueryExecutionTime'], 'extra: { query_timeout: …, statement_timeout: … } for Postgres', {
    effect: 'only logs slow queries, when they are over',
  }),
  ...of('node:http:createServer', 'client', ['timeout'], 'requestTimeout: …'),
  ...of('node:https:createServer', 'client', ['timeout'], 'requestTimeout: …'),
]
