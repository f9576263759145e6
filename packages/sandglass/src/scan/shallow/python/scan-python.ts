import type { Sighting } from '../sighting.js'
import { childOf, type SyntaxTree } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { AIOHTTP } from './aiohttp.js'
import { BOTO3 } from './boto3.js'
import { DATABASES } from './databases.js'
import { HTTPX } from './httpx.js'
import { argumentsOf } from './python-arguments.js'
import type { PythonCall, PythonReader } from './python-call.js'
import { guardOf } from './python-guard.js'
import { type PythonFile, pythonFile, pythonValues } from './python-values.js'
import { REQUESTS } from './requests.js'
import { STANDARD_LIBRARY } from './standard-library.js'
import { URLLIB3 } from './urllib3.js'

const READERS: ReadonlyMap<string, PythonReader> = new Map([
  ...REQUESTS,
  ...STANDARD_LIBRARY,
  ...URLLIB3,
  ...HTTPX,
  ...AIOHTTP,
  ...DATABASES,
  ...BOTO3,
])

/** A text that imports none of these calls nothing that is known. */
export const PYTHON_SIEVE: RegExp =
  /\b(?:import|from)\b[^\n#]{0,200}\b(?:requests|urllib|urllib2|urllib3|httplib|http|httpx|aiohttp|socket|smtplib|ftplib|psycopg2|pymysql|redis|boto3)\b/

/** The calls of known libraries in a Python file. */
export function scanPython(tree: SyntaxTree): readonly Sighting[] {
  const file = pythonFile(tree)
  const calls = tree.nodes.flatMap((node) => (node.type === 'call' ? callOf(file, node) : []))
  const found = calls.flatMap((call) => READERS.get(call.path)?.(call) ?? [])
  const used = new Set(calls.flatMap(({ makers }) => makers))
  return found.filter(({ isWithoutUse, call }) => !isWithoutUse || !used.has(call)).map((sighting) => guarded(file, sighting))
}

function callOf(file: PythonFile, node: PythonCall['node']): PythonCall[] {
  const values = allKnown(pythonValues(file, childOf(node, 'function')))
  const isBinding = node.parent?.type === 'decorator'
  const first = values?.find(({ path }) => READERS.has(plain(path))) ?? values?.[0]
  if (!values || !first || isBinding) return []
  // Alternatives of one name (two imports in try and except) must all be calls that are known.
  const isSure = values.every(({ path }) => path === first.path || READERS.has(plain(path)))
  return isSure ? [{ file, node, path: plain(first.path), makers: first.makers, args: argumentsOf(node) }] : []
}

const plain = (path: string) => path.replace(/^six\.moves\./, '')

function guarded(file: PythonFile, sighting: Sighting): Sighting {
  if (sighting.limit.state !== 'absent' && sighting.limit.state !== 'off') return sighting
  const limit = guardOf(file, sighting.call)
  return limit ? { ...sighting, limit } : sighting
}
