import { PYTHON } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import type { SyntaxNode } from '../syntax-tree.js'
import { argumentsOf } from './python-arguments.js'
import { madeBy, type PythonCall, type PythonReader, readWithClient, secondsLimit, sightingOf } from './python-call.js'
import type { PythonFile } from './python-values.js'

const POOLS = ['PoolManager', 'ProxyManager', 'HTTPConnectionPool', 'HTTPSConnectionPool']
const TIMEOUTS = ['urllib3.Timeout()', 'urllib3.util.Timeout()', 'urllib3.util.timeout.Timeout()']

/** The calls of `urllib3`: requests through pools made in the file, and `urllib3.request`. */
export const URLLIB3: ReadonlyMap<string, PythonReader> = new Map<string, PythonReader>([
  ['urllib3.request', (call) => sightingOf(PYTHON.urllib3, call, urllib3Limit(call.file, call.node), 1)],
  ...POOLS.flatMap((pool) =>
    ['request', 'urlopen', 'request_encode_url', 'request_encode_body'].map((verb) => [`urllib3.${pool}().${verb}`, readMethod] as const),
  ),
])

function readMethod(call: PythonCall): Sighting {
  return readWithClient(PYTHON.urllib3, call, urllib3Limit, 1)
}

function urllib3Limit(file: PythonFile, node: SyntaxNode): Limit {
  const { keywords, isOpen } = argumentsOf(node)
  const given = keywords.get('timeout')
  if (!given) return isOpen ? UNKNOWN_LIMIT : ABSENT
  const timeout = madeBy(file, given, TIMEOUTS)
  if (!timeout) return secondsLimit(file, given, 'silence')
  const args = argumentsOf(timeout)
  if (args.isOpen) return UNKNOWN_LIMIT
  const read = args.keywords.get('read') ?? args.keywords.get('total') ?? args.positional[0]
  return read ? secondsLimit(file, read, 'silence') : ABSENT
}
