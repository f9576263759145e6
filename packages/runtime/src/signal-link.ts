import type { Scope } from './scope.js'

/** All scopes that end when one outer signal aborts: one listener on that signal, however many scopes there are. */
export interface SignalLink {
  add(scope: Scope): void
  remove(scope: Scope): void
}

const links = new WeakMap<AbortSignal, SignalLink>()

/** The link of an outer signal. Its listener is there while a scope is linked and gone after the last one. */
export function linkOf(signal: AbortSignal): SignalLink {
  const known = links.get(signal)
  if (known !== undefined) return known
  const link = createLink(signal)
  links.set(signal, link)
  return link
}

function createLink(signal: AbortSignal): SignalLink {
  const scopes = new Set<Scope>()
  const onAbort = (): void => {
    signal.removeEventListener('abort', onAbort)
    for (const scope of [...scopes]) scope.cancel('caller', signal.reason)
  }
  return {
    add(scope) {
      if (signal.aborted) return scope.cancel('caller', signal.reason)
      if (scopes.size === 0) signal.addEventListener('abort', onAbort)
      scopes.add(scope)
    },
    remove(scope) {
      if (scopes.delete(scope) && scopes.size === 0) signal.removeEventListener('abort', onAbort)
    },
  }
}
