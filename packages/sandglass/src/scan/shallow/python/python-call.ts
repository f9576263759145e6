import type { BoundKind } from '@sandglass/runtime/core'
import type { Product } from '../products.js'
import { ABSENT, type Limit, type Sighting, UNKNOWN_LIMIT } from '../sighting.js'
import type { SyntaxNode } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import type { PythonArguments } from './python-arguments.js'
import { pythonNumber } from './python-number.js'
import { pythonString } from './python-string.js'
import { type PythonFile, pythonValues } from './python-values.js'

/** A call of something whose full name is known. */
export interface PythonCall {
  readonly file: PythonFile
  readonly node: SyntaxNode
  /** `requests.Session().get`. */
  readonly path: string
  /** The calls that made what it is called on, the last one last. */
  readonly makers: readonly SyntaxNode[]
  readonly args: PythonArguments
}

/** What a call of one function means; null where it waits for nothing or nothing can be said. */
export type PythonReader = (call: PythonCall) => Sighting | null

/** The limit an argument gives, in seconds: its keyword or its position. */
export function limitOf(call: PythonCall, name: string, kind: BoundKind, position = -1): Limit {
  const { args, file } = call
  const given = args.keywords.get(name) ?? args.positional[position]
  if (!given) return args.isOpen ? UNKNOWN_LIMIT : ABSENT
  return secondsLimit(file, given, kind)
}

/** A number of seconds as a limit; None switches it off; what is no plain number is unknown. */
export function secondsLimit(file: PythonFile, given: SyntaxNode, kind: BoundKind): Limit {
  const seconds = pythonNumber(file, given)
  if (seconds === 'none') return { state: 'off', at: given }
  if (seconds === null || seconds <= 0) return UNKNOWN_LIMIT
  return { state: 'written', ms: seconds * 1000, kind, at: given }
}

/** A sighting of a call that carries its own limit. */
export function sightingOf(product: Product, call: PythonCall, limit: Limit, position = 0): Sighting {
  return { product, what: shownName(call), call: call.node, cause: call.node, limit, target: targetOf(call, position) }
}

/** The name as people write it: without what was called to get there. */
export function shownName(call: PythonCall): string {
  return call.path.replaceAll('()', '')
}

/** The text that says where a call goes. */
export function targetOf({ file, args }: PythonCall, position: number): string | null {
  const given = args.keywords.get('url') ?? args.keywords.get('host') ?? args.positional[position]
  return given ? pythonString(file, given) : null
}

/** A request through a client made in the file: its own limit, else the client's, which is then the cause. */
export function readWithClient(
  product: Product,
  call: PythonCall,
  limitAt: (file: PythonFile, node: SyntaxNode) => Limit,
  target: number,
): Sighting {
  const own = sightingOf(product, call, limitAt(call.file, call.node), target)
  const maker = call.makers.at(-1)
  return own.limit.state === 'absent' && maker ? { ...own, limit: limitAt(call.file, maker), cause: maker } : own
}

/** The one call of one of the functions (`httpx.Timeout()`) that an expression stands for; null where it is anything else. */
export function madeBy(file: PythonFile, node: SyntaxNode, paths: readonly string[]): SyntaxNode | null {
  const [value, ...rest] = allKnown(pythonValues(file, node)) ?? []
  return value && rest.length === 0 && paths.includes(value.path) ? (value.makers.at(-1) ?? null) : null
}
