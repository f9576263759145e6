import { PYTHON } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import type { SyntaxNode } from '../syntax-tree.js'
import { argumentsOf } from './python-arguments.js'
import { madeBy, type PythonCall, type PythonReader, readWithClient, secondsLimit, sightingOf } from './python-call.js'
import { pythonNumber } from './python-number.js'
import type { PythonFile } from './python-values.js'

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request']
const SESSIONS = ['aiohttp.ClientSession()', 'aiohttp.client.ClientSession()']
const TIMEOUTS = ['aiohttp.ClientTimeout()', 'aiohttp.client.ClientTimeout()']

/** The calls of `aiohttp`: the methods of sessions made in the file, and `aiohttp.request`. */
export const AIOHTTP: ReadonlyMap<string, PythonReader> = new Map<string, PythonReader>([
  ['aiohttp.request', (call) => sightingOf(PYTHON.aiohttp, call, aiohttpLimit(call.file, call.node), 1)],
  ...SESSIONS.flatMap((session) => VERBS.map((verb) => [`${session}.${verb}`, readMethod] as const)),
])

function readMethod(call: PythonCall): Sighting {
  return readWithClient(PYTHON.aiohttp, call, aiohttpLimit, call.path.endsWith('.request') ? 1 : 0)
}

function aiohttpLimit(file: PythonFile, node: SyntaxNode): Limit {
  const { keywords, isOpen } = argumentsOf(node)
  const given = keywords.get('timeout')
  const isOld = keywords.has('read_timeout') || keywords.has('conn_timeout')
  if (!given) return isOpen || isOld ? UNKNOWN_LIMIT : ABSENT
  const timeout = madeBy(file, given, TIMEOUTS)
  if (timeout) return clientTimeout(file, timeout)
  // None is "no limit" in some releases and "as the session" in others.
  const limit = secondsLimit(file, given, 'total')
  return limit.state === 'off' ? UNKNOWN_LIMIT : limit
}

/** A `ClientTimeout` replaces the default as a whole: without `total` there is none, and 0 means none as well. */
function clientTimeout(file: PythonFile, timeout: SyntaxNode): Limit {
  const { keywords, positional, isOpen } = argumentsOf(timeout)
  if (isOpen) return UNKNOWN_LIMIT
  const total = keywords.get('total') ?? positional[0]
  const read = keywords.get('sock_read')
  if (total && !isNone(file, total)) return secondsLimit(file, total, 'total')
  if (read && !isNone(file, read)) return secondsLimit(file, read, 'silence')
  return { state: 'off', at: total ?? timeout }
}

function isNone(file: PythonFile, node: SyntaxNode): boolean {
  const value = pythonNumber(file, node)
  return value === 'none' || value === 0
}
