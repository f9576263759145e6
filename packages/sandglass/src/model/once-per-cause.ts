import type { Diagnostic } from './diagnostic.js'

/**
 * One cause is reported once: the same rule at the same place about the same callee says the same thing, and so it does about several operations
 * of one service that one call may lead to. Keeps the order.
 */
export function oncePerCause(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics.filter(({ rule, severity, spot, path }) => {
    const key = [rule, severity, spot.source.file, spot.start, spot.end, path.at(-2), path.at(-1)?.split('.')[0]].join(' ')
    return seen.has(key) ? false : seen.add(key)
  })
}
