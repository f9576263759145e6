import { now } from './clock.js'
import { currentScope } from './context.js'
import { Scope } from './scope.js'
import { linkOf } from './signal-link.js'

/** A signal to hand to a client that takes only one. */
export interface JoinedSignal {
  readonly signal: AbortSignal | undefined
  /** The exchange is over: lets go of the signals it was made of. */
  readonly release: () => void
}

const nothingToRelease = (): void => undefined

/**
 * Joins the present scope's signal with one the program gave. Without a scope, and where both are the same, it is just that one.
 * Until `release` it holds one listener on the program's signal, however many exchanges share it, and ends with the scope's deadline at the latest.
 */
export function joinedSignal(name: string, own: AbortSignal | null | undefined): JoinedSignal {
  const scope = currentScope()
  if (scope === undefined) return { signal: own ?? undefined, release: nothingToRelease }
  if (own === undefined || own === null || own === scope.signal) return { signal: scope.signal, release: nothingToRelease }
  if (own.aborted) return { signal: own, release: nothingToRelease }
  const joined = new Scope(scope, name, now(), Infinity)
  joined.follow(linkOf(own))
  return { signal: joined.signal, release: () => joined.close() }
}
