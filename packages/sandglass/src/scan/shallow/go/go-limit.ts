import type { BoundKind } from '@sandglass/runtime/core'
import { ABSENT, type Limit, UNKNOWN_LIMIT } from '../sighting.js'
import { childOf, type SyntaxNode } from '../syntax-tree.js'
import type { Value } from '../value.js'
import { goDurationMs } from './go-duration.js'
import { goBindings } from './go-scopes.js'
import { type GoFile, goArguments, goValues } from './go-values.js'

/** A `time.Duration` as a limit; 0 is what these settings take for "none". */
export function durationLimit(file: GoFile, given: SyntaxNode, kind: BoundKind): Limit {
  const ms = goDurationMs(file, given)
  if (ms === 0) return { state: 'off', at: given }
  return ms === null || ms < 0 ? UNKNOWN_LIMIT : { state: 'written', ms, kind, at: given }
}

/** The limit that a context carries; `absent` where it is made in this file and carries none. */
export function contextLimit(file: GoFile, context: SyntaxNode | null | undefined, steps = 0): Limit {
  if (!context || steps > 8) return UNKNOWN_LIMIT
  return weakest(goValues(file, context).map((value) => limitOfContext(file, value, steps)))
}

function limitOfContext(file: GoFile, value: Value, steps: number): Limit {
  const name = value.kind === 'known' ? /^(?:golang\.org\/x\/net\/)?context\.(\w+)\(\)$/.exec(value.path)?.[1] : undefined
  const maker = value.kind === 'known' ? value.makers.at(-1) : undefined
  const [parent, second] = maker ? goArguments(maker) : []
  switch (name) {
    case 'Background':
    case 'TODO':
    case 'WithoutCancel':
      return ABSENT
    case 'WithValue':
      return contextLimit(file, parent, steps + 1)
    case 'WithTimeout':
    case 'WithTimeoutCause':
      return second ? durationLimit(file, second, 'total') : UNKNOWN_LIMIT
    case 'WithDeadline':
    case 'WithDeadlineCause':
      return second ? fromNow(file, second) : UNKNOWN_LIMIT
    case 'WithCancel':
    case 'WithCancelCause': {
      // A timer may cancel it: only a limit that is written counts.
      const limit = contextLimit(file, parent, steps + 1)
      return limit.state === 'written' ? limit : UNKNOWN_LIMIT
    }
    default:
      return UNKNOWN_LIMIT
  }
}

/** `time.Now().Add(d)` */
function fromNow(file: GoFile, instant: SyntaxNode): Limit {
  const [value] = goValues(file, instant)
  const [given] = goArguments(instant)
  const isFromNow = value?.kind === 'known' && value.path === 'time.Now().Add()'
  return isFromNow && given ? durationLimit(file, given, 'total') : UNKNOWN_LIMIT
}

/** The limit that holds when nobody knows which of several does: none if one is none and the others are known. */
export function weakest(limits: readonly Limit[]): Limit {
  if (limits.length === 0 || limits.some(({ state }) => state === 'unknown')) return UNKNOWN_LIMIT
  const open = limits.find(({ state }) => state === 'off' || state === 'absent')
  if (open) return open
  return limits.reduce((a, b) => (a.state === 'written' && b.state === 'written' && b.ms > a.ms ? b : a))
}

/** The limit of two that both hold: the shorter one; what is written counts even where the other is unknown. */
export function tighter(a: Limit, b: Limit): Limit {
  if (a.state === 'written' && b.state === 'written') return b.ms < a.ms ? b : a
  if (a.state === 'written') return a
  if (b.state === 'written') return b
  if (a.state === 'unknown' || b.state === 'unknown') return UNKNOWN_LIMIT
  return a.state === 'off' ? a : b
}

/** The text of a string literal, or of a constant that is one; null where it is anything else. */
export function goString(file: GoFile, node: SyntaxNode | null | undefined, steps = 0): string | null {
  if (!node || steps > 6) return null
  if (/^(interpreted|raw)_string_literal$/.test(node.type)) return node.text.slice(1, -1)
  if (node.type === 'binary_expression') {
    const [left, right] = [goString(file, childOf(node, 'left'), steps + 1), goString(file, childOf(node, 'right'), steps + 1)]
    return left === null && right === null ? null : `${left ?? '{…}'}${right ?? '{…}'}`
  }
  return node.type === 'identifier' ? goString(file, onlyValueOf(file, node), steps + 1) : null
}

/** What a name stands for where the file gives it one value; null where it gives several or none. */
function onlyValueOf(file: GoFile, name: SyntaxNode): SyntaxNode | null {
  const { bindings } = goBindings(file.scopes, name)
  const [only] = bindings
  return bindings.length === 1 && only?.position === null ? only.value : null
}
