import { PYTHON } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import type { SyntaxNode } from '../syntax-tree.js'
import { argumentsOf } from './python-arguments.js'
import { madeBy, type PythonCall, type PythonReader, readWithClient, secondsLimit, sightingOf } from './python-call.js'
import type { PythonFile } from './python-values.js'

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request', 'stream']
const CLIENTS = ['httpx.Client', 'httpx.AsyncClient']

/** The calls of `httpx`: its functions and clients. */
export const HTTPX: ReadonlyMap<string, PythonReader> = new Map([
  ...VERBS.map((verb) => [`httpx.${verb}`, readFunction] as const),
  ...CLIENTS.map((client) => [client, readClient] as const),
  ...CLIENTS.flatMap((client) => [...VERBS, 'send'].map((verb) => [`${client}().${verb}`, readMethod] as const)),
])

const positionOf = ({ path }: PythonCall) => (/\.(request|stream)$/.test(path) ? 1 : 0)

function readFunction(call: PythonCall): Sighting {
  return sightingOf(PYTHON.httpx, call, httpxLimit(call.file, call.node), positionOf(call))
}

function readMethod(call: PythonCall): Sighting {
  return readWithClient(PYTHON.httpx, call, httpxLimit, positionOf(call))
}

/** Of a client that nothing is called on in this file, only one that was given no limit on purpose is worth a word. */
function readClient(call: PythonCall): Sighting | null {
  const limit = httpxLimit(call.file, call.node)
  return limit.state === 'off' ? { ...sightingOf(PYTHON.httpx, call, limit, -1), isWithoutUse: true } : null
}

function httpxLimit(file: PythonFile, node: SyntaxNode): Limit {
  const { keywords, isOpen } = argumentsOf(node)
  const given = keywords.get('timeout')
  if (!given) return isOpen ? UNKNOWN_LIMIT : ABSENT
  const timeout = madeBy(file, given, ['httpx.Timeout()'])
  if (!timeout) return secondsLimit(file, given, 'silence')
  const args = argumentsOf(timeout)
  const read = args.keywords.get('read') ?? args.keywords.get('timeout') ?? args.positional[0]
  return read && !args.isOpen ? secondsLimit(file, read, 'silence') : UNKNOWN_LIMIT
}
