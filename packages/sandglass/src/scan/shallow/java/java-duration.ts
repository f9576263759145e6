import type { BoundKind } from '@sandglass/runtime/core'
import { type Limit, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import { allKnown } from '../value.js'
import { javaBindings } from './java-scopes.js'
import { type JavaFile, javaArguments, javaValues } from './java-values.js'

const MAX_STEPS = 10
const UNITS_MS: Readonly<Record<string, number>> = {
  NANOSECONDS: 1e-6,
  MICROSECONDS: 1e-3,
  MILLISECONDS: 1,
  SECONDS: 1000,
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000,
}
const OF_UNIT: Readonly<Record<string, number>> = {
  ofNanos: 1e-6,
  ofMillis: 1,
  ofMilliseconds: 1,
  ofSeconds: 1000,
  ofMinutes: 60_000,
  ofHours: 3_600_000,
  ofDays: 86_400_000,
}

/** The ms of a `Duration`, or of a plain number of ms; null where the file does not tell. */
export function javaMs(file: JavaFile, node: SyntaxNode | null | undefined, steps = 0): number | null {
  if (!node || steps > MAX_STEPS) return null
  const inner = (each: SyntaxNode | null | undefined) => javaMs(file, each, steps + 1)
  switch (node.type) {
    case 'decimal_integer_literal':
    case 'decimal_floating_point_literal':
      return finite(Number(node.text.replaceAll('_', '').replace(/[lLfFdD]$/, '')))
    case 'parenthesized_expression':
      return inner(node.children[0])
    case 'cast_expression':
      return inner(childOf(node, 'value'))
    case 'unary_expression': {
      const value = inner(childOf(node, 'operand'))
      return value !== null && childOf(node, 'operator')?.type === '-' ? -value : null
    }
    case 'binary_expression':
      return combined(childOf(node, 'operator')?.type, inner(childOf(node, 'left')), inner(childOf(node, 'right')))
    case 'identifier':
    case 'field_access':
      return ofName(file, node, inner)
    case 'method_invocation':
      return ofCall(file, node, inner)
    default:
      return null
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

type Inner = (each: SyntaxNode | null | undefined) => number | null

function ofName(file: JavaFile, node: SyntaxNode, inner: Inner): number | null {
  const name = node.type === 'field_access' && childOf(node, 'object')?.type === 'this' ? childOf(node, 'field') : node
  if (name?.type !== 'identifier') return null
  const { bindings } = javaBindings(file.scopes, name)
  return bindings.length === 1 ? inner(bindings[0]?.value) : null
}

/** `Duration.ofSeconds(5)`, `Timeout.ofSeconds(5)`, `TimeUnit.SECONDS.toMillis(5)`, `Math.toIntExact(…)`. */
function ofCall(file: JavaFile, node: SyntaxNode, inner: Inner): number | null {
  const name = childOf(node, 'name')?.text ?? ''
  const owner = childOf(node, 'object')
  const [value] = allKnown(javaValues(file, node)) ?? []
  const [first, second] = javaArguments(node)
  if (name === 'toIntExact' || name === 'intValue') return inner(first ?? owner)
  const unitMs = Object.hasOwn(OF_UNIT, name) ? OF_UNIT[name] : undefined
  const isTime = value?.path === `java.time.Duration.${name}()` || owner?.text === 'Timeout'
  if (unitMs !== undefined && isTime && first) return times(inner(first), unitMs)
  if (name === 'of' && isTime && second) return times(inner(first), unitOf(second))
  if (name === 'toMillis' && owner) return first ? times(inner(first), unitOf(owner)) : inner(owner)
  return null
}

/** The ms of one `TimeUnit.SECONDS`, `SECONDS` or `ChronoUnit.SECONDS`; null where it is none. */
function unitOf(node: SyntaxNode): number | null {
  const name = node.text.split('.').at(-1) ?? ''
  return Object.hasOwn(UNITS_MS, name) ? (UNITS_MS[name] ?? null) : null
}

function times(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : finite(a * b)
}

function combined(operator: string | undefined, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null
  if (operator === '*') return finite(left * right)
  if (operator === '+') return finite(left + right)
  if (operator === '-') return finite(left - right)
  return operator === '/' ? finite(left / right) : null
}

/** A time as a limit: ms, a `Duration`, or a number with its unit. 0 is what these settings take for "none". */
export function javaLimit(file: JavaFile, args: readonly SyntaxNode[], kind: BoundKind): Limit {
  const [given, unit] = args
  if (!given) return UNKNOWN_LIMIT
  const ms = unit ? times(javaMs(file, given), unitOf(unit)) : javaMs(file, given)
  if (ms === 0) return { state: 'off', at: given }
  return ms === null || ms < 0 ? UNKNOWN_LIMIT : { state: 'written', ms, kind, at: given }
}
