import { GO } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { around, below, childOf, type SyntaxNode } from '../syntax-tree.js'
import { type GoCall, goSighting } from './go-call.js'
import { aftermathOf } from './go-instance.js'
import { contextLimit, durationLimit, goString } from './go-limit.js'
import { fieldOf, type GoFile, goArguments, goValues } from './go-values.js'

const FUNCTION: ReadonlySet<string> = new Set(['function_declaration', 'method_declaration', 'func_literal'])
const DIALED = /^google\.golang\.org\/grpc\.(Dial|DialContext|NewClient)\(\)$/
const STUB_CALL = /\.New\w*Client\(\)\.[A-Z]\w*$/

/** Calls of generated gRPC clients whose connection is dialed in this file, and dialing that blocks. */
export function readGoGrpc(call: GoCall): Sighting | null {
  if (/^google\.golang\.org\/grpc\.(Dial|DialContext)$/.test(call.path)) return readDial(call)
  const stub = call.makers.at(-1)
  const [connection] = stub && STUB_CALL.test(call.path) ? goArguments(stub) : []
  if (!connection) return null
  const dialed = goValues(call.file, connection).map((value) =>
    value.kind === 'known' && DIALED.test(value.path) ? value.makers.at(-1) : undefined,
  )
  if (dialed.some((dial) => dial === undefined)) return null
  const own = contextLimit(call.file, call.args[0])
  const isOpen = own.state === 'absent' && (isStream(call.node) || dialed.some((dial) => dial && mayLimit(call.file, dial)))
  return goSighting(GO.grpc, call, isOpen ? UNKNOWN_LIMIT : own)
}

function readDial(call: GoCall): Sighting | null {
  const options = call.args.map((arg) => optionName(call.file, arg))
  if (!options.includes('WithBlock')) return null
  const isLimited = options.includes('WithTimeout') || options.includes(null)
  const own = call.path.endsWith('DialContext') ? contextLimit(call.file, call.args[0]) : ABSENT
  return goSighting(GO.grpc, call, isLimited && own.state === 'absent' ? UNKNOWN_LIMIT : own)
}

/** `WithBlock` of `grpc.WithBlock()`; empty for what is no option; null for what may be any. */
function optionName(file: GoFile, arg: SyntaxNode): string | null {
  if (arg.type === 'variadic_argument') return null
  const [value] = arg.type === 'call_expression' ? goValues(file, arg) : []
  return value?.kind === 'known' ? (/^google\.golang\.org\/grpc\.(\w+)\(\)$/.exec(value.path)?.[1] ?? '') : ''
}

/** A service config or an interceptor may give every call a deadline. */
function mayLimit(file: GoFile, dial: SyntaxNode): boolean {
  const [, ...rest] = goArguments(dial)
  const options = (childOf(dial, 'function')?.text.endsWith('DialContext') ? rest.slice(1) : rest).map((arg) =>
    arg.type === 'call_expression' ? optionName(file, arg) : null,
  )
  return options.some((name) => name === null || name === '' || /Interceptor|ServiceConfig/.test(name))
}

/** A stream may be meant to stay open: its result is received from or sent to. */
function isStream(call: SyntaxNode): boolean {
  const name = childOf(call.parent?.parent ?? null, 'left')?.children[0]?.text
  const scope = around(call, FUNCTION)
  if (name === undefined || !scope) return true
  return below(scope).some(
    (node) =>
      node.type === 'selector_expression' &&
      childOf(node, 'operand')?.text === name &&
      /^(Recv|Send|CloseSend|CloseAndRecv|RecvMsg)$/.test(childOf(node, 'field')?.text ?? ''),
  )
}

const GO_REDIS =
  /^(github\.com\/(redis\/go-redis|go-redis\/redis)(\/v\d+)?|gopkg\.in\/redis\.v\d+)\.New(Client|ClusterClient|FailoverClient|UniversalClient)$/

/** Clients of go-redis: a read timeout of -1 is none. */
export function readGoRedis(call: GoCall): Sighting | null {
  if (!GO_REDIS.test(call.path)) return null
  const [options] = goValues(call.file, call.args[0] ?? null)
  const literal = options?.kind === 'known' && options.path.endsWith('Options{}') ? options.makers.at(-1) : undefined
  if (!literal) return goSighting(GO.redis, call, UNKNOWN_LIMIT)
  const given = fieldOf(literal, 'ReadTimeout') ?? aftermathOf(call.file, literal).sets('ReadTimeout')[0]
  const target = goString(call.file, fieldOf(literal, 'Addr'))
  return goSighting(GO.redis, call, given ? readTimeoutLimit(call.file, given) : ABSENT, { target })
}

function readTimeoutLimit(file: GoFile, given: SyntaxNode): Limit {
  if (given.text === '-1') return { state: 'off', at: given }
  const limit = durationLimit(file, given, 'silence')
  return limit.state === 'off' ? ABSENT : limit
}

const REDIGO = /^github\.com\/(gomodule|garyburd)\/redigo\/redis\.(Dial|DialURL|DialContext|DialTimeout)$/

/** Connections of redigo: without an option nothing ends the wait for a reply. */
export function readRedigo(call: GoCall): Sighting | null {
  const method = REDIGO.exec(call.path)?.[2]
  if (!method) return null
  if (method === 'DialTimeout')
    return goSighting(GO.redigo, call, call.args[3] ? durationLimit(call.file, call.args[3], 'silence') : UNKNOWN_LIMIT)
  const first = method === 'Dial' ? 2 : method === 'DialURL' ? 1 : 3
  return goSighting(GO.redigo, call, redigoLimit(call, call.args.slice(first)), { target: goString(call.file, call.args[first - 1]) })
}

function redigoLimit({ file }: GoCall, options: readonly SyntaxNode[]): Limit {
  const isSubscriber = file.mentions.has('PubSubConn')
  const names = options.map((option) => (option.type === 'call_expression' ? childOf(option, 'function')?.text : undefined))
  const read = options.find((_, index) => names[index]?.endsWith('.DialReadTimeout'))
  const [given] = read ? goArguments(read) : []
  if (given) return durationLimit(file, given, 'silence')
  return isSubscriber || names.some((name) => !name || !/\.Dial\w+$/.test(name) || /NetDial|ContextFunc/.test(name))
    ? UNKNOWN_LIMIT
    : ABSENT
}

const PGX =
  /^github\.com\/jackc\/pgx(\/v\d+)?(\/pgxpool)?\.((Conn|Pool|Tx)\{\?\}|(Connect|ConnectConfig|New|NewWithConfig)\(\))(\.(Begin|BeginTx|Acquire)\(\))*\.(Query|QueryRow|Exec)$/

/** Statements of pgx, which take their context as the first argument. */
export function readPgx(call: GoCall): Sighting | null {
  if (!PGX.test(call.path) || call.args.length < 2) return null
  const own = contextLimit(call.file, call.args[0])
  const [opened] = call.makers
  const url = opened ? goString(call.file, goArguments(opened)[1]) : null
  return goSighting(GO.pgx, call, own.state === 'absent' && /statement_timeout/.test(url ?? '') ? UNKNOWN_LIMIT : own)
}
