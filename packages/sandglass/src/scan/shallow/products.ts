import type { BoundKind } from '@sandglass/runtime/core'

/** What is said of a library when a call of it has no limit, and where its default stands. */
export interface Product {
  /** As people name it. */
  readonly library: string
  /** Its name and its setting in the table of defaults. */
  readonly system: string
  readonly setting: string
  /** As the setting is written in code. */
  readonly shown: string
  readonly kind: BoundKind
  /** What to do, as a command. */
  readonly remedy: string
}

const product = (library: string, system: string, setting: string, shown: string, kind: BoundKind, remedy: string): Product => ({
  library,
  system,
  setting,
  shown,
  kind,
  remedy,
})

type PythonName =
  | 'requests'
  | 'urllib'
  | 'urllib3'
  | 'httpClient'
  | 'httpx'
  | 'aiohttp'
  | 'socket'
  | 'smtplib'
  | 'ftplib'
  | 'psycopg2'
  | 'pymysql'
  | 'redis'
  | 'boto3'

/** The libraries of Python that are known. */
export const PYTHON: Readonly<Record<PythonName, Product>> = {
  requests: product(
    'requests',
    'python requests',
    'timeout',
    'timeout',
    'silence',
    'pass timeout=(connect, read) in seconds; a session has no setting for it',
  ),
  urllib: product('urllib', 'python urllib', 'timeout', 'timeout', 'silence', 'pass timeout= in seconds'),
  urllib3: product('urllib3', 'python urllib3', 'timeout', 'timeout', 'silence', 'pass timeout= to the pool or to the request, in seconds'),
  httpClient: product('http.client', 'python http.client', 'timeout', 'timeout', 'silence', 'pass timeout= in seconds'),
  httpx: product(
    'httpx',
    'python httpx',
    'timeout (connect/read/write/pool)',
    'timeout',
    'silence',
    'leave out timeout=None or give it a number of seconds',
  ),
  aiohttp: product(
    'aiohttp',
    'python aiohttp',
    'ClientTimeout.total',
    'ClientTimeout.total',
    'total',
    'pass timeout=aiohttp.ClientTimeout(total=...) in seconds',
  ),
  socket: product('socket', 'python socket', 'timeout', 'timeout', 'connect', 'pass timeout= in seconds; it stays in force for reading'),
  smtplib: product('smtplib', 'python smtplib', 'timeout', 'timeout', 'silence', 'pass timeout= in seconds'),
  ftplib: product('ftplib', 'python ftplib', 'timeout', 'timeout', 'silence', 'pass timeout= in seconds'),
  psycopg2: product(
    'psycopg2',
    'psycopg2',
    'connect_timeout',
    'connect_timeout',
    'connect',
    "pass connect_timeout= in seconds and options='-c statement_timeout=...' in ms",
  ),
  pymysql: product('pymysql', 'pymysql', 'read_timeout', 'read_timeout', 'statement', 'pass read_timeout= and write_timeout= in seconds'),
  redis: product(
    'redis',
    'redis-py',
    'socket_timeout',
    'socket_timeout',
    'silence',
    'pass socket_timeout= and socket_connect_timeout= in seconds',
  ),
  boto3: product(
    'boto3',
    'boto3/botocore',
    'read_timeout',
    'read_timeout',
    'silence',
    'pass config=Config(connect_timeout=..., read_timeout=...) in seconds',
  ),
}

type GoName = 'http' | 'net' | 'sql' | 'grpc' | 'redis' | 'redigo' | 'pgx'

/** The libraries of Go that are known. */
export const GO: Readonly<Record<GoName, Product>> = {
  http: product(
    'net/http',
    'go net/http client',
    'Client.Timeout',
    'Timeout',
    'total',
    'set Timeout on the client, or give the request a context of context.WithTimeout',
  ),
  net: product('net', 'go net', 'Dialer.Timeout', 'Timeout', 'connect', 'use net.DialTimeout, or a net.Dialer with a Timeout'),
  sql: product(
    'database/sql',
    'go database/sql',
    'query',
    'context with a deadline',
    'statement',
    'use the method with Context, with a context of context.WithTimeout',
  ),
  grpc: product('grpc-go', 'grpc-go', 'deadline', 'deadline', 'total', 'pass a context of context.WithTimeout'),
  redis: product('go-redis', 'go-redis', 'ReadTimeout', 'ReadTimeout', 'silence', 'leave ReadTimeout at its default or set it to a time'),
  redigo: product(
    'redigo',
    'redigo',
    'ReadTimeout',
    'DialReadTimeout',
    'silence',
    'pass redis.DialReadTimeout and redis.DialConnectTimeout',
  ),
  pgx: product('pgx', 'pgx', 'context', 'deadline', 'statement', 'pass a context of context.WithTimeout'),
}

type JavaName =
  | 'restTemplate'
  | 'jdkHttp'
  | 'urlConnection'
  | 'okhttp'
  | 'feign'
  | 'mysql'
  | 'pgjdbc'
  | 'mariadb'
  | 'jedis'
  | 'lettuce'
  | 'webClient'
  | 'apache4'
  | 'apache5'

/** The libraries of Java that are known. */
export const JAVA: Readonly<Record<JavaName, Product>> = {
  restTemplate: product(
    'RestTemplate',
    'spring-boot',
    'RestTemplate (SimpleClientHttpRequestFactory)',
    'read timeout',
    'silence',
    'give it a request factory with setConnectTimeout and setReadTimeout',
  ),
  jdkHttp: product(
    'java.net.http',
    'java.net.http',
    'HttpRequest.timeout',
    'timeout',
    'headers',
    'call .timeout(Duration) on the request builder',
  ),
  urlConnection: product(
    'HttpURLConnection',
    'java HttpURLConnection',
    'readTimeout',
    'read timeout',
    'silence',
    'call setConnectTimeout and setReadTimeout before the first use',
  ),
  okhttp: product('okhttp', 'okhttp', 'readTimeout', 'readTimeout', 'silence', 'give readTimeout or callTimeout a time'),
  feign: product(
    'feign',
    'openfeign',
    'readTimeout',
    'Request.Options',
    'silence',
    'call .options(new Request.Options(...)) on the builder',
  ),
  mysql: product(
    'mysql connector/j',
    'mysql connector/j',
    'socketTimeout',
    'socketTimeout',
    'statement',
    'add socketTimeout and connectTimeout to the URL, in ms',
  ),
  pgjdbc: product('pgjdbc', 'pgjdbc', 'socketTimeout', 'socketTimeout', 'statement', 'add socketTimeout to the URL, in seconds'),
  mariadb: product(
    'mariadb connector/j',
    'mariadb-connector-j',
    'socketTimeout',
    'socketTimeout',
    'statement',
    'add socketTimeout to the URL, in ms',
  ),
  jedis: product('jedis', 'jedis', 'timeout (connect and socket)', 'timeout', 'silence', 'give it a timeout in ms that is not 0'),
  lettuce: product(
    'lettuce',
    'lettuce',
    'command timeout',
    'command timeout',
    'total',
    'call RedisURI.Builder.withTimeout or setDefaultTimeout',
  ),
  webClient: product(
    'WebClient',
    'reactor-netty',
    'responseTimeout',
    'responseTimeout',
    'headers',
    'give it a ReactorClientHttpConnector with HttpClient.create().responseTimeout(...)',
  ),
  apache4: product(
    'apache-httpclient',
    'apache-httpclient',
    'connectTimeout/socketTimeout/connectionRequestTimeout',
    'socketTimeout',
    'silence',
    'call setDefaultRequestConfig with connect, socket and connection request timeouts',
  ),
  apache5: product(
    'apache-httpclient',
    'apache-httpclient',
    'responseTimeout',
    'responseTimeout',
    'silence',
    'call setDefaultRequestConfig with a response timeout',
  ),
}
