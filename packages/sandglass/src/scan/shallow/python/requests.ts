import { PYTHON } from '../products.js'
import { type Limit, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { argumentsOf } from './python-arguments.js'
import { limitOf, type PythonCall, type PythonReader, secondsLimit, sightingOf } from './python-call.js'
import { isPatched, type PythonVariable, variablesOf } from './python-instance.js'
import { pythonBindings } from './python-scopes.js'
import { mentionsOf, type PythonFile, pythonValues } from './python-values.js'

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'request']
const SESSIONS = ['requests.Session()', 'requests.session()', 'requests.sessions.Session()', 'requests.sessions.session()']

/** The calls of `requests`: its functions, and the methods of sessions made in the file. */
export const REQUESTS: ReadonlyMap<string, PythonReader> = new Map([
  ...VERBS.flatMap((verb) => [`requests.${verb}`, `requests.api.${verb}`].map((path) => [path, readFunction] as const)),
  ...SESSIONS.flatMap((session) => [...VERBS, 'send'].map((verb) => [`${session}.${verb}`, readMethod] as const)),
])

function readFunction(call: PythonCall): ReturnType<PythonReader> {
  return sightingOf(PYTHON.requests, call, requestsLimit(call), call.path.endsWith('.request') ? 1 : 0)
}

function readMethod(call: PythonCall): ReturnType<PythonReader> {
  const limit = isCustomised(call) ? UNKNOWN_LIMIT : requestsLimit(call)
  const { node, args } = call
  const isRequest = call.path.endsWith('.request')
  const target = isRequest ? 1 : 0
  // Session.request and .send take no more than these before `timeout`, which nobody gives by position.
  return node.type === 'call' && args.positional.length <= 4 ? sightingOf(PYTHON.requests, call, limit, target) : null
}

/** `timeout=5`, `timeout=(connect, read)`: the wait for an answer ends by the second. */
function requestsLimit(call: PythonCall): Limit {
  if (isPatched(call.file, 'requests')) return UNKNOWN_LIMIT
  const given = call.args.keywords.get('timeout')
  const read = given ? pairOf(call.file, given) : null
  return read ? secondsLimit(call.file, read, 'silence') : limitOf(call, 'timeout', 'silence')
}

/** The second of a pair, which may have a name of its own: `LIMITS = (3, 10)`. */
function pairOf(file: PythonFile, given: SyntaxNode): SyntaxNode | null {
  const [only, ...rest] = given.type === 'identifier' ? pythonBindings(file.scopes, given) : []
  const pair = only?.value && only.position === null && rest.length === 0 ? only.value : given
  return pair.type === 'tuple' ? (pair.children[1] ?? null) : null
}

const PLAIN_ADAPTERS: ReadonlySet<string> = new Set(['requests.adapters.HTTPAdapter()', 'requests.HTTPAdapter()'])
const HARMLESS = /^(auth|cert|cookies|headers|hooks|max_redirects|params|proxies|stream|trust_env|verify)$/
const CONFIGURES = /timeout|mount|adapter|retr|config|setup|patch|wrap|instrument/i

/** An adapter, a replaced method or a function that prepares sessions may bring a timeout of its own. */
function isCustomised({ file, node, makers }: PythonCall): boolean {
  return variablesOf(file, node, makers.at(-1) ?? null).some((variable) => isChanged(file, variable))
}

const changed = new WeakMap<SyntaxNode, Map<string, boolean>>()

/** Asked once for each variable: a session may be used thousands of times. */
function isChanged(file: PythonFile, { name, home }: PythonVariable): boolean {
  const known = changed.get(home) ?? new Map<string, boolean>()
  changed.set(home, known)
  const answer = known.get(name.text) ?? mentionsOf(file, name, home).some((each) => changes(file, each))
  known.set(name.text, answer)
  return answer
}

function changes(file: PythonFile, mention: SyntaxNode): boolean {
  const parent = mention.parent
  if (parent?.type === 'argument_list') return CONFIGURES.test(childOf(parent.parent, 'function')?.text ?? '')
  if (parent?.type !== 'attribute' || mention.field !== 'object') return false
  const member = childOf(parent, 'attribute')?.text ?? ''
  if (parent.field === 'left' && parent.parent?.type === 'assignment') return !HARMLESS.test(member)
  if (member !== 'mount' || parent.parent?.type !== 'call') return false
  const adapter = allKnown(pythonValues(file, argumentsOf(parent.parent).positional[1] ?? null))
  return !adapter?.every(({ path }) => PLAIN_ADAPTERS.has(path))
}
