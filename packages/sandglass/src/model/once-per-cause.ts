import type { Diagnostic } from './diagnostic.js'
import type { Spot } from './sourced.js'

/**
 * One cause is reported once: the same rule at the same place about the same callee says the same thing, and so it does about several operations
 * of one service that one call may lead to, and about several servers of which it asks one. Keeps the order.
 */
export function oncePerCause(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics.filter((each) => {
    const keys = keysOf(each)
    const isNew = keys.every((key) => !seen.has(key))
    for (const key of keys) seen.add(key)
    return isNew
  })
}

function keysOf({ rule, severity, spot, callSpot, path }: Diagnostic): readonly string[] {
  const same = [rule, severity, placeKey(spot), path.at(-2)].join(' ')
  return [`${same} ${path.at(-1)?.split('.')[0]}`, ...(callSpot ? [`${same} at ${placeKey(callSpot)}`] : [])]
}

function placeKey({ source, start, end }: Spot): string {
  return `${source.file} ${start} ${end}`
}
