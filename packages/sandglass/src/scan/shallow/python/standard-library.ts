import { type Product, PYTHON } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { argumentsOf } from './python-arguments.js'
import { limitOf, type PythonCall, type PythonReader, secondsLimit, sightingOf } from './python-call.js'
import { variablesOf } from './python-instance.js'
import { mentionsOf, type PythonFile, pythonValues } from './python-values.js'

/** The calls of Python's own modules that take a timeout and have none by default. */
export const STANDARD_LIBRARY: ReadonlyMap<string, PythonReader> = new Map([
  ...['urllib.request.urlopen', 'urllib2.urlopen'].map((path) => [path, (call: PythonCall) => readUrl(call, 2)] as const),
  ...['urllib.request.urlretrieve', 'urllib.urlretrieve', 'urllib.urlopen'].map(
    (path) => [path, (call: PythonCall) => readUrl(call, null)] as const,
  ),
  ...['http.client', 'httplib', 'http_client'].flatMap((module) =>
    ['HTTPConnection', 'HTTPSConnection'].map(
      (name) => [`${module}.${name}`, (call: PythonCall) => readClient(call, PYTHON.httpClient)] as const,
    ),
  ),
  ...['SMTP', 'SMTP_SSL', 'LMTP'].map((name) => [`smtplib.${name}`, (call: PythonCall) => readClient(call, PYTHON.smtplib)] as const),
  ...['FTP', 'FTP_TLS'].map((name) => [`ftplib.${name}`, (call: PythonCall) => readClient(call, PYTHON.ftplib)] as const),
  ['socket.create_connection', readConnection],
])

function readUrl(call: PythonCall, position: number | null): Sighting | null {
  const limit = position === null ? ABSENT : limitOf(call, 'timeout', 'silence', position)
  const sighting = sightingOf(PYTHON.urllib, call, orProcessWide(call.file, limit, 'silence'))
  return /^(file|data):/i.test(sighting.target ?? '') ? null : sighting
}

function readClient(call: PythonCall, product: Product): Sighting | null {
  const { positional, keywords } = call.args
  const isLater = positional.length === 0 && !keywords.has('host') && product !== PYTHON.httpClient
  // The older releases of http.client have another third argument; more than host and port by position stays unknown.
  const limit = isLater || positional.length > 2 ? UNKNOWN_LIMIT : limitOf(call, 'timeout', 'silence')
  return sightingOf(product, call, orProcessWide(call.file, limit, 'silence'))
}

function readConnection(call: PythonCall): Sighting | null {
  const limit = orProcessWide(call.file, limitOf(call, 'timeout', 'connect', 1), 'connect')
  const isSetLater = variablesOf(call.file, call.node, call.node).some(({ name, home }) =>
    mentionsOf(call.file, name, home).some(
      ({ parent }) => parent?.type === 'attribute' && childOf(parent, 'attribute')?.text === 'settimeout',
    ),
  )
  return sightingOf(PYTHON.socket, call, isSetLater && limit.state === 'absent' ? UNKNOWN_LIMIT : limit)
}

/** `socket.setdefaulttimeout` holds for every socket that is given no timeout of its own. */
function orProcessWide(file: PythonFile, limit: Limit, kind: 'silence' | 'connect'): Limit {
  if (limit.state !== 'absent') return limit
  const [name, ...rest] = file.mentions.get('setdefaulttimeout') ?? []
  if (!name) return limit
  const callee = name.parent?.type === 'attribute' ? name.parent : name
  const isOfSocket = allKnown(pythonValues(file, callee))?.every(({ path }) => path === 'socket.setdefaulttimeout')
  const given = callee.parent?.type === 'call' && isOfSocket && rest.length === 0 ? argumentsOf(callee.parent).positional[0] : null
  return given ? secondsLimit(file, given, kind) : UNKNOWN_LIMIT
}
