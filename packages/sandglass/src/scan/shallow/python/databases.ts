import { PYTHON } from '../products.js'
import { type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { argumentsOf } from './python-arguments.js'
import { limitOf, madeBy, type PythonCall, type PythonReader, sightingOf } from './python-call.js'
import { variablesOf } from './python-instance.js'
import { pythonString } from './python-string.js'
import { mentionsOf } from './python-values.js'

const REDIS = ['redis', 'redis.asyncio', 'redis.client', 'redis.asyncio.client']
const NAMES = ['Redis', 'StrictRedis']

/** The calls that open a connection to a database. */
export const DATABASES: ReadonlyMap<string, PythonReader> = new Map([
  ['psycopg2.connect', readPsycopg2],
  ['pymysql.connect', readPymysql],
  ['pymysql.Connect', readPymysql],
  ...REDIS.flatMap((module) => NAMES.map((name) => [`${module}.${name}`, readRedis] as const)),
  ...['redis', 'redis.asyncio'].map((module) => [`${module}.from_url`, readRedisUrl] as const),
  ...REDIS.flatMap((module) => NAMES.map((name) => [`${module}.${name}.from_url`, readRedisUrl] as const)),
])

/** The connection string may hold what the arguments do not: only one that can be read says that something is missing. */
function readPsycopg2(call: PythonCall): Sighting {
  const { keywords, positional } = call.args
  const dsn = keywords.get('dsn') ?? positional[0]
  const text = dsn ? pythonString(call.file, dsn) : ''
  const limit = limitOf(call, 'connect_timeout', 'connect')
  const isElsewhere = ['options', 'service', 'async_', 'async'].some((name) => keywords.has(name))
  const isHidden = isElsewhere || text === null || /timeout|options|service/.test(text) || !saysWhere(text, call)
  return sightingOf(PYTHON.psycopg2, call, limit.state === 'absent' && isHidden ? UNKNOWN_LIMIT : limit)
}

function saysWhere(text: string, { args }: PythonCall): boolean {
  return /\b(host|dbname|user)\s*=|:\/\//.test(text) || ['host', 'dbname', 'database', 'user'].some((name) => args.keywords.has(name))
}

function readPymysql(call: PythonCall): Sighting {
  const isHidden = call.args.keywords.has('read_default_file') || call.args.positional.length > 5
  return sightingOf(PYTHON.pymysql, call, isHidden ? UNKNOWN_LIMIT : limitOf(call, 'read_timeout', 'statement'))
}

function readRedis(call: PythonCall): Sighting {
  const { keywords, positional } = call.args
  const pool = keywords.get('connection_pool')
  const limit = pool ? poolLimit(call, pool) : limitOf(call, 'socket_timeout', 'silence', 4)
  const isLocal = keywords.has('unix_socket_path') || positional.length > 4
  return sightingOf(PYTHON.redis, call, isLocal || (limit.state === 'absent' && mayBlock(call)) ? UNKNOWN_LIMIT : limit)
}

function poolLimit(call: PythonCall, pool: SyntaxNode): Limit {
  const maker = madeBy(call.file, pool, ['redis.ConnectionPool()', 'redis.connection.ConnectionPool()', 'redis.asyncio.ConnectionPool()'])
  return maker ? limitOf({ ...call, args: argumentsOf(maker) }, 'socket_timeout', 'silence') : UNKNOWN_LIMIT
}

function readRedisUrl(call: PythonCall): Sighting {
  const limit = limitOf(call, 'socket_timeout', 'silence')
  const given = call.args.keywords.get('url') ?? call.args.positional[0]
  const text = given ? pythonString(call.file, given) : null
  const isHidden = text === null || /^\{|^unix:|socket_timeout/.test(text) || mayBlock(call)
  return sightingOf(PYTHON.redis, call, limit.state === 'absent' && isHidden ? UNKNOWN_LIMIT : limit)
}

const BLOCKING = /^(pubsub|subscribe|psubscribe|monitor|blpop|brpop|brpoplpush|blmove|bzpopmin|bzpopmax|xread|xreadgroup)$/
const QUEUES = /(^|\.)(Queue|Worker|SimpleWorker|Scheduler|Connection)$/

/** A client that waits for what may never come must not give up: subscriptions, blocking pops, workers of a queue. */
function mayBlock({ file, node }: PythonCall): boolean {
  return variablesOf(file, node, node).some(({ name, home }) =>
    mentionsOf(file, name, home).some((each) => {
      const { parent } = each
      if (parent?.type === 'attribute' && each.field === 'object') return BLOCKING.test(childOf(parent, 'attribute')?.text ?? '')
      const list = parent?.type === 'keyword_argument' ? parent.parent : parent
      return list?.type === 'argument_list' && QUEUES.test(childOf(list.parent, 'function')?.text ?? '')
    }),
  )
}
