import { type Limit, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, isWithin, type SyntaxNode } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { argumentsOf } from './python-arguments.js'
import { secondsLimit } from './python-call.js'
import { type PythonFile, pythonValues } from './python-values.js'

/** Give up after their first argument, in seconds, and cancel what runs inside. */
const SCOPES_OF_TIME: ReadonlySet<string> = new Set([
  'asyncio.timeout()',
  'async_timeout.timeout()',
  'anyio.fail_after()',
  'anyio.move_on_after()',
  'trio.fail_after()',
  'trio.move_on_after()',
])
const SAYS_TIME = /time_?out|deadline|fail_after|move_on_after|time_?limit/i

/** A limit that stands around a call: `asyncio.wait_for`, `async with asyncio.timeout(…)`, a decorator that says so; null where there is none. */
export function guardOf(file: PythonFile, call: SyntaxNode): Limit | null {
  for (let inner = call, node = call.parent; node; inner = node, node = node.parent) {
    const found = limitAround(file, inner, node)
    if (found) return found
    if (node.type === 'function_definition') return decoratedLimit(node)
  }
  return null
}

function limitAround(file: PythonFile, inner: SyntaxNode, node: SyntaxNode): Limit | null {
  if (node.type === 'with_statement' && inner.field === 'body') return withLimit(file, node)
  if (node.type !== 'call' || inner.type !== 'argument_list') return null
  const values = allKnown(pythonValues(file, childOf(node, 'function')))
  if (values?.length !== 1 || values[0]?.path !== 'asyncio.wait_for') return null
  const { keywords, positional } = argumentsOf(node)
  const given = keywords.get('timeout') ?? positional[1]
  if (!given || isWithin(inner, given)) return null
  const limit = secondsLimit(file, given, 'total')
  return limit.state === 'off' ? null : limit
}

function withLimit(file: PythonFile, node: SyntaxNode): Limit | null {
  const items = node.children[0]?.type === 'with_clause' ? node.children[0].children : []
  for (const item of items) {
    const value = childOf(item, 'value')
    const made = value?.type === 'as_pattern' ? value.children[0] : value
    if (made?.type !== 'call' || !SAYS_TIME.test(childOf(made, 'function')?.text ?? '')) continue
    const paths = allKnown(pythonValues(file, made))
    const given = argumentsOf(made).positional[0]
    const isKnown = paths?.every(({ path }) => SCOPES_OF_TIME.has(path))
    const limit = isKnown && given ? secondsLimit(file, given, 'total') : UNKNOWN_LIMIT
    if (limit.state !== 'off') return limit
  }
  return null
}

function decoratedLimit(definition: SyntaxNode): Limit | null {
  const { parent } = definition
  const decorators = parent?.type === 'decorated_definition' ? parent.children.filter(({ type }) => type === 'decorator') : []
  return decorators.some(({ text }) => SAYS_TIME.test(text.slice(0, 200))) ? UNKNOWN_LIMIT : null
}
